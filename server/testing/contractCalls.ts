import { type Address, Failure } from '@chainboard/core'
import type { FastifyInstance } from 'fastify'
import { expect } from 'vitest'
import type { Contract } from './contract.ts'
import type { createFakeKeyGate } from './fakeKeyGate.ts'
import { alpha, alphaPool } from './market.ts'
import type { PriceApiWorld } from './priceApi.ts'

// What the test of the API's description sends.

export const wallet: Address = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'
export const unknown = `0x${'99'.repeat(20)}`
export const stakingContract: Address = `0x${'5a'.repeat(20)}`

export type Method = 'GET' | 'POST' | 'DELETE'
export type Call = readonly [method: Method, path: string, status: number, body?: unknown, headers?: Record<string, string>]

/** Sends a call, holds the answer against the contract, and its status against the expected one. */
export async function run(
  app: FastifyInstance,
  contract: Contract,
  [method, url, status, body, headers = {}]: Call,
): Promise<void> {
  const payload = body === undefined ? {} : { payload: body as object }
  const answer = await app.inject({ method, url, headers, ...payload })
  const type = answer.headers['content-type']?.toString()
  const exchange = { method, path: url, status: answer.statusCode, type, body: answer.body, sent: body, headers: answer.headers }
  expect([method, url, answer.statusCode, contract.judge(exchange)]).toEqual([method, url, status, undefined])
}

export const user = '/api/users/ada'
const pin = { pin: '4711' }
/** Operations of passkeys and of wallets that sign in, but the one that is read. */
export const otherWays: readonly (readonly [method: Method, path: string, body: object])[] = [
  ['POST', '/api/sign-in/passkey/challenge', {}],
  ['POST', '/api/sign-in/passkey', {}],
  ['POST', '/api/sign-in/wallet/challenge', {}],
  ['POST', '/api/sign-in/wallet', {}],
  ['POST', `${user}/confirm/passkey`, { purpose: 'confirm-pin' }],
  ['POST', `${user}/confirm/wallet`, { purpose: 'confirm-pin' }],
  ['POST', `${user}/passkeys/challenge`, {}],
  ['POST', `${user}/passkeys`, {}],
  ['DELETE', `${user}/passkeys/x`, {}],
  ['POST', `${user}/sign-in-wallets/challenge`, {}],
  ['POST', `${user}/sign-in-wallets`, {}],
  ['DELETE', `${user}/sign-in-wallets/${wallet}`, {}],
  ['POST', `${user}/reset-pin`, {}],
]
/** Every operation that rests on a port, but the price API's. */
export const failingCalls: readonly (readonly [method: Method, path: string, body?: object])[] = [
  ['GET', '/assets.json'],
  ['GET', '/highlighted.json'],
  ['GET', '/api/trending'],
  ['GET', '/api/tokens/categories'],
  ['GET', `/api/tokens/sparklines?addresses=${alpha}`],
  ['GET', `/api/tokens/${alpha}/chart`],
  ['GET', `/api/tokens/${alpha}/swaps`],
  ['GET', `/token/${alpha}/share.png`],
  ['GET', `/api/tokens/${alpha}/receipt`],
  ['GET', `/api/tokens/${alpha}/receipt/volume24h`],
  ['GET', `/api/tokens/${alpha}/windows`],
  ['GET', `/api/tokens/${alpha}/candles`],
  ['GET', '/api/swaps'],
  ['GET', '/api/swaps.csv'],
  ['GET', '/api/pools'],
  ['GET', `/api/pools/${alphaPool}`],
  ['GET', '/api/boosts'],
  ['GET', `/api/wallets/${wallet}/balance`],
  ['GET', `/api/staking/${stakingContract}/${wallet}`],
  ['GET', '/api/status'],
  ['GET', '/readyz'],
  ['GET', '/metrics'],
  ['GET', '/cmc/listed/alpha'],
  ['GET', `/cmc/dex/${alphaPool}/test`],
  ['POST', '/rpc', { jsonrpc: '2.0', id: 1, method: 'eth_blockNumber' }],
  ['POST', '/subgraph', { query: '{ bundles { id } }' }],
  ['POST', '/api/users', { username: 'ada', ...pin }],
  ['POST', `${user}/verify-pin`, pin],
  ['GET', user],
  ['DELETE', user, pin],
  ['POST', `${user}/wallets`, { address: wallet, ...pin }],
  ['DELETE', `${user}/wallets/${wallet}`, pin],
  ['POST', `${user}/sign-in-code`, pin],
  ['GET', `${user}/security`],
  ['POST', `${user}/pin`, { ...pin, newPin: '9024' }],
  ['POST', `${user}/recovery-codes`, pin],
  ['POST', `${user}/recover`, { code: '7KQ2-XW4P-R9HM', newPin: '9024' }],
  ['DELETE', `${user}/devices/x`],
  ['DELETE', `${user}/devices`],
  ['DELETE', `${user}/notices/x`],
  ['GET', `${user}/sign-in-methods`],
  ...otherWays,
  ['POST', '/api/session/logout'],
  ['GET', '/api/favorites/ada'],
  ['POST', '/api/favorites/ada', { tokenAddress: alpha }],
  ['DELETE', `/api/favorites/ada/${alpha}`],
  ['GET', '/api/stats/users'],
  ['GET', '/api/stats/dashboard'],
  ...['keys/generate-free', 'admin/verify', 'admin/logout', 'admin/keys', 'admin/keys/list', 'admin/keys/x/update'].map(toPost),
  ...['admin/keys/x/delete', 'admin/keys/x/keep', 'admin/stats', 'admin/acts', 'admin/session'].map(toPost),
  ...['admin/sessions', 'admin/sessions/x/end', 'admin/state', 'admin/list/reload', 'admin/featured', 'admin/featured/edit'].map(
    toPost,
  ),
]

