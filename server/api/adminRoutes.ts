import {
  actsAnswer,
  actsBody,
  doneAnswer,
  keyAnswer,
  keyEditBody,
  keyParams,
  keyStatsAnswer,
  keysAnswer,
  newKeyBody,
  problems,
  proofBody,
  query,
  type WireAdminAct,
  type WireApiKey,
  type WireKeyStats,
} from '@chainboard/contract'
import { Failure } from '@chainboard/core'
import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { getAddress } from 'viem'
import type { KeyStats, Keys, ListedKey } from '../keys/createKeys.ts'
import type { Proof } from '../keys/judgeMessage.ts'
import type { ApiDeps } from './deps.ts'
import { refuseOtherSites } from './visitors.ts'

/** A panel asks for two things every 30 seconds. What is tried beyond that is not answered. */
const callsLimit = { max: 120, timeWindow: '1 minute' }
/** US dollars a month of a key of tier basic. */
const basicPrice = 15

/** The operators' panel. Every call brings a signed login, and is refused without one. */
export function adminRoutes({
  keys,
  domain,
  publicOrigin,
}: Pick<ApiDeps, 'keys' | 'domain' | 'publicOrigin'>): FastifyPluginCallbackTypebox {
  const querystring = query({})
  const config = { rateLimit: callsLimit }
  return (app, _, done) => {
    refuseOtherSites(app, { domain, publicOrigin })

    for (const [url, act] of [
      ['/api/admin/verify', keys.logIn],
      ['/api/admin/logout', keys.logOut],
    ] as const) {
      app.post(
        url,
        { schema: { querystring, body: proofBody, response: { 200: doneAnswer, ...problems } }, config },
        async ({ body }) => {
          await act(toProof(body))
          return { success: true as const }
        },
      )
    }

    app.post(
      '/api/admin/keys/list',
      { schema: { querystring, body: proofBody, response: { 200: keysAnswer, ...problems } }, config },
      async ({ body }) => ({ success: true as const, keys: (await keys.list(toProof(body))).map((key) => toWireKey(key)) }),
    )

    app.post(
      '/api/admin/stats',
      { schema: { querystring, body: proofBody, response: { 200: keyStatsAnswer, ...problems } }, config },
      async ({ body }) => ({ success: true as const, stats: toWireStats(await keys.stats(toProof(body))) }),
    )

    app.post(
      '/api/admin/keys',
      { schema: { querystring, body: newKeyBody, response: { 201: keyAnswer, ...problems } }, config },
      async ({ body }, reply) => {
        const { walletAddress: _wallet, signature: _signature, message: _message, ...form } = body
        const { text, key } = await keys.create(toProof(body), form)
        return reply.code(201).send({ success: true, key: { ...toWireKey(key), id: text } })
      },
    )

    app.post(
      '/api/admin/keys/:id/update',
      { schema: { params: keyParams, querystring, body: keyEditBody, response: { 200: keyAnswer, ...problems } }, config },
      async ({ params, body }) => {
        const { walletAddress: _wallet, signature: _signature, message: _message, ...form } = body
        return { success: true as const, key: toWireKey(await keys.update(toProof(body), params.id, form)) }
      },
    )

    app.post(
      '/api/admin/keys/:id/delete',
      { schema: { params: keyParams, querystring, body: proofBody, response: { 200: doneAnswer, ...problems } }, config },
      async ({ params, body }) => {
        await keys.remove(toProof(body), params.id)
        return { success: true as const }
      },
    )

    app.post(
      '/api/admin/acts',
      { schema: { querystring, body: actsBody, response: { 200: actsAnswer, ...problems } }, config },
      async ({ body }) => ({ success: true as const, ...(await listActs(keys, toProof(body), parseActId(body.before))) }),
    )
    done()
  }
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
  throw new Failure('request-invalid', 'before: wanted the id of an act')
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
