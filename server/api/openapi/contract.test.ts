import type { WireRecoveryCodes, WireSecurity } from '@chainboard/contract'
import { type Address, Failure } from '@chainboard/core'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { FakeChain } from '../../chain/fakeChain.ts'
import { toTokenList } from '../../market/tokenList.ts'
import { type Server, startServer } from '../../startServer.ts'
import { type AccountClient, createAccountClient } from '../../testing/accountClient.ts'
import { cmcKey } from '../../testing/cmcWorld.ts'
import { type Contract, createContract } from '../../testing/contract.ts'
import { createFailingApi, enterClosed } from '../../testing/failingApi.ts'
import { answerBoosts, boostContract, payBoost } from '../../testing/fakeBoosts.ts'
import { createFakeKeyGate } from '../../testing/fakeKeyGate.ts'
import { alpha, alphaPool, listed, networkFile, openMarket, sqrtPrices, swap } from '../../testing/market.ts'
import { type PriceApiWorld, servePriceApi } from '../../testing/priceApi.ts'
import { demoUser, operator, signProof, stranger, withRole } from '../../testing/signProof.ts'
import { createSoftPasskey, type SoftPasskey } from '../../testing/softPasskey.ts'
import { startStandInCmc } from '../../testing/standInCmc.ts'
import { createTempStores } from '../../testing/tempStores.ts'
import { testConfig } from '../../testing/testConfig.ts'

const stores = createTempStores()
const wallet: Address = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'
const adminWallets = withRole('owner', operator, demoUser)
const unknown = `0x${'99'.repeat(20)}`
const stakingContract: Address = `0x${'5a'.repeat(20)}`
/** ALPHA has a page at CoinMarketCap, and is staked. */
const tokenList = toTokenList(
  listed.map((token) =>
    token.address === alpha ? { ...token, stakingContract, cmcUrl: 'https://coinmarketcap.com/currencies/alpha/' } : token,
  ),
  [],
)
/** A session that nobody has. */
const signedIn = { cookie: `__Host-session=${'a'.repeat(43)}` }

type Method = 'GET' | 'POST' | 'DELETE'
type Call = readonly [method: Method, path: string, status: number, body?: unknown, headers?: Record<string, string>]

/** Sends a call, holds the answer against the contract, and its status against the expected one. */
async function run(app: FastifyInstance, contract: Contract, [method, url, status, body, headers = {}]: Call): Promise<void> {
  const payload = body === undefined ? {} : { payload: body as object }
  const answer = await app.inject({ method, url, headers, ...payload })
  const type = answer.headers['content-type']?.toString()
  const exchange = { method, path: url, status: answer.statusCode, type, body: answer.body, sent: body, headers: answer.headers }
  expect([method, url, answer.statusCode, contract.judge(exchange)]).toEqual([method, url, status, undefined])
}

