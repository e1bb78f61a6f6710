import { type Devnet, startDevnet } from '@chainboard/devnet'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FakeChain } from '../chain/fakeChain.ts'
import { readConfig } from '../config.ts'
import type { NetworkFile } from '../networkFileSchema.ts'
import { type Server, startServer } from '../startServer.ts'
import { networkFile } from '../testing/market.ts'
import { type StrangeNode, startStrangeNode } from '../testing/strangeNode.ts'
import { createTempStores } from '../testing/tempStores.ts'
import { testConfig } from '../testing/testConfig.ts'

const stores = createTempStores()
/** JUMPDEST PUSH1 0 JUMP: runs until its gas is gone. */
const looping = '0x5b600056'
const deadbeef = '0x00000000000000000000000000000000deadbeef'
const mega = 1024 * 1024

type Answer = { id: unknown; result?: unknown; error?: { code: number; message: string } }

// What strangers can do to the node and to the site's own reads of it, on a real node that counts the requests it gets.
describe('POST /rpc before a real node', () => {
  const { network: ours, tokenList } = readConfig({ NETWORK: 'devnet' })
  const network = { ...ours, chain: { ...ours.chain, pollMs: 50 } }
  let devnet: Devnet
  let node: StrangeNode
  let server: Server
  /** How many calls each request to the node held, for requests with one of the method's calls. */
  const togetherWith = new Map<string, number[]>()
  beforeAll(async () => {
    devnet = await startDevnet({ history: 'short' })
    node = await startStrangeNode(devnet.rpcUrl, {
      onRequest: (calls) => {
        for (const { method } of calls) togetherWith.set(method, [...(togetherWith.get(method) ?? []), calls.length])
      },
      change: ({ method }, result) => (method === 'eth_getCode' ? `0x${'ab'.repeat(3 * mega)}` : result),
    })
    const store = await stores.locate('sqlite')
    server = await startServer(testConfig({ network, tokenList, store, rpcUrls: [node.url] }))
    await server.full
  })
  afterAll(async () => {
    await server.close()
    await node.close()
    await devnet.stop()
  })

  const post = (payload: object, client = '192.0.2.1') =>
    server.app.inject({ method: 'POST', url: '/rpc', payload, remoteAddress: client })
  const call = async (method: string, params: unknown, client?: string) =>
    (await post({ jsonrpc: '2.0', id: 1, method, params }, client)).json<Answer>()
  const blockNow = async () => Number(await devnet.rpc('eth_blockNumber'))
  const deployLoop = async (): Promise<`0x${string}`> => {
    await devnet.rpc('anvil_setCode', [deadbeef, looping])
    return deadbeef
  }
  const timed = async <T>(work: () => Promise<T>) => {
    const startMs = performance.now()
    return { value: await work(), ms: performance.now() - startMs }
  }
  /** Blocks come while `work` runs or right after it: the node is not busy with it. */
  const expectBlocksAfter = async (work: () => Promise<unknown>) => {
    const before = await blockNow()
    await work()
    await expect.poll(blockNow, { timeout: 10_000 }).toBeGreaterThan(before)
  }

  it.each(['eth_call', 'eth_estimateGas'])(
    'refuses looping code by override in %s, and blocks come as before',
    async (method) => {
      await expectBlocksAfter(async () => {
        const overrides = { [deadbeef]: { code: looping } }
        const { value, ms } = await timed(() => call(method, [{ to: deadbeef, gas: '0x7fffffffffffffff' }, 'latest', overrides]))
        const message = `${method}: found 3 params, expected the transaction and the block: state overrides are not allowed`
        expect(value.error).toEqual({ code: -32_602, message })
        expect(ms).toBeLessThan(1_000)
      })
    },
  )

  it.each([
    [{ gas: '0x7fffffffffffffff' }],
    [{}],
    [{ gas: '0x0' }],
    [{ Gas: '0x7fffffffffffffff', gas: '0x1c9c380' }],
    [{ gasLimit: '0x7fffffffffffffff' }],
  ])('ends a looping contract that is called with %o by the gas, and blocks come meanwhile', async (gas) => {
    const to = await deployLoop()
    await expectBlocksAfter(async () => {
      const { value, ms } = await timed(() => call('eth_call', [{ to, ...gas }, 'latest']))
      expect(value.error?.message).toMatch(/out ?of ?gas/i)
      expect(ms).toBeLessThan(2_000)
    })
  })

  it('ends twenty of them in a batch, and blocks come meanwhile', async () => {
    const to = await deployLoop()
    await expectBlocksAfter(async () => {
      const loop = { jsonrpc: '2.0', id: 1, method: 'eth_call', params: [{ to }, 'latest'] }
      const answers = (await post(Array.from({ length: 20 }, () => loop))).json<Answer[]>()
      expect(answers.map(({ error }) => error?.message)).toEqual(Array(20).fill('EVM error OutOfGas'))
    })
  })

  it('lets no transaction of a demo wallet burn the chain’s time', async () => {
    const to = await deployLoop()
    const account = privateKeyToAccount(network.demoWallets?.[0]?.privateKey as `0x${string}`)
    const nonce = Number(await devnet.rpc('eth_getTransactionCount', [account.address, 'latest']))
    const { baseFeePerGas } = await devnet.rpc<{ baseFeePerGas: string }>('eth_getBlockByNumber', ['latest', false])
    const maxFeePerGas = BigInt(baseFeePerGas) * 2n
    // As much as the wallet can pay.
    const gas = BigInt(await devnet.rpc<string>('eth_getBalance', [account.address, 'latest'])) / maxFeePerGas
    const raw = await account.signTransaction({ type: 'eip1559', chainId: 31_337, to, nonce, gas, maxFeePerGas })
    await expectBlocksAfter(async () => {
      expect((await call('eth_sendRawTransaction', [raw])).error?.message).toContain('intrinsic gas too high')
    })
  })

  it('answers an honest call, and what a contract says when it refuses', async () => {
    const { address } = devnet.tokens[0] as Devnet['tokens'][number]
    expect((await call('eth_call', [{ to: address, data: '0x313ce567' }, 'latest'])).result).toMatch(/^0x0+(6|12)$/)
    const from = devnet.accounts[0]?.address
    expect((await call('eth_estimateGas', [{ from, to: from, value: '0x1' }])).result).toBe('0x5208')
    expect((await call('eth_call', [{ to: devnet.contracts.boost, data: '0xdeadbeef' }, 'latest'])).error).toMatchObject({
      code: 3,
      message: 'execution reverted',
    })
  })

  it('asks the node for strangers in requests of their own', async () => {
    await Promise.all(Array.from({ length: 8 }, (_, i) => call('eth_feeHistory', [`0x${i + 1}`, 'latest', []])))
    expect(togetherWith.get('eth_feeHistory')).toEqual(Array(8).fill(1))
  })

  it('answers with no more than 1 MB, which is no range too wide, and the site reads on', async () => {
    expect((await call('eth_getCode', [deadbeef, 'latest'])).error).toEqual({
      code: -32_005,
      message: 'The response is over 1048576 bytes',
    })
    const indexed = async () => (await server.app.inject('/api/status')).json<{ block: number }>().block
    const before = await indexed()
    await expect.poll(indexed, { timeout: 10_000 }).toBeGreaterThan(before)
  })

  it('counts each call of a batch', async () => {
    const batch = (calls: number) =>
      post(
        Array.from({ length: calls }, (_, id) => ({ jsonrpc: '2.0', id, method: 'anvil_mine' })),
        '192.0.2.77',
      )
    for (let i = 0; i < 59; i += 1) expect((await batch(20)).statusCode).toBe(200)
    const last = await batch(15)
    expect([last.statusCode, last.headers['ratelimit-policy']]).toEqual([200, '"gateway-address";q=1200;w=60'])
    expect(last.headers['ratelimit']).toMatch(/^"gateway-address";r=5;t=(60|5\d)$/)
    const over = await batch(6)
    expect(over.statusCode).toBe(429)
    expect(over.headers['retry-after']).toMatch(/^(60|5\d)$/)
    expect(over.json()).toEqual({ error: expect.stringMatching(/^Too many calls. Try again in (60|5\d) s$/) })
    expect((await post({ jsonrpc: '2.0', id: 1, method: 'eth_chainId' }, '192.0.2.78')).statusCode).toBe(200)
  })
})

