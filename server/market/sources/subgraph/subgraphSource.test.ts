import { type Address, e18ToNumber } from '@chainboard/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FakeChain, type FakeEvent } from '../../../chain/fakeChain.ts'
import { type Follower, followChain } from '../../../indexer/followChain.ts'
import { toValuation } from '../../../networkFile.ts'
import { wholeIndex } from '../../../store/indexSwitch.ts'
import type { Store } from '../../../store/store.ts'
import { followingDefaults, limitDefaults } from '../../../testing/following.ts'
import {
  alpha,
  alphaPool,
  beta,
  betaPool,
  factory,
  listed,
  lone,
  networkFile,
  openMarket,
  sqrtPrices,
  swap,
  thin,
  thinPool,
  usdc,
  wrapped,
  wrappedPool,
} from '../../../testing/market.ts'
import { type Entity, type StandInSubgraph, startStandInSubgraph } from '../../../testing/standInSubgraph.ts'
import { toSubgraphEntities } from '../../../testing/subgraphEntities.ts'
import { createTempStores } from '../../../testing/tempStores.ts'
import { createIndexHistory } from '../../indexHistory.ts'
import { readChart } from '../../readChart.ts'
import { readSwaps } from '../../readSwaps.ts'
import type { DisplayPool, HopEvidence, PoolHistory, PriceSource, Quote, SourceAnswer } from '../../source.ts'
import { createSubgraphClient } from '../../subgraph/subgraphClient.ts'
import { createSubgraphHistory } from '../../subgraph/subgraphHistory.ts'
import { takeSnapshot } from '../../takeSnapshot.ts'
import { toTokenList } from '../../tokenList.ts'
import { createIndexSource } from '../index/indexSource.ts'
import { createSubgraphSource } from './subgraphSource.ts'

const stores = createTempStores()
const hour = 3_600
const day = 24 * hour
const options = { stables: [usdc], wrappedNative: wrapped, quotes: [], depthFloorUsdE18: 50n * 10n ** 18n, windowSeconds: 600 }
const list = toTokenList(listed, [])

/** The last block's time: ten past an hour. */
const nowSeconds = 1_700_000_000 - (1_700_000_000 % day) + 15 * hour + 600
const wrappedAt1600 = 25_000n * 2n ** 96n

/** What happened, by seconds before the last block. Swaps of one block stand in an order that their hashes do not have. */
const story: readonly { readonly secondsAgo: number; readonly events: readonly FakeEvent[] }[] = [
  {
    secondsAgo: 7 * day + 60,
    events: [
      swap(wrappedPool, wrappedAt1600, -1_600_000_000n, 10n ** 18n),
      swap(wrappedPool, sqrtPrices.wrappedAt2500, 2_500_000_000n, -(10n ** 18n)),
      swap(wrappedPool, wrappedAt1600, -1_600_000_000n, 10n ** 18n),
    ],
  },
  { secondsAgo: 7 * day - 60, events: [swap(wrappedPool, sqrtPrices.wrappedAt2500, 2_500_000_000n, -(10n ** 18n))] },
  { secondsAgo: 30 * hour, events: [swap(betaPool, sqrtPrices.betaAtQuarter, 50_000_000n, -200n * 10n ** 18n, 10n ** 18n)] },
  { secondsAgo: day + 300, events: [swap(alphaPool, sqrtPrices.alphaAt6, -8n * 10n ** 8n, 2n * 10n ** 16n)] },
  {
    secondsAgo: day - 300,
    events: [
      swap(alphaPool, sqrtPrices.alphaAt25, -4n * 10n ** 8n, 10n ** 16n),
      swap(thinPool, sqrtPrices.thinAt1, 1n, -(10n ** 12n), 10n ** 13n),
    ],
  },
  { secondsAgo: 3 * hour, events: [swap(alphaPool, sqrtPrices.alphaAt25, -2n * 10n ** 8n, 2n * 10n ** 16n)] },
  {
    secondsAgo: 5_400,
    events: [
      swap(alphaPool, sqrtPrices.alphaAt6, 10n ** 8n, -(10n ** 16n)),
      swap(alphaPool, sqrtPrices.alphaAt25, 10n ** 8n, -(10n ** 16n)),
    ],
  },
  { secondsAgo: 0, events: [] },
]