function toPost(path: string): [Method, string, object] {
  return ['POST', `/api/${path}`, {}]
}

/** Every status of every route of the price API. */
export async function drivePriceApi({ app, url }: PriceApiWorld, gate: ReturnType<typeof createFakeKeyGate>, contract: Contract) {
  const paths = [`/api/v1/prices/${alpha}`, '/api/v1/prices', '/api/v1/prices/symbol/ALPHA']
  const batch = { addresses: [alpha, unknown, 'rubbish'] }
  const everywhere: readonly Call[] = [
    ...paths.map((path): Call => ['GET', path, 200]),
    ['POST', '/api/v1/prices/batch', 200, batch],
  ]
  const routes: readonly Call[] = [...everywhere, ['GET', '/api/v1/stream', 200]]
  for (const call of everywhere) await run(app, contract, call)
  for (const path of paths) {
    const tag = (await app.inject(path)).headers['etag']?.toString() ?? ''
    await run(app, contract, ['GET', path, 304, undefined, { 'if-none-match': tag }])
  }
  await run(app, contract, ['GET', `/api/v1/prices/${unknown}`, 404])
  await run(app, contract, ['GET', '/api/v1/prices/symbol/NONE', 404])
  await run(app, contract, ['POST', '/api/v1/prices/batch', 413, { addresses: ['x'.repeat(70_000)] }])
  await run(app, contract, ['POST', '/api/v1/prices/batch', 415, '<a/>', { 'content-type': 'application/xml' }])
  const refusals: readonly [number, Record<string, string>, string][] = [
    [400, {}, '?fresh=1'],
    [401, { 'x-api-key': 'rubbish' }, ''],
    [403, { 'x-api-key': 'paused' }, ''],
    [429, { 'x-api-key': 'spent' }, ''],
  ]
  for (const [status, headers, more] of refusals)
    for (const [method, path, , body] of routes) await run(app, contract, [method, path + more, status, body, headers])
  for (const [status, error] of [
    [503, new Failure('busy', 'Not now')],
    [500, new Error('a bug')],
  ] as const) {
    gate.fail(error)
    for (const [method, path, , body] of routes) await run(app, contract, [method, path, status, body])
  }
  gate.fail(undefined)
  const line = new AbortController()
  const stream = await fetch(`${url}/api/v1/stream`, { signal: line.signal })
  const headers = Object.fromEntries(stream.headers)
  const type = headers['content-type']
  const exchange = { method: 'GET', path: '/api/v1/stream', status: stream.status, type, body: 'retry: 1', headers }
  expect(contract.judge(exchange)).toBeUndefined()
  line.abort()
}
