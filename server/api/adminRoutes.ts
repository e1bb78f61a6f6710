import { routes, type WireAdminAct, type WireApiKey, type WireKeyStats, type WireOperatorSession } from '@chainboard/contract'
import { Failure } from '@chainboard/core'
import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { getAddress } from 'viem'
import type { KeyStats, Keys, ListedKey } from '../keys/createKeys.ts'
import type { Proof } from '../keys/judgeMessage.ts'
import { type AdminAct, type OperatorSession, type Operators, sessionLife } from '../operators/createOperators.ts'
import { type AdmitOperator, createAdmitOperator, type OperatorRequest } from './admitOperator.ts'
import { clientOf } from './clientOf.ts'
import { type ConsoleDeps, consoleRoutes } from './consoleRoutes.ts'
import { type Cookies, createCookies } from './cookies.ts'
import type { Site } from './deps.ts'
import { refuseOtherSites } from './visitors.ts'

/** US dollars a month of a key of tier basic. */
const basicPrice = 15

type App = Parameters<FastifyPluginCallbackTypebox>[0]

export type AdminRouteDeps = Site & ConsoleDeps & { readonly keys: Keys }

const config = { budget: 'operators' } as const

/** The operators' panel. Every call brings a signed login or a session, and is refused without one. */
export function adminRoutes(deps: AdminRouteDeps): FastifyPluginCallbackTypebox {
  const { keys, operators } = deps
  const desk = { admit: createAdmitOperator(operators, deps), cookies: createCookies(deps.origin) }
  return (app, _, done) => {
    refuseOtherSites(app, deps)
    loginRoutes(app, operators, desk)
    keyListRoutes(app, keys, desk)
    keyChangeRoutes(app, keys, desk)
    sessionRoutes(app, operators, desk)
    consoleRoutes(app, deps, desk.admit, config)
    done()
  }
}

/** What the panel's routes share. */
type Desk = { readonly admit: AdmitOperator; readonly cookies: Cookies }

/** An operator's login and logout. */
function loginRoutes(app: App, operators: Operators, { admit, cookies }: Desk): void {
  app.route({
    ...routes.verifyAdmin,
    config,
    handler: async (request) => {
      await operators.logIn(await admit('verifyAdmin', request))
      return { success: true as const }
    },
  })

  app.route({
    ...routes.logoutAdmin,
    config,
    handler: async (request, reply) => {
      const operator = await admit('logoutAdmin', request)
      await operators.logOut(operator)
      if (operator.pass.kind === 'session') reply.header('Set-Cookie', cookies.writeOperator(undefined))
      return { success: true as const }
    },
  })

  app.route({
    ...routes.openSession,
    config,
    handler: async (request, reply) => {
      const from = { client: clientOf(request), agent: request.headers['user-agent'] ?? '' }
      const { token, session } = await operators.openSession(toProof(request.body), from)
      reply.header('Set-Cookie', cookies.writeOperator(token))
      return reply.code(201).send({ success: true as const, session: toWireSession(session) })
    },
  })
}

/** The keys: listed and counted. */
function keyListRoutes(app: App, keys: Keys, { admit }: Desk): void {
  app.route({
    ...routes.listKeys,
    config,
    handler: async (request) => {
      await admit('listKeys', request)
      return { success: true as const, keys: (await keys.list()).map((key) => toWireKey(key)) }
    },
  })

  app.route({
    ...routes.getKeyStats,
    config,
    handler: async (request) => {
      await admit('getKeyStats', request)
      return { success: true as const, stats: toWireStats(await keys.stats()) }
    },
  })
}

/** The keys: made, changed and deleted. */
function keyChangeRoutes(app: App, keys: Keys, { admit }: Desk): void {
  app.route({
    ...routes.createKey,
    config,
    handler: async (request, reply) => {
      const operator = await admit('createKey', request)
      const { text, key } = await keys.create(operator, toForm(request.body))
      return reply.code(201).send({ success: true, key: { ...toWireKey(key), id: text } })
    },
  })

  app.route({
    ...routes.updateKey,
    config,
    handler: async (request) => {
      const operator = await admit('updateKey', request)
      return { success: true as const, key: toWireKey(await keys.update(operator, request.params.id, toForm(request.body))) }
    },
  })

  app.route({
    ...routes.deleteKey,
    config,
    handler: async (request, reply) => {
      const operator = await admit('deleteKey', request)
      if ((await keys.remove(operator, request.params.id)) === 'deleted') return reply.send({ success: true as const })
      return reply
        .code(202)
        .send({ success: true as const, waiting: 'Another owner has to confirm the deletion within 24 hours' })
    },
  })

  app.route({
    ...routes.keepKey,
    config,
    handler: async (request) => {
      const operator = await admit('keepKey', request)
      return { success: true as const, key: toWireKey(await keys.keep(operator, request.params.id)) }
    },
  })
}