describe('the description of the API', () => {
  let server: Server
  let contract: Contract
  let nodeIsDown = false
  beforeAll(async () => {
    const chain = new FakeChain()
    const answer = (text: string) => () => {
      if (nodeIsDown) throw new Failure('rpc-unavailable', 'The node is not responding', { retryable: true })
      return text
    }
    openMarket(chain)
    chain.mine([swap(alphaPool, sqrtPrices.alphaAt6, -8n * 10n ** 8n, 2n * 10n ** 16n)])
    chain.methods.set('eth_getBalance', answer('0x1'))
    chain.methods.set('eth_call', answer(`0x${'0'.repeat(63)}7`))
    chain.methods.set('eth_blockNumber', answer('0x1'))
    const expiresAt = Math.floor(Date.now() / 1000) + 86_400
    chain.mine(payBoost({ token: alpha, expiresAt }))
    answerBoosts(chain, () => new Map([[alpha, expiresAt]]))
    const network = { ...networkFile, panelEdits: true, boost: { address: boostContract, startBlock: 0 } }
    const config = testConfig({ network, tokenList, store: await stores.locate('sqlite'), adminWallets, twoOwnersDelete: true })
    server = await startServer(config, chain)
    await server.full
    await vi.waitUntil(async () => (await server.app.inject('/assets.json?boosted=true')).json().length === 1, {
      timeout: 20_000,
    })
    contract = createContract((await server.app.inject('/api/openapi.json')).json())
  })
  afterAll(() => server.close())

  it('is OpenAPI 3.1 of every route but pages and files', async () => {
    const document = (await server.app.inject('/api/openapi.json')).json()
    expect(document.openapi).toBe('3.1.0')
    expect(document.info.title).toBe('Testboard API')
    const routes = server.app.printRoutes({ commonPrefix: false, includeHooks: false })
    const described = Object.keys(document.paths)
    expect(described).toContain('/api/v1/prices/{address}')
    // Each line of the tree is a piece of a path with its methods: every path below /api must be found again.
    const paths = readTree(routes).filter((path) => /^\/(api|cmc|rpc|subgraph|healthz|readyz|metrics)\b/.test(path))
    expect(
      paths.filter((path) => !/^\/api\/v1(\/\*?)?$/.test(path) && !described.includes(path.replaceAll(/:(\w+)/g, '{$1}'))),
    ).toEqual([])
    expect(paths.length).toBeGreaterThan(30)
    const ids = Object.values(document.paths).flatMap((each) =>
      Object.values(each as object).map(({ operationId }) => operationId as string),
    )
    expect(ids.filter((id, place) => ids.indexOf(id) !== place)).toEqual([])
  })

  it('is kept by the site’s own routes, answered and refused', async () => {
    const token = `/api/tokens/${alpha}`
    const staking = `/api/staking/${unknown}/${wallet}`
    const query = { query: '{ bundles { id } }' }
    const rpc = { jsonrpc: '2.0', id: 1, method: 'eth_blockNumber' }
    const calls: readonly Call[] = [
      ['GET', '/assets.json', 200],
      ['GET', '/assets.json?sort=none', 400],
      ['GET', '/assets.json?boosted=true', 200],
      ['GET', '/assets.json?boosted=no', 400],
      ['GET', `/api/boosts?token=${alpha}&page=1&pageSize=10`, 200],
      ['GET', '/api/boosts?token=rubbish', 400],
      ['GET', '/highlighted.json', 200],
      ['GET', '/highlighted.json?a=1', 400],
      ['GET', '/api/trending', 200],
      ['GET', '/api/trending?a=1', 400],
      ['GET', '/assets.json?move=gainers&liquidityMin=1&newDays=7&verified=1&warned=0&category=Test&sort=change1hAsc', 200],
      ['GET', '/api/tokens/categories', 200],
      ['GET', '/api/tokens/categories?a=1', 400],
      ['GET', `/api/tokens/sparklines?addresses=${alpha}`, 200],
      ['GET', '/api/tokens/sparklines', 400],
      ['GET', `${token}/chart?range=1m&candles=1`, 200],
      ['GET', `${token}/chart?range=2y`, 400],
      ['GET', `${token}/swaps`, 200],
      ['GET', `/api/tokens/${unknown}/swaps`, 404],
      ['GET', `${token}/windows`, 200],
      ['GET', `/api/tokens/${unknown}/windows`, 404],
      ['GET', `/api/swaps?token=${alpha}&side=sell&minUsd=0.01&limit=5`, 200],
      ['GET', `/api/swaps?pool=${alphaPool}&before=1-1-1`, 200],
      ['GET', '/api/swaps?side=buy', 400],
      ['GET', '/api/swaps?before=1', 400],
      ['GET', '/api/swaps?minUsd=-1', 400],
      ['GET', '/api/swaps?limit=101', 400],
      ['GET', `/api/swaps.csv?wallet=${wallet}`, 200],
      ['GET', '/api/swaps.csv?limit=1', 400],
      ['GET', `/api/pools?token=${alpha}&sort=volume&search=a`, 200],
      ['GET', '/api/pools?pageSize=51', 400],
      ['GET', `/api/pools/${alphaPool}`, 200],
      ['GET', `/api/pools/${unknown}`, 404],
      ['GET', `${token}/receipt`, 200],
      ['GET', `${token}/receipt?block=1`, 200],
      ['GET', `${token}/receipt?block=999999`, 404],
      ['GET', `${token}/receipt/volume24h`, 200],
      ['GET', `${token}/receipt/candle`, 200],
      ['GET', `${token}/receipt/volume25h`, 400],
      ['GET', `/api/wallets/${wallet}/balance`, 200],
      ['GET', '/api/wallets/rubbish/balance', 400],
      ['GET', `/api/staking/${stakingContract}/${wallet}`, 200],
      ['GET', staking, 404],
      ['GET', '/api/config', 200],
      ['GET', '/api/config?a=1', 400],
      ['GET', '/api/status', 200],
      ['GET', '/api/status?a=1', 400],
      ['GET', '/api/openapi.json', 200],
      ['GET', '/healthz', 200],
      ['GET', '/healthz?a=1', 400],
      ['GET', '/readyz', 200],
      ['GET', '/readyz?a=1', 400],
      ['GET', '/metrics', 200],
      ['GET', '/metrics?a=1', 400],
      ['GET', '/api/openapi.json?a=1', 400],
      ['GET', '/cmc/listed/bitcoin', 401],
      ['GET', `/cmc/dex/${alphaPool}/test`, 200],
      ['GET', `/cmc/dex/${alphaPool}/test?a=1`, 400],
      ['POST', '/subgraph', 200, query],
      ['POST', '/subgraph', 413, { query: 'x'.repeat(70_000) }],
      ['POST', '/rpc', 200, rpc],
      ['POST', '/rpc', 400, {}],
      ['POST', '/rpc', 413, { ...rpc, params: ['x'.repeat(70_000)] }],
      ['POST', '/rpc', 415, '<a/>', { 'content-type': 'application/xml' }],
      ['GET', '/api/stats/users', 200],
      ['GET', '/api/stats/users?a=1', 400],
      ['GET', '/api/stats/dashboard', 200],
      ['GET', '/api/stats/dashboard?a=1', 400],
    ]
    for (const call of calls) await run(server.app, contract, call)
    nodeIsDown = true
    await run(server.app, contract, ['GET', `/api/wallets/${unknown}/balance`, 502])
    await run(server.app, contract, ['GET', `/api/staking/${stakingContract}/${unknown}`, 502])
    nodeIsDown = false
  })

  it('is kept by the routes of accounts', async () => {
    const browser = createAccountClient(server.app)
    const own = { username: 'ada', pin: '4711' }
    const calls: readonly [Method, string, number, object?][] = [
      ['POST', '/api/users', 201, own],
      ['POST', '/api/users', 409, own],
      ['POST', '/api/users/ada/verify-pin', 200, { pin: '4711' }],
      ['POST', '/api/users/ada/verify-pin', 401, { pin: '4712' }],
      ['GET', '/api/users/ada', 200],
      ['GET', '/api/users/bob', 403],
      ['POST', '/api/users/ada/wallets', 200, { address: wallet, pin: '4711' }],
      ['POST', '/api/users/ada/wallets', 400, { address: 'rubbish', pin: '4711' }],
      ['DELETE', `/api/users/ada/wallets/${wallet}`, 200, { pin: '4711' }],
      ['DELETE', `/api/users/ada/wallets/${wallet}`, 400, {}],
      ['POST', '/api/favorites/ada', 200, { tokenAddress: alpha }],
      ['POST', '/api/favorites/ada', 404, { tokenAddress: unknown }],
      ['GET', '/api/favorites/ada', 200],
      ['GET', '/api/favorites/bob', 403],
      ['DELETE', `/api/favorites/ada/${alpha}`, 200],
      ['DELETE', '/api/favorites/ada/rubbish', 400],
      ['POST', '/api/users/ada/sign-in-code', 201, { pin: '4711' }],
      ['POST', '/api/users/ada/sign-in-code', 400, {}],
      ['GET', '/api/users/ada/security', 200],
      ['POST', '/api/users/ada/pin', 204, { pin: '4711', newPin: '9024' }],
      ['POST', '/api/users/ada/pin', 401, { pin: '4711', newPin: '9024' }],
      ['POST', '/api/users/ada/pin', 400, { pin: '9024', newPin: '1234' }],
      ['POST', '/api/users/ada/pin', 204, { pin: '9024', newPin: '4711' }],
      ['POST', '/api/users/ada/recovery-codes', 201, { pin: '4711' }],
      ['POST', '/api/users/ada/recover', 401, { code: '7KQ2-XW4P-R9HM', newPin: '9024' }],
      ['POST', '/api/users/ada/recover', 400, { newPin: '9024' }],
      ['DELETE', '/api/users/ada/devices/x', 404],
      ['DELETE', '/api/users/ada/devices', 204],
      ['DELETE', '/api/users/ada/notices/x', 404],
      ['POST', '/api/session/logout?a=1', 400],
      ['POST', '/api/session/logout', 204],
      ['DELETE', '/api/users/ada', 401, { pin: '4711' }],
      ['POST', '/api/users/ada/verify-pin', 200, { pin: '4711' }],
      ['DELETE', '/api/users/ada', 204, { pin: '4711' }],
    ]
    for (const [method, url, status, body] of calls) {
      const sent = body ?? (method === 'GET' ? undefined : {})
      const answer = await browser.call(method, url, url.includes('logout') || method === 'GET' ? undefined : sent)
      const text = answer.body === undefined ? '' : JSON.stringify(answer.body)
      const type = answer.headers['content-type']?.toString()
      const wrong = contract.judge({ method, path: url, status: answer.status, type, body: text, sent: body })
      expect([method, url, answer.status, wrong]).toEqual([method, url, status, undefined])
    }
  })

  it('is kept by devices, notices and recovery codes', async () => {
    const [laptop, phone] = [createAccountClient(server.app), createAccountClient(server.app)]
    const call = async (client: AccountClient, method: Method, path: string, status: number, sent?: object) => {
      const answer = await client.call(method, path, sent ?? (method === 'GET' ? undefined : {}))
      const text = answer.body === undefined ? '' : JSON.stringify(answer.body)
      const type = answer.headers['content-type']?.toString()
      const wrong = contract.judge({ method, path, status: answer.status, type, body: text, sent })
      expect([method, path, answer.status, wrong]).toEqual([method, path, status, undefined])
      return answer.body
    }
    const pin = '4711'
    await call(laptop, 'POST', '/api/users', 201, { username: 'cora', pin })
    await call(phone, 'POST', '/api/users/cora/verify-pin', 200, { pin })
    const { devices, notices } = (await call(laptop, 'GET', '/api/users/cora/security', 200)) as WireSecurity
    await call(laptop, 'DELETE', `/api/users/cora/notices/${notices[0]?.id}`, 204)
    await call(laptop, 'DELETE', `/api/users/cora/devices/${devices.find(({ isCurrent }) => !isCurrent)?.id}`, 204)
    await call(phone, 'GET', '/api/users/cora/security', 401)
    await call(phone, 'POST', '/api/users/cora/recovery-codes', 401)
    await call(phone, 'DELETE', '/api/users/cora/devices', 401)
    const { codes } = (await call(laptop, 'POST', '/api/users/cora/recovery-codes', 201, { pin })) as WireRecoveryCodes
    await call(phone, 'POST', '/api/users/cora/recover', 200, { code: codes[0], newPin: '9024' })
    await call(phone, 'DELETE', '/api/users/cora', 204, { pin: '9024' })
  })

  it('is kept by passkeys and wallets that sign in', async () => {
    const browser = createAccountClient(server.app)
    const call = async (method: Method, path: string, status: number, sent?: object): Promise<Answered> => {
      const answer = await browser.call(method, path, sent)
      const type = answer.headers['content-type']?.toString()
      const wrong = contract.judge({
        method,
        path,
        status: answer.status,
        type,
        body: answer.body === undefined ? '' : JSON.stringify(answer.body),
        sent,
      })
      expect([method, path, answer.status, wrong]).toEqual([method, path, status, undefined])
      return answer.body as Answered
    }
    const passkey = createSoftPasskey('https://board.example')
    const signed = async ({ message }: { message: string }) => ({ message, signature: await demoUser.signMessage({ message }) })
    const walletAddress = demoUser.address
    const proof = { pin: '4711' }
    await call('POST', '/api/users', 201, { username: 'ada', pin: '4711' })
    const made = await call('POST', `${user}/passkeys/challenge`, 200, { proof })
    await call('POST', `${user}/passkeys`, 201, { response: passkey.create(made.options), name: 'Phone' })
    const asked = await call('POST', '/api/sign-in/passkey/challenge', 200, {})
    await call('POST', '/api/sign-in/passkey', 200, { response: passkey.get(asked.options) })
    const link = await call('POST', `${user}/sign-in-wallets/challenge`, 200, { walletAddress, proof })
    await call('POST', `${user}/sign-in-wallets`, 201, await signed(link))
    const signIn = await call('POST', '/api/sign-in/wallet/challenge', 200, { walletAddress })
    await call('POST', '/api/sign-in/wallet', 200, await signed(signIn))
    const confirm = await call('POST', `${user}/confirm/passkey`, 200, { purpose: 'confirm-pin' })
    await call('POST', `${user}/reset-pin`, 200, { pin: '4711', proof: { passkey: passkey.get(confirm.options) } })
    await call('POST', `${user}/confirm/wallet`, 200, { purpose: 'confirm-removal', walletAddress })
    const { passkeys } = await call('GET', `${user}/sign-in-methods`, 200)
    await call('DELETE', `${user}/passkeys/${passkeys[0]?.id}`, 200, { proof })
    await call('DELETE', `${user}/sign-in-wallets/${walletAddress}`, 200, { proof })
    await call('DELETE', user, 204, proof)
    browser.cookies.clear()
    await call('GET', `${user}/sign-in-methods`, 401)
    for (const [method, path, sent] of otherWays)
      await call(
        method,
        path,
        path.startsWith('/api/sign-in') ? 400 : 401,
        path.endsWith('passkey/challenge') ? { more: 1 } : sent,
      )
  })

  it('is kept by keys and the panel', async () => {
    const login = await signProof(operator, { purpose: 'Admin Login' })
    const post = async (path: string, status: number, body: object) => {
      await run(server.app, contract, ['POST', path, status, body])
    }
    await post('/api/keys/generate-free', 201, await signProof(demoUser))
    await post('/api/keys/generate-free', 400, {})
    await post('/api/admin/verify', 200, login)
    await post('/api/admin/verify', 403, await signProof(stranger, { purpose: 'Admin Login' }))
    await post('/api/admin/keys', 201, { ...login, email: 'dev@example.org', tier: 'forever', requestsPerDay: 5 })
    await post('/api/admin/keys', 400, { ...login, email: 'rubbish' })
    await post('/api/admin/stats', 200, login)
    await post('/api/admin/keys/list', 200, login)
    const { keys } = (await server.app.inject({ method: 'POST', url: '/api/admin/keys/list', payload: login })).json()
    const key = `/api/admin/keys/${keys[0].fullId}`
    await post(`${key}/update`, 200, { ...login, status: 'paused' })
    await post(`${key}/update`, 400, { ...login, status: 'none' })
    const second = await signProof(demoUser, { purpose: 'Admin Login' })
    await post(`${key}/delete`, 202, login)
    await post(`${key}/keep`, 200, login)
    await post(`${key}/keep`, 404, login)
    await post(`${key}/delete`, 202, login)
    await post(`${key}/delete`, 200, second)
    await post(`${key}/delete`, 404, login)
    await post('/api/admin/session', 201, await signProof(operator, { purpose: 'Admin Session' }))
    await post('/api/admin/session', 401, login)
    const { sessions } = (await server.app.inject({ method: 'POST', url: '/api/admin/sessions', payload: login })).json()
    await post('/api/admin/sessions', 200, login)
    await post('/api/admin/state', 200, login)
    await post('/api/admin/state', 400, {})
    await post('/api/admin/list/reload', 200, login)
    await post('/api/admin/featured', 200, login)
    await post('/api/admin/featured', 400, {})
    await post('/api/admin/featured/edit', 200, { ...login, tokens: [alpha] })
    await post('/api/admin/featured/edit', 400, { ...login, tokens: [unknown] })
    await post('/api/admin/featured/edit', 200, { ...login, tokens: null })
    await post('/api/admin/list/reload', 400, {})
    await post('/api/admin/sessions', 400, {})
    await post(`/api/admin/sessions/${sessions[0].id}/end`, 200, login)
    await post(`/api/admin/sessions/${sessions[0].id}/end`, 404, login)
    await post('/api/admin/acts', 200, login)
    await post('/api/admin/acts', 400, { ...login, before: 'RUBBISH' })
    await post('/api/admin/logout', 200, login)
    for (const path of ['stats', 'keys/list', 'logout']) await post(`/api/admin/${path}`, 401, login)
  })

  it('says what a form must have, and what may be left out', async () => {
    const { paths } = (await server.app.inject('/api/openapi.json')).json()
    const requiredOf = (path: string) => {
      const { required, content } = paths[path].post.requestBody
      return [required, content['application/json'].schema.required]
    }
    const proof = ['walletAddress', 'signature', 'message']
    expect(requiredOf('/api/keys/generate-free')).toEqual([true, proof])
    // A session stands in for the proof.
    expect(requiredOf('/api/admin/keys')).toEqual([true, ['email']])
    expect(requiredOf('/api/admin/keys/{id}/update')).toEqual([true, undefined])
    expect(requiredOf('/api/users')).toEqual([true, ['username', 'pin']])
  })

  it('is kept by every status of the price API', async () => {
    const gate = createFakeKeyGate({ good: { limit: 1_000 }, spent: { limit: 0 }, paused: { limit: 1, refusal: 'KEY_INACTIVE' } })
    const api = await servePriceApi(gate)
    await drivePriceApi(api, gate, contract)
    await api.app.close()
  })

  it('is kept towards clients that ask too often', async () => {
    const form = { query: '{ bundles { id } }' }
    for (const [url, limit, payload] of [
      ['/api/keys/generate-free', 30, {}],
      ['/subgraph', 300, form],
    ] as const) {
      for (let calls = 0; calls < limit; calls += 1) await server.app.inject({ method: 'POST', url, payload })
      await run(server.app, contract, ['POST', url, 429, payload])
    }
  })

  it('is kept while the node does not answer, with what CoinMarketCap says', async () => {
    const cmc = await startStandInCmc({ apiKey: cmcKey })
    onTestFinished(cmc.close)
    const quote = { USD: { price: 7.5, last_updated: new Date().toISOString() } }
    cmc.coins.push({ id: 11, slug: 'alpha', symbol: 'ALPHA', quote })
    const prices = { sources: ['cmcListed' as const, 'index' as const], depthFloorUsd: 50 }
    const network = { ...networkFile, prices, cmc: { network: 'test', baseUrl: cmc.url, creditsPerMonth: 1_000_000 } }
    const { rpcUrls } = networkFile.chain
    const config = { network, tokenList, store: await stores.locate('sqlite'), sourceEnv: { CMC_API_KEY: cmcKey }, rpcUrls }
    const nodeless = await startServer(testConfig(config))
    onTestFinished(nodeless.close)
    await vi.waitUntil(async () => (await nodeless.app.inject('/cmc/listed/alpha')).statusCode === 200, { timeout: 20_000 })
    await run(nodeless.app, contract, ['GET', '/cmc/listed/alpha', 200])
    await run(nodeless.app, contract, ['GET', '/readyz', 503])
  })

  it('is kept where nothing works any more', async () => {
    const api = await createFailingApi()
    for (const [method, path, body] of failingCalls) await run(api, contract, [method, path, 500, body, signedIn])
    const door = await enterClosed(api)
    onTestFinished(door.close)
    // These rest on nothing that could fail: it is the server that goes.
    for (const path of ['/api/config', '/api/openapi.json', '/healthz']) {
      const answer = await fetch(door.url + path)
      const type = answer.headers.get('content-type') ?? undefined
      const fault = contract.judge({ method: 'GET', path, status: answer.status, type, body: await answer.text() })
      expect([path, answer.status, fault]).toEqual([path, 503, undefined])
    }
  })

  it('has been held against every status of every operation', () => {
    expect(contract.promised().filter((each) => !contract.kept.has(each))).toEqual([])
  })
})