function tellChain(): { chain: FakeChain; told: FakeEvent[][] } {
  const chain = new FakeChain({ genesisAtSeconds: nowSeconds - 9 * day - 12 })
  const told: FakeEvent[][] = []
  const mine = chain.mine.bind(chain)
  chain.mine = (events = [], secondsLater = 12) => {
    told.push([...events])
    mine(events, secondsLater)
  }
  openMarket(chain)
  let last = 9 * day
  for (const { secondsAgo, events } of story) {
    chain.mine(events, last - secondsAgo)
    last = secondsAgo
  }
  return { chain, told }
}

async function index(chain: FakeChain): Promise<Store> {
  const store = await stores.openNew('sqlite')
  const full = Promise.withResolvers<void>()
  const follower: Follower = followChain({
    ...followingDefaults,
    chain,
    store,
    limits: limitDefaults,
    scope: { factory, onlyTokens: undefined, valuation: toValuation(networkFile) },
    onChange: ({ caughtUp }) => caughtUp && full.resolve(),
  })
  await full.promise
  await follower.stop()
  return store
}

let chain: FakeChain
let told: FakeEvent[][]
let store: Store
let standIn: StandInSubgraph
let old: StandInSubgraph
const facts = () => [...chain.tokens.values()].map((token) => ({ ...token, decimals: token.decimals ?? 0 }))

beforeAll(async () => {
  ;({ chain, told } = tellChain())
  store = await index(chain)
  standIn = await startStandInSubgraph()
  old = await startStandInSubgraph({ dialect: 'old' })
  const header = await chain.readHead()
  for (const server of [standIn, old]) {
    server.head = { number: header?.number ?? 0, hash: header?.hash ?? '', timestamp: header?.timestampSeconds ?? 0 }
  }
  standIn.entities = await toSubgraphEntities(chain, facts(), told)
  old.entities = await toSubgraphEntities(chain, facts(), told, 'hash#n')
})
afterAll(() => Promise.all([standIn.close(), old.close()]))

const subgraphSource = (server = standIn) => createSubgraphSource(createSubgraphClient(server.url), options)
const readOne = async (source: PriceSource, token: Address) => (await source.read(list.tokens)).answers.get(token)
const quoteOf = async (source: PriceSource, token: Address) => {
  const answer = await readOne(source, token)
  return answer?.kind === 'quoted' ? answer.quote : undefined
}

