import { routes, type WireAdminAct, type WireApiKey, type WireKeyStats } from '@chainboard/contract'
import { Failure } from '@chainboard/core'
import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { getAddress } from 'viem'
import type { KeyStats, Keys, ListedKey } from '../keys/createKeys.ts'
import type { Proof } from '../keys/judgeMessage.ts'
import type { SiteAddress } from './isSameOrigin.ts'
import { refuseOtherSites } from './visitors.ts'

/** US dollars a month of a key of tier basic. */
const basicPrice = 15

type App = Parameters<FastifyPluginCallbackTypebox>[0]

export type AdminRouteDeps = SiteAddress & { readonly keys: Keys }

const config = { budget: 'operators' } as const

/** The operators' panel. Every call brings a signed login, and is refused without one. */
export function adminRoutes({ keys, ...site }: AdminRouteDeps): FastifyPluginCallbackTypebox {
  return (app, _, done) => {
    refuseOtherSites(app, site)
    loginRoutes(app, keys)
    keyListRoutes(app, keys)
    actRoutes(app, keys)
    done()
  }
}

/** An operator's login and logout. */
function loginRoutes(app: App, keys: Keys): void {
  app.route({
    ...routes.verifyAdmin,
    config,
    handler: async ({ body }) => {
      await keys.logIn(toProof(body))
      return { success: true as const }
    },
  })

  app.route({
    ...routes.logoutAdmin,
    config,
    handler: async ({ body }) => {
      await keys.logOut(toProof(body))
      return { success: true as const }
    },
  })
}

/** The keys: listed, counted, made, changed and deleted. */
function keyListRoutes(app: App, keys: Keys): void {
  app.route({
    ...routes.listKeys,
    config,
    handler: async ({ body }) => ({
      success: true as const,
      keys: (await keys.list(toProof(body))).map((key) => toWireKey(key)),
    }),
  })

  app.route({
    ...routes.getKeyStats,
    config,
    handler: async ({ body }) => ({ success: true as const, stats: toWireStats(await keys.stats(toProof(body))) }),
  })

  app.route({
    ...routes.createKey,
    config,
    handler: async ({ body }, reply) => {
      const { walletAddress: _wallet, signature: _signature, message: _message, ...form } = body
      const { text, key } = await keys.create(toProof(body), form)
      return reply.code(201).send({ success: true, key: { ...toWireKey(key), id: text } })
    },
  })

  app.route({
    ...routes.updateKey,
    config,
    handler: async ({ params, body }) => {
      const { walletAddress: _wallet, signature: _signature, message: _message, ...form } = body
      return { success: true as const, key: toWireKey(await keys.update(toProof(body), params.id, form)) }
    },
  })

  app.route({
    ...routes.deleteKey,
    config,
    handler: async ({ params, body }) => {
      await keys.remove(toProof(body), params.id)
      return { success: true as const }
    },
  })
}

/** What operators did. */
function actRoutes(app: App, keys: Keys): void {
  app.route({
    ...routes.listActs,
    config,
    handler: async ({ body }) => ({
      success: true as const,
      ...(await listActs(keys, toProof(body), parseActId(body.before))),
    }),
  })
}

function toProof({ walletAddress, signature, message }: { [name in keyof Proof]?: unknown }): Proof {
  return { walletAddress, signature, message }
}

async function listActs(keys: Keys, proof: Proof, before: string | undefined) {
  const { acts, more } = await keys.listActs(proof, before)
  const shown = acts.map(
    ({ id, atSeconds, wallet, act, keyId, from, to }): WireAdminAct => ({
      id,
      at: toMoment(atSeconds),
      wallet: getAddress(wallet),
      act,
      keyId: keyId ?? null,
      from,
      to,
    }),
  )
  return { acts: shown, next: more ? (shown.at(-1)?.id ?? null) : null }
}

function parseActId(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value === 'string' && /^[0-9a-z]{1,40}$/.test(value)) return value
  throw new Failure('request-invalid', 'before: expected the id of an act')
}

function toWireKey(key: ListedKey): WireApiKey {
  const { id, email, status, tier, requestsPerDay, usedToday, note, wallet, txHash, payment } = key
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