/** Who is logged in, and what operators did. */
function sessionRoutes(app: App, operators: Operators, { admit }: Desk): void {
  app.route({
    ...routes.listActs,
    config,
    handler: async (request) => {
      await admit('listActs', request)
      return { success: true as const, ...(await listActs(operators, parseActId(request.body.before))) }
    },
  })

  app.route({
    ...routes.listSessions,
    config,
    handler: async (request) => {
      const sessions = await operators.listSessions(await admit('listSessions', request))
      return { success: true as const, sessions: sessions.map((session) => toWireSession(session)) }
    },
  })

  app.route({
    ...routes.endSession,
    config,
    handler: async (request) => {
      await operators.endSession(await admit('endSession', request), request.params.id)
      return { success: true as const }
    },
  })
}

function toProof({ walletAddress, signature, message }: { [name in keyof Proof]?: unknown }): Proof {
  return { walletAddress, signature, message }
}

/** What a body has beside what lets it in. */
function toForm<T extends OperatorRequest['body']>(body: T): Omit<T, keyof Proof | 'session'> {
  const { walletAddress: _wallet, signature: _signature, message: _message, session: _session, ...form } = body
  return form
}

async function listActs(operators: Operators, before: string | undefined) {
  const { acts, more } = await operators.listActs(before)
  const shown = acts.map((act) => toWireAct(act))
  return { acts: shown, next: more ? (shown.at(-1)?.id ?? null) : null }
}

function toWireAct({ id, atSeconds, wallet, act, keyId, from, to, role, via, alerts, chain }: AdminAct): WireAdminAct {
  return {
    ...{ id, at: toMoment(atSeconds), wallet: getAddress(wallet), act, keyId: keyId ?? null, from, to },
    ...{ role: role ?? null, via: via ?? null, alerts: [...alerts], entry: chain?.seq ?? null },
  }
}

function toWireSession({ id, wallet, role, agent, createdAtSeconds, usedAtSeconds }: OperatorSession): WireOperatorSession {
  return {
    ...{ id, wallet: getAddress(wallet), role, agent },
    startedAt: toMoment(createdAtSeconds),
    usedAt: toMoment(usedAtSeconds),
    endsAt: toMoment(createdAtSeconds + sessionLife.wholeSeconds),
    idleSeconds: sessionLife.idleSeconds,
  }
}

function parseActId(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value === 'string' && /^[0-9a-z]{1,40}$/.test(value)) return value
  throw new Failure('request-invalid', 'before: expected the id of an entry of the audit log')
}

function toWireKey(key: ListedKey): WireApiKey {
  const { id, email, status, tier, requestsPerDay, usedToday, note, wallet, txHash, payment, deletion } = key
  return {
    id: key.mask,
    fullId: id,
    email,
    status,
    tier,
    requestsPerDay,
    usageToday: usedToday,
    createdAt: toMoment(key.createdAtSeconds),
    expiresAt: key.expiresAtSeconds === undefined ? null : toMoment(key.expiresAtSeconds),
    lastUsed: key.lastUsedAtSeconds === undefined ? null : toMoment(key.lastUsedAtSeconds),
    note,
    wallet: wallet === undefined ? null : getAddress(wallet),
    txHash: txHash ?? null,
    payment: payment ?? null,
    deletion: deletion ? { wallet: getAddress(deletion.wallet), askedAt: toMoment(deletion.askedAtSeconds) } : null,
  }
}

function toWireStats(stats: KeyStats): WireKeyStats {
  return {
    totalKeys: stats.keys,
    activeKeys: stats.activeKeys,
    monthlyRevenue: stats.activeBasicKeys * basicPrice,
    totalRequestsToday: stats.keyRequests + stats.sharedRequests,
    sharedApiUsage: stats.sharedRequests,
    sharedApiIPs: stats.sharedClients,
  }
}

function toMoment(seconds: number): string {
  return new Date(seconds * 1000).toISOString()
}
