import type { Address, Hex } from '@chainboard/core'
import type { Devnet } from '@chainboard/devnet'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { indexedTopics } from '../indexer/decodeLog.ts'
import { startShortDevnet } from '../testing/startShortDevnet.ts'
import type { Chain, ChainLog, ChainRange, Header } from './chain.ts'
import { FakeChain } from './fakeChain.ts'
import { invalid } from './parseAnswer.ts'
import { createTransactionReader } from './readTransactions.ts'
import { createViemChain } from './viemChain.ts'

let devnet: Devnet
beforeAll(async () => {
  devnet = await startShortDevnet()
})
afterAll(() => devnet.stop())

/** `pool`: one of several whose logs the chain has. */
type Scene = { readonly chain: Chain; readonly token: Address; readonly decimals: number; readonly pool: Address }

function onAnvil(): Scene {
  const token = devnet.tokens.find(({ symbol }) => symbol === 'USDC') as Devnet['tokens'][number]
  const pool = devnet.pools[0]?.address.toLowerCase() as Address
  return { chain: createViemChain([devnet.rpcUrl]), token: token.address.toLowerCase() as Address, decimals: 6, pool }
}

/** As staking contracts are asked: nothing travels together. */
function onAnvilAlone(): Scene {
  return { ...onAnvil(), chain: createViemChain([devnet.rpcUrl], { together: false }) }
}

function onFake(): Scene {
  const chain = new FakeChain()
  const token = `0x${'11'.repeat(20)}` as Address
  const other = `0x${'22'.repeat(20)}` as Address
  const pool = `0x${'33'.repeat(20)}` as Address
  chain.tokens.set(token, { address: token, symbol: 'USDC', name: 'USD Coin', decimals: 6, totalSupplyRaw: 5n })
  chain.mine([
    { address: other, name: 'PoolCreated', args: { token0: token, token1: other, fee: 500, tickSpacing: 10, pool } },
    { address: pool, name: 'Initialize', args: { sqrtPriceX96: 2n ** 96n, tick: 0 } },
  ])
  for (let i = 0; i < 5; i += 1) {
    const args = { sender: other, recipient: other, amount0: 1n, amount1: -1n, sqrtPriceX96: 2n ** 96n, liquidity: 1n, tick: 0 }
    chain.mine([{ address: pool, name: 'Swap', args }])
  }
  return { chain, token, decimals: 6, pool }
}