describe('one market, told to the index and to a subgraph', () => {
  const untouched: ReadonlyMap<string, Pick<Quote, 'confidence' | 'reasons'>> = new Map([
    [alpha, { confidence: 0.88, reasons: ['Last trade 6 d ago'] }],
    [beta, { confidence: 0.9, reasons: ['Last trade 1 d ago'] }],
  ])
  /** A subgraph tells no minutes and no ticks: a price of the past is the last one until then, and nothing is known of the cost. */
  const toTheirs = (quote: Quote): Quote => {
    const weekAgo = { [alpha]: 4n, [wrapped]: 1_600n }[quote.route[0]?.base ?? '']
    // What one trade moved and nothing has confirmed since stays as little trusted in the index, which a subgraph cannot know.
    const trust = untouched.get(quote.route[0]?.base ?? '') ?? {}
    const weekAgoUsdE18 = weekAgo === undefined ? quote.weekAgoUsdE18 : weekAgo * 10n ** 18n
    // Nor does a subgraph say when a pool was first traded in.
    const untold = (hop: HopEvidence): HopEvidence => ({ ...hop, firstSwapAtSeconds: undefined, baseReserveRaw: undefined })
    const route = quote.route.map(untold)
    const steps = quote.steps.map((step) => ({ ...step, pools: step.pools.map(untold) }))
    // Its past is asked for by the hour of a day and a week ago alone.
    const { recentUsdE18: _, ...told } = quote
    return { ...told, ...trust, source: 'subgraph', costToMoveUsdE18: undefined, weekAgoUsdE18, route, steps }
  }

  it('has the same prices, changes, volumes and evidence to the last digit', async () => {
    const ours = await createIndexSource(wholeIndex(store), options).read(list.tokens)
    const theirs = await subgraphSource().read(list.tokens)
    expect(theirs.atBlock).toEqual(ours.atBlock)
    for (const { id } of list.tokens) {
      // The supply and the first trade are not taken from subgraphs.
      const untold = { supply: undefined, firstTradeAtSeconds: undefined }
      const answer = { ...(ours.answers.get(id) as SourceAnswer), ...untold }
      expect(theirs.answers.get(id)).toEqual(answer.kind === 'quoted' ? { ...answer, quote: toTheirs(answer.quote) } : answer)
    }
  })

  it('has the figures worked out by hand', async () => {
    const quote = (await quoteOf(subgraphSource(), alpha)) as Quote
    expect(quote).toMatchObject({ source: 'subgraph', observedAtSeconds: nowSeconds, atBlock: { number: 9 } })
    // 0.01 of 2,500 now; 0.0025 of 2,500 a day ago; 0.0025 of 1,600 a week ago.
    expect([quote.usdE18, quote.dayAgoUsdE18, quote.weekAgoUsdE18].map((usd) => e18ToNumber(usd ?? 0n))).toEqual([25, 6.25, 4])
    // Since a day: 0.01 + 0.02 + 0.01 + 0.01 of the wrapped coin at 2,500.
    expect(e18ToNumber(quote.volume24hUsdE18 ?? 0n)).toBe(125)
    expect(await readOne(subgraphSource(), lone)).toMatchObject({ reasons: ['No pool on the chain trades this token'] })
    expect(await readOne(subgraphSource(), thin)).toMatchObject({ kind: 'unpriced', displayPool: { pool: thinPool } })
    expect((await quoteOf(subgraphSource(), beta))?.route[0]).toMatchObject({
      pool: betaPool,
      baseIsToken0: false,
      baseSymbol: 'BETA',
      lastSwapAtSeconds: nowSeconds - 30 * hour,
    })
  })

  it('has the same chart and the same swaps', async () => {
    const snapshot = await takeSnapshot(createIndexSource(wholeIndex(store), options), list)
    const histories: PoolHistory[] = [
      createIndexHistory(wholeIndex(store)),
      createSubgraphHistory(createSubgraphClient(standIn.url)),
      createSubgraphHistory(createSubgraphClient(old.url)),
    ]
    for (const token of [alpha, beta, wrapped]) {
      const market = snapshot.byToken.get(token)
      if (!market) throw new Error('a token of the list is missing')
      const [ours, ...theirs] = await Promise.all(
        histories.map(async (history) => ({
          day: await readChart(history, snapshot, market, '1d'),
          month: await readChart(history, snapshot, market, '1m'),
          swaps: (await readSwaps(history, market.displayPool as DisplayPool, 20)).map(({ swap, pool: _, ...shown }) => ({
            ...shown,
            txHash: swap.txHash,
            sender: swap.sender,
            amounts: [swap.amount0, swap.amount1],
          })),
        })),
      )
      expect(ours?.swaps.length).toBeGreaterThan(0)
      for (const their of theirs) {
        expect(their.swaps).toEqual(ours?.swaps)
        expect([their.day.points, their.month.points]).toEqual([ours?.day.points, ours?.month.points])
        // Highs and lows come as decimals and are rooted: to within 10^-12.
        const figures = (candles: typeof their.day.candles) =>
          candles.flatMap(({ open, high, low, close }) => [open, high, low, close])
        expect(figures(their.day.candles).length).toBe(figures(ours?.day.candles ?? []).length)
        figures(their.day.candles).forEach((figure, i) => {
          const off = figure - (figures(ours?.day.candles ?? [])[i] ?? 0n)
          expect(e18ToNumber(off < 0n ? -off : off)).toBeLessThanOrEqual(e18ToNumber(figure) * 1e-12)
        })
      }
    }
  })

  it('has the same prices from a subgraph of years ago, as of its newest transaction', async () => {
    const { atBlock, answers } = await subgraphSource(old).read(list.tokens)
    expect(atBlock).toMatchObject({ number: 9, timestampSeconds: nowSeconds - 5_400 })
    expect(answers.get(alpha)).toMatchObject({ kind: 'quoted', quote: { usdE18: 25n * 10n ** 18n } })
  })
})

