import type { WireRecoveryCodes, WireSecurity } from '@chainboard/contract'
import { Failure } from '@chainboard/core'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { FakeChain } from '../../chain/fakeChain.ts'
import { toTokenList } from '../../market/tokenList.ts'
import { type Server, startServer } from '../../startServer.ts'
import { type AccountClient, createAccountClient } from '../../testing/accountClient.ts'
import { cmcKey } from '../../testing/cmcWorld.ts'
import { type Contract, createContract } from '../../testing/contract.ts'
import {
  type Call,
  drivePriceApi,
  failingCalls,
  type Method,
  otherWays,
  run,
  stakingContract,
  unknown,
  user,
  wallet,
} from '../../testing/contractCalls.ts'
import { createFailingApi, enterClosed } from '../../testing/failingApi.ts'
import { answerBoosts, boostContract, payBoost } from '../../testing/fakeBoosts.ts'
import { createFakeKeyGate } from '../../testing/fakeKeyGate.ts'
import { alpha, alphaPool, listed, networkFile, openMarket, sqrtPrices, swap } from '../../testing/market.ts'
import { servePriceApi } from '../../testing/priceApi.ts'
import { demoUser, operator, signProof, stranger, withRole } from '../../testing/signProof.ts'
import { createSoftPasskey, type SoftPasskey } from '../../testing/softPasskey.ts'
import { startStandInCmc } from '../../testing/standInCmc.ts'
import { createTempStores } from '../../testing/tempStores.ts'
import { testConfig } from '../../testing/testConfig.ts'

const stores = createTempStores()
const adminWallets = withRole('owner', operator, demoUser)
/** ALPHA has a page at CoinMarketCap, and is staked. */
const tokenList = toTokenList(
  listed.map((token) =>
    token.address === alpha ? { ...token, stakingContract, cmcUrl: 'https://coinmarketcap.com/currencies/alpha/' } : token,
  ),
  [],
)
/** A session that nobody has. */
const signedIn = { cookie: `__Host-session=${'a'.repeat(43)}` }

/** Of the answers of passkeys and wallets, what a test goes on with. */
type Answered = {
  readonly options: Parameters<SoftPasskey['create']>[0] & Parameters<SoftPasskey['get']>[0]
  readonly message: string
  readonly passkeys: readonly { readonly id: string }[]
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
      ...(['1m', '5m', '15m', '1h', '4h', '1d'] as const).map((i): Call => ['GET', `${token}/candles?interval=${i}`, 200]),
      ['GET', `${token}/candles?before=1700000000`, 200],
      ['GET', `${token}/candles?interval=2m`, 400],
      ['GET', `/api/tokens/${unknown}/candles`, 404],
      ['GET', `/token/${alpha}/share.png`, 200],
      ['GET', `/token/${unknown}/share.png`, 404],
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
    const picture = `/token/${alpha}/share.png`
    const tag = String((await server.app.inject(picture)).headers.etag)
    await run(server.app, contract, ['GET', picture, 304, undefined, { 'if-none-match': tag }])
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
    expect(
      contract.promised().filter((each) => !contract.kept.has(each)),
      'No test causes these. Add a call with a status of each to this file; for 5XX, the call to failingCalls in server/testing/contractCalls.ts',
    ).toEqual([])
  })
})