// The fake stands for the real node in the stories of the indexer, so both must keep the same promises.
describe.each([
  ['a real node', onAnvil],
  ['a real node, each call in a request of its own', onAnvilAlone],
  ['the fake chain', onFake],
])('%s', (_name, scene) => {
  it('says its chain id, and a head that its parent links to', async () => {
    const { chain } = scene()
    expect(await chain.readChainId()).toBe(31_337)
    const head = await chain.readHead()
    const parent = await chain.readHeader(head.number - 1)
    expect(parent?.hash).toBe(head.parentHash)
    expect(parent?.number).toBe(head.number - 1)
  })

  it('has no block above its head', async () => {
    const { chain } = scene()
    const head = await chain.readHead()
    expect(await chain.readHeader(head.number + 1)).toBeUndefined()
    const beyond = chain.readRange({ from: head.number, to: head.number + 1, topics: indexedTopics, everyHeader: false })
    await expect(beyond).rejects.toMatchObject({ code: 'rpc-unavailable', retryable: true })
  })

  it('gives the edges of a range, or every header, and the logs in order with the time of their block', async () => {
    const { chain } = scene()
    const { number: to } = await chain.readHead()
    const edges = await chain.readRange({ from: 0, to, topics: indexedTopics, everyHeader: false })
    const every = await chain.readRange({ from: 0, to: Math.min(to, 30), topics: indexedTopics, everyHeader: true })
    expect(edges.headers.map(({ number }) => number)).toEqual([0, to])
    expect(every.headers.map(({ number }) => number)).toEqual(Array.from({ length: Math.min(to, 30) + 1 }, (_, i) => i))
    const places = edges.logs.map(({ blockNumber, logIndex }) => blockNumber * 100_000 + logIndex)
    expect(places.length).toBeGreaterThan(5)
    expect(places).toEqual(places.toSorted((a, b) => a - b))
    const { blockNumber, timestampSeconds, blockHash } = edges.logs.at(-1) as (typeof edges.logs)[number]
    expect(await chain.readHeader(blockNumber)).toMatchObject({ timestampSeconds, hash: blockHash })
  })

  it('gives no log of another topic', async () => {
    const { chain } = scene()
    const { number: to } = await chain.readHead()
    expect((await chain.readRange({ from: 0, to, topics: [`0x${'ab'.repeat(32)}`], everyHeader: false })).logs).toEqual([])
  })

  it('gives the logs of one contract alone when asked', async () => {
    const { chain, pool } = scene()
    const { number: to } = await chain.readHead()
    const read = async (address?: Address) =>
      (await chain.readRange({ from: 0, to, topics: indexedTopics, everyHeader: false, ...(address ? { address } : {}) })).logs
    const [all, ours] = [await read(), await read(pool)]
    expect(ours.length).toBeGreaterThan(1)
    expect(ours.length).toBeLessThan(all.length)
    expect(new Set(ours.map(({ address }) => address))).toEqual(new Set([pool]))
    expect(await read(`0x${'99'.repeat(20)}`)).toEqual([])
  })

  it.each(['up', 'down'] as const)(
    'gives history %s, as ranges that follow one another, with the logs of all of it',
    async (order) => {
      const { chain } = scene()
      const to = Math.min(6, (await chain.readHead()).number)
      const whole = await chain.readRange({ from: 0, to, topics: indexedTopics, everyHeader: false })
      const request = { from: 0, to, topics: indexedTopics, order, spanMax: 2, signal: new AbortController().signal }
      const ranges: ChainRange[] = []
      for await (const range of chain.readHistory(request)) ranges.push(range)
      const ascending = order === 'up' ? ranges : ranges.toReversed()
      expect(ascending.every(({ headers }) => headers.length <= 2)).toBe(true)
      expect(ascending.map(({ headers }) => headers[0]?.number)).toEqual(order === 'up' ? [0, 2, 4, 6] : [0, 1, 3, 5])
      for (const [i, { headers }] of ascending.entries())
        if (i > 0) expect(headers[0]?.parentHash).toBe(ascending[i - 1]?.headers.at(-1)?.hash)
      expect(ascending.flatMap(({ logs }) => logs)).toEqual(whole.logs)
    },
  )

  it('gives no history any more after the signal', async () => {
    const { chain } = scene()
    const { number: to } = await chain.readHead()
    const stop = new AbortController()
    const request = { from: 0, to, topics: indexedTopics, order: 'up' as const, spanMax: 1, signal: stop.signal }
    let given = 0
    for await (const _ of chain.readHistory(request)) {
      given += 1
      stop.abort()
    }
    expect(given).toBe(1)
  })

  it('fails with what is wrong when history ends before the block that is wanted', async () => {
    const { chain } = scene()
    const { number } = await chain.readHead()
    const request = { from: number, to: number + 50, topics: indexedTopics, order: 'up' as const, spanMax: 50 }
    const ranges = chain.readHistory({ ...request, signal: new AbortController().signal })[Symbol.asyncIterator]()
    // A node refuses the logs or has no header: which of the two it says first decides.
    const code = expect.stringMatching(/^rpc-(unavailable|refused)$/)
    await expect(ranges.next()).rejects.toMatchObject({ code, retryable: true })
  })

  it("reads a token's facts, and leaves open what no contract answers", async () => {
    const { chain, token, decimals } = scene()
    const [known, unknown] = await chain.readTokens([token, `0x${'99'.repeat(20)}`])
    expect(known).toMatchObject({ address: token, symbol: 'USDC', decimals })
    expect(unknown).toEqual({ address: `0x${'99'.repeat(20)}`, symbol: '', name: '', decimals: undefined, totalSupplyRaw: 0n })
    expect(known?.totalSupplyRaw).toBeGreaterThan(0n)
  })

  it('reads the same at a block, old or new, by its hash, and nothing of a node that does not have that block', async () => {
    const { chain, token, decimals } = scene()
    const head = await chain.readHead()
    const blocks = await Promise.all([head.number - 20, head.number].map((number) => chain.readHeader(Math.max(1, number))))
    for (const block of blocks as Header[])
      expect(await chain.readTokens([token, `0x${'99'.repeat(20)}`], block)).toEqual([
        expect.objectContaining({ address: token, symbol: 'USDC', decimals }),
        { address: `0x${'99'.repeat(20)}`, symbol: '', name: '', decimals: undefined, totalSupplyRaw: 0n },
      ])
    for (const number of [head.number, head.number + 1]) {
      const other = chain.readTokens([token], { number, hash: `0x${'ab'.repeat(32)}` })
      await expect(other).rejects.toMatchObject({ code: 'rpc-unavailable', retryable: true })
    }
  })

  it('says who sent a transaction, and nothing of one that there is not', async () => {
    const { chain, pool } = scene()
    const { logs } = await chain.readRange({
      from: 0,
      to: (await chain.readHead()).number,
      topics: indexedTopics,
      address: pool,
      everyHeader: false,
    })
    const hash = logs[0]?.txHash as Hex
    expect(await createTransactionReader(chain)([hash, `0x${'99'.repeat(32)}`])).toEqual([
      { origin: expect.stringMatching(/^0x[0-9a-f]{40}$/), gasPriceWei: expect.any(BigInt) },
      undefined,
    ])
  })

  it('fails with what the caller finds wrong in an answer', async () => {
    const { chain } = scene()
    const seen: unknown[] = []
    const check = async (answer: unknown) => {
      seen.push(answer)
      throw invalid('not this one')
    }
    await expect(chain.forward('eth_chainId', [], check)).rejects.toMatchObject({ code: 'rpc-invalid', message: 'not this one' })
    expect(seen).toEqual([expect.stringMatching(/^0x[0-9a-f]+$/)])
  })

  it('finds logs by contracts and by several topics at each place', async () => {
    const { chain, pool } = scene()
    const toBlock = `0x${(await chain.readHead()).number.toString(16)}`
    const first = (await chain.forward('eth_getLogs', [{ address: [pool], topics: [], fromBlock: '0x0', toBlock }])) as ChainLog[]
    const swap = first.find(({ topics }) => topics.length === 3) as ChainLog
    const [topic, sender, recipient] = swap.topics
    const ask = (wanted: unknown[]) =>
      chain.forward('eth_getLogs', [{ address: [pool], topics: wanted, fromBlock: '0x0', toBlock }])
    expect(await ask([topic, [sender, `0x${'0'.repeat(64)}`], [recipient]])).toContainEqual(
      expect.objectContaining({ data: swap.data }),
    )
    expect(await ask([topic, [`0x${'0'.repeat(64)}`], [recipient]])).toEqual([])
  })

  it('hands a call on, and says so when the node refuses it', async () => {
    const { chain } = scene()
    expect(await chain.forward('eth_chainId', [])).toBe('0x7a69')
    await expect(chain.forward('eth_noSuchThing', [])).rejects.toMatchObject({ code: 'rpc-refused', detail: { code: -32601 } })
  })
})

describe('a node that is not there', () => {
  it('is unavailable, and of several the next one is asked at once', async () => {
    const away = 'http://127.0.0.1:1'
    await expect(createViemChain([away]).readHead()).rejects.toMatchObject({ code: 'rpc-unavailable', retryable: true })
    expect((await createViemChain([away, devnet.rpcUrl]).readHead()).number).toBeGreaterThan(0)
  })
})