describe('a reading', () => {
  it('is of one block, of which every list is asked', async () => {
    standIn.queries.length = 0
    await subgraphSource().read(list.tokens)
    const [head, ...rest] = standIn.queries
    expect(head).toContain('_meta')
    expect(rest.length).toBe(3)
    for (const query of rest) expect(query.match(/block: \{number: 9\}/g)?.length).toBe(query.match(/\(first:/g)?.length)
  })

  it('starts again once when a server behind the same URL is not at that block yet', async () => {
    const behind = { kind: 'errors', message: 'subgraph Qm has only indexed up to block number 8' } as const
    standIn.queries.length = 0
    standIn.trouble = (asked) => (asked === 3 ? behind : undefined)
    expect((await quoteOf(subgraphSource(), alpha))?.usdE18).toBe(25n * 10n ** 18n)
    standIn.queries.length = 0
    standIn.trouble = (asked) => (asked >= 3 ? behind : undefined)
    await expect(subgraphSource().read(list.tokens)).rejects.toMatchObject({ code: 'upstream-refused', retryable: true })
    expect(standIn.queries.length).toBe(4)
    standIn.trouble = undefined
  })

  it('fails when the subgraph has met an error while it read the chain', async () => {
    standIn.hasIndexingErrors = true
    await expect(subgraphSource().read(list.tokens)).rejects.toMatchObject({ code: 'upstream-refused', retryable: true })
    standIn.hasIndexingErrors = false
  })
})

describe('a large exchange', () => {
  let large: StandInSubgraph
  beforeAll(async () => {
    large = await startStandInSubgraph()
    large.head = standIn.head
  })
  afterAll(() => large.close())

  const hex = (first: string, i: number) => `0x${first}${i.toString(16).padStart(39, '0')}`
  /** So many further pools of USDC, next to empty, by ids below and above the market's. */
  const crowd = (count: number): Entity[] => {
    const of = standIn.entities.pools.find(({ id }) => id === betaPool) as Entity
    const pool = { ...of, liquidity: '1', totalValueLockedToken0: '0.000001', totalValueLockedToken1: '0.000001' }
    return Array.from({ length: count }, (_, i) => ({ ...pool, id: hex(i % 2 ? 'e' : '0', i), token1: hex('f', i) }))
  }
  const settle = (count: number) => {
    const crowded = crowd(count)
    const tokens = crowded.map(({ token1 }) => ({ id: `${token1}`, symbol: 'X', name: 'X', decimals: '18' }))
    large.entities = {
      ...standIn.entities,
      pools: [...standIn.entities.pools, ...crowded],
      tokens: [...standIn.entities.tokens, ...tokens],
    }
    large.queries.length = 0
  }

  it('has 2,500 more pools, and no price is lost', async () => {
    settle(2_500)
    const ours = await createIndexSource(wholeIndex(store), options).read(list.tokens)
    const theirs = await subgraphSource(large).read(list.tokens)
    for (const { id } of list.tokens) expect(theirs.answers.get(id)?.displayPool).toEqual(ours.answers.get(id)?.displayPool)
    expect(theirs.answers.get(alpha)).toMatchObject({ quote: { usdE18: 25n * 10n ** 18n } })
  })

  it('has more pools than are read: then those between two known tokens price, this time and from then on', async () => {
    settle(10_000)
    const source = subgraphSource(large)
    const expected = { quote: { usdE18: 25n * 10n ** 18n, volume24hUsdE18: 125n * 10n ** 18n } }
    expect(await readOne(source, alpha)).toMatchObject(expected)
    expect(large.queries.filter((query) => query.includes('pools(')).length).toBe(11)
    large.queries.length = 0
    expect(await readOne(source, alpha)).toMatchObject(expected)
    expect(large.queries.filter((query) => query.includes('pools(')).length).toBe(1)
  })

  it("has more swaps in the hour a day ago than are read: the hour's share by time counts, the price is the one before", async () => {
    settle(0)
    const like = standIn.entities.swaps.find(
      (row) => row['pool'] === alphaPool && row['timestamp'] === `${nowSeconds - day - 300}`,
    )
    const swaps = Array.from({ length: 10_000 }, (_, i) => ({ ...(like as Entity), id: `${like?.id}${i}` }))
    large.entities = { ...standIn.entities, swaps: [...standIn.entities.swaps, ...swaps] }
    const quote = (await quoteOf(subgraphSource(large), alpha)) as Quote
    // 3,000 of 3,600 seconds of 0.03 wrapped coins, and 0.04 since, at 2,500 dollars.
    expect(e18ToNumber(quote.volume24hUsdE18 ?? 0n)).toBe(162.5)
    expect(e18ToNumber(quote.dayAgoUsdE18 ?? 0n)).toBe(6.25)
  })

  it('has more listed tokens than are asked for, and says so of the rest', async () => {
    settle(0)
    const entry = (i: number) => ({ ...(listed[0] as (typeof listed)[number]), address: hex('d', i) })
    const many = toTokenList([...listed, ...Array.from({ length: 5_000 }, (_, i) => entry(i))], []).tokens
    const { answers } = await subgraphSource(large).read(many)
    expect(answers.size).toBe(many.length)
    expect(answers.get(alpha)?.kind).toBe('quoted')
    expect(answers.get(many.at(-1)?.id as Address)).toMatchObject({
      reasons: ['The server requests only the first 5000 tokens of the list'],
    })
  })
})