describe('whose pages may call POST /rpc', () => {
  const chainId = { jsonrpc: '2.0', id: 1, method: 'eth_chainId' }
  const start = async (changes: Partial<NetworkFile>, publicOrigin?: string) => {
    const site = publicOrigin === undefined ? {} : { publicOrigin, origin: publicOrigin, domain: new URL(publicOrigin).host }
    const config = testConfig({ network: { ...networkFile, ...changes }, store: await stores.locate('sqlite'), ...site })
    return startServer(config, new FakeChain())
  }
  const withPublicNode = { chain: { ...networkFile.chain, publicRpcUrl: 'https://node.example' } }

  it.each([
    ['"off"', { ...withPublicNode, rpc: 'off' as const }],
    ['nothing, and the browser has a node of its own', withPublicNode],
  ])('nobody’s with %s', async (_, changes) => {
    const server = await start(changes)
    try {
      const { statusCode, body } = await server.app.inject({ method: 'POST', url: '/rpc', payload: chainId })
      expect([statusCode, body]).toEqual([404, '{"error":"No route for POST /rpc"}'])
      const site = (await server.app.inject('/api/config')).json<{ chain: { rpcUrl: string } }>()
      expect(site.chain.rpcUrl).toBe('https://node.example')
    } finally {
      await server.close()
    }
  })

  it.each([
    ['a program', {}, 200],
    ['the site', { origin: 'https://board.example', 'sec-fetch-site': 'same-origin' }, 200],
    ['a wallet', { origin: 'chrome-extension://nkbihfbeogaeaoehlefnkodbefgpgknn', 'sec-fetch-site': 'none' }, 200],
    ['another site', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }, 403],
    ['a page that hides where it is from', { origin: 'null' }, 403],
  ])('with "site" a call of %s: %#', async (_, headers, status) => {
    const server = await start({}, 'https://board.example')
    try {
      const answer = await server.app.inject({ method: 'POST', url: '/rpc', payload: chainId, headers })
      expect([answer.statusCode, answer.headers['access-control-allow-origin']]).toEqual([status, undefined])
    } finally {
      await server.close()
    }
  })

  it('every one’s with "open", which browsers are told before and with the answer, also with one that says no', async () => {
    const server = await start({ rpc: 'open' })
    try {
      const headers = { origin: 'https://elsewhere.example', 'sec-fetch-site': 'cross-site' }
      const before = await server.app.inject({ method: 'OPTIONS', url: '/rpc', headers })
      expect([before.statusCode, before.headers['access-control-allow-origin']]).toEqual([204, '*'])
      const answer = await server.app.inject({ method: 'POST', url: '/rpc', payload: chainId, headers })
      expect([answer.statusCode, answer.headers['access-control-allow-origin']]).toEqual([200, '*'])
      const refused = await server.app.inject({ method: 'POST', url: '/rpc', payload: {}, headers })
      expect([refused.statusCode, refused.headers['access-control-allow-origin']]).toEqual([400, '*'])
    } finally {
      await server.close()
    }
  })
})
