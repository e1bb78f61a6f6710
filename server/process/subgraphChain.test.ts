import type { WireChart, WireSwap, WireToken } from '@chainboard/contract'
import type { Address } from '@chainboard/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FakeChain } from '../chain/fakeChain.ts'
import { toTokenList } from '../market/tokenList.ts'
import { type Server, startServer } from '../startServer.ts'
import { alpha, alphaPool, listed, networkFile, openMarket, sqrtPrices, swap, wrapped, wrappedPool } from '../testing/market.ts'
import { createTempStores, engines } from '../testing/tempStores.ts'
import { testConfig } from '../testing/testConfig.ts'

const stores = createTempStores()
const hour = 3_600

/**
 * Two days of trades, and a block of now; the wrapped coin changes its price, too. An old price says in words how old it is, and two servers
 * that took it in different minutes say so differently.
 */
async function tellMarket(): Promise<FakeChain> {
  const chain = new FakeChain({ genesisAtSeconds: Math.floor(Date.now() / 1000) - 50 * hour })
  openMarket(chain)
  chain.mine([swap(alphaPool, sqrtPrices.alphaAt6, -8n * 10n ** 8n, 2n * 10n ** 16n)], 20 * hour)
  chain.mine([swap(wrappedPool, 25_000n * 2n ** 96n, -1_600_000_000n, 10n ** 18n)], 10 * hour)
  chain.mine([swap(alphaPool, sqrtPrices.alphaAt25, -2n * 10n ** 8n, 2n * 10n ** 16n)], 10 * hour)
  chain.mine([swap(wrappedPool, sqrtPrices.wrappedAt2500, 2_500_000_000n, -(10n ** 18n))], 5 * hour)
  chain.mine([swap(alphaPool, sqrtPrices.alphaAt25, 10n ** 8n, -(10n ** 16n))], 4.5 * hour)
  const { timestampSeconds } = await chain.readHead()
  chain.mine([], Math.floor(Date.now() / 1000) - timestampSeconds)
  return chain
}

const tokenList = toTokenList(
  listed.map((token) => ({ ...token, supply: 1_000 })),
  [],
)

// Our subgraph is one among others: a second server that indexes nothing lives on the first one's.
describe.each(engines)('a server that reads the subgraph of another one (%s)', (engine) => {
  let near: Server
  let far: Server
  beforeAll(async () => {
    const chain = await tellMarket()
    near = await startServer(testConfig({ tokenList, store: await stores.locate(engine) }), chain)
    await near.full
    const network = {
      ...networkFile,
      prices: { ...networkFile.prices, sources: ['subgraph' as const] },
      index: { pools: 'none' as const },
    }
    const config = testConfig({
      tokenList,
      network,
      store: await stores.locate(engine),
      sourceEnv: { SUBGRAPH_URL: `${near.url}/subgraph` },
    })
    far = await startServer(config, chain)
    await far.full
  })
  afterAll(async () => {
    await far.close()
    await near.close()
  })

  const both = async <T>(path: string) =>
    (await Promise.all([near, far].map(async ({ app }) => (await app.inject(path)).json()))) as [T, T]

  it('has the same tokens: prices, changes, volumes, ranks', async () => {
    const [ours, theirs] = await both<WireToken[]>('/assets.json')
    expect(ours.find(({ address }) => address === alpha)).toMatchObject({ priceInUsd: 25, priceSource: 'index' })
    // Volume: each swap at the price of its moment here, of its hour's end there; in this market they are the same.
    // A subgraph's ticks are not asked for, and neither is who sent its swaps and owns its positions.
    const unknown = { costToMove10Percent: null, organicVolume24h: null, organicCoverage: null, warnings: [] }
    // Nor are its minutes and first trades.
    const recent = { priceChange5m: null, priceChange1h: null, priceChange6h: null, firstTradeAt: null }
    // Nor does one know how far a price was trusted before: the index remembers that the last trade of these two moved their prices.
    const trustOf = (tokens: WireToken[], wanted: Address) => {
      const token = tokens.find(({ address }) => address === wanted)
      return [token?.confidence, token?.priceReasons.join()]
    }
    expect([alpha, wrapped].map((token) => trustOf(ours, token))).toEqual([
      [0.24, 'Confidence was 0.24 for half of the last day'],
      [0.1, 'Confidence was 0.10 for half of the last day'],
    ])
    expect([alpha, wrapped].map((token) => trustOf(theirs, token))).toEqual([
      [0.98, ''],
      [0.99, ''],
    ])
    const unremembered: Readonly<Record<string, number>> = { [alpha]: 0.98, [wrapped]: 0.99 }
    const forgotten = ({ address }: WireToken) => {
      const confidence = unremembered[address]
      return confidence === undefined ? {} : { confidence, priceReasons: [] }
    }
    const fromSubgraph = { priceSource: 'subgraph', priceSourceLabel: 'Pools on this chain, through a subgraph' }
    expect(theirs.map((token) => ({ ...token, organicCoverage: null }))).toEqual(
      ours.map((token) => ({ ...token, ...unknown, ...recent, ...forgotten(token), ...(token.priceSource && fromSubgraph) })),
    )
  })

  it('draws the same chart and lists the same swaps', async () => {
    const [ours, theirs] = await both<WireChart>(`/api/tokens/${alpha}/chart?range=3d`)
    expect(ours.points.length).toBeGreaterThan(40)
    expect(theirs).toEqual(ours)
    const [swaps, remote] = await both<WireSwap[]>(`/api/tokens/${alpha}/swaps`)
    expect(swaps.length).toBe(3)
    expect(remote).toEqual(swaps)
  })

  it('hands queries on', async () => {
    const body = { query: '{ pools(where: { liquidity_gt: 0 }) { id sqrtPrice } }' }
    const ask = async ({ app }: Server) => (await app.inject({ method: 'POST', url: '/subgraph', body })).json()
    expect(await ask(far)).toEqual(await ask(near))
    expect((await ask(far)).data.pools.length).toBe(4)
  })
})