const user = '/api/users/ada'
const pin = { pin: '4711' }
/** Of the answers of passkeys and wallets, what a test goes on with. */
type Answered = {
  readonly options: Parameters<SoftPasskey['create']>[0] & Parameters<SoftPasskey['get']>[0]
  readonly message: string
  readonly passkeys: readonly { readonly id: string }[]
}
/** Operations of passkeys and of wallets that sign in, but the one that is read. */
const otherWays: readonly (readonly [method: Method, path: string, body: object])[] = [
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
const failingCalls: readonly (readonly [method: Method, path: string, body?: object])[] = [
  ['GET', '/assets.json'],
  ['GET', '/highlighted.json'],
  ['GET', '/api/trending'],
  ['GET', '/api/tokens/categories'],
  ['GET', `/api/tokens/sparklines?addresses=${alpha}`],
  ['GET', `/api/tokens/${alpha}/chart`],
  ['GET', `/api/tokens/${alpha}/swaps`],
  ['GET', `/api/tokens/${alpha}/receipt`],
  ['GET', `/api/tokens/${alpha}/receipt/volume24h`],
  ['GET', `/api/tokens/${alpha}/windows`],
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
async function drivePriceApi({ app, url }: PriceApiWorld, gate: ReturnType<typeof createFakeKeyGate>, contract: Contract) {
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

/** Paths of Fastify's tree: each line is a piece of a path, as deep as it is indented. */
function readTree(tree: string): string[] {
  const stack: string[] = []
  return tree.split('\n').flatMap((line) => {
    const [, indent = '', piece = '', methods] = /^([│├└─\s]*)(\S+)(?: \((.+)\))?/.exec(line) ?? []
    if (!piece) return []
    const depth = Math.floor(indent.length / 4)
    stack.length = depth
    stack[depth] = piece
    return methods ? [stack.join('')] : []
  })
}
