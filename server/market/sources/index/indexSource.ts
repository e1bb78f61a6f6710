import {
  type Address,
  type ByRecentSpan,
  daySeconds,
  hourSeconds,
  isEstablished,
  mapRecentSpans,
  type RouteRequest,
  type RouteRules,
  recentSpans,
  startOfHour,
  stepsBy,
  walkRoutes,
  weighWindow,
} from '@chainboard/core'
import { findScope } from '../../../store/indexScope.ts'
import type { IndexReader } from '../../../store/indexSwitch.ts'
import { type MediansOf, mediansOf, type PastPrices } from '../../../store/pastMedians.ts'
import { listSpansAfter } from '../../../store/poolSpans.ts'
import { listMarketPools, type PoolOfMarket } from '../../../store/pools.ts'
import type { Tx } from '../../../store/store.ts'
import { type BlockRef, findCursor } from '../../../store/syncCursor.ts'
import { listTokenRangesIn, type TokenRange } from '../../../store/tokenPeriods.ts'
import { listAllTokenFacts, type TokenFactsRow } from '../../../store/tokens.ts'
import { answerInTurns, type MarketPool, type PoolBook, type RecentRange } from '../../answerFromPools.ts'
import { inTurns, mapSteps } from '../../inTurns.ts'
import type { LiveList } from '../../liveList.ts'
import type { PriceSource, SourceReading } from '../../source.ts'
import type { ListedToken } from '../../tokenList.ts'
import { readPoolVolumes } from '../../tradedVolume.ts'
import { createPastReader, type IndexPast } from './indexPast.ts'
import type { LastingTrust } from './lastingTrust.ts'

export type IndexSourceOptions = RouteRules & {
  readonly windowSeconds: number
  /** When the newest block of the chain was made; unix seconds, undefined while that is not known. */
  readonly headSeconds?: () => number | undefined
  /** What the index holds of a token; absent: everything of every one. */
  readonly holdOf?: LiveList['holdOf']
}

/** Prices from our own index, at the last block in it. */
export function createIndexSource(index: IndexReader, options: IndexSourceOptions): PriceSource {
  const readPast = createPastReader(options.windowSeconds)
  return {
    name: 'index',
    read: (tokens) =>
      index.use(async ({ store, sinceSeconds }) => {
        const pastAt: Reading['pastAt'] = (tx, atBlock) => readPast(tx, store, atBlock)
        const wanted = new Set([...tokens.map(({ id }) => id), ...options.stables, options.wrappedNative, ...options.quotes])
        const wants = (token: Address) => wanted.has(token)
        const book = await store.readConsistently((tx) => readIndex(tx, { ...options, sinceSeconds, pastAt, wants }))
        if (!book) return { ...sayEmpty(tokens), sinceSeconds }
        return { ...(await answerInTurns(book, tokens)), sinceSeconds }
      }),
  }
}

type Reading = IndexSourceOptions & {
  readonly sinceSeconds: number | undefined
  readonly pastAt: (tx: Tx, atBlock: BlockRef) => Promise<IndexPast>
  readonly wants: NonNullable<RouteRequest['wants']>
}

type Reach = { readonly sinceSeconds: number | undefined; readonly headSeconds: number | undefined }

/** Without the figures of the last day that the index does not have: it begins later, or has not come so far. */
function leaveOut(book: PoolBook, { sinceSeconds, headSeconds }: Reach): PoolBook {
  const { timestampSeconds } = book.atBlock
  if (headSeconds !== undefined && headSeconds - timestampSeconds > daySeconds)
    return { ...book, volumes: undefined, dayAgo: new Map(), weekAgo: new Map(), recentAgo: undefined }
  const hasDay = sinceSeconds === undefined || sinceSeconds <= timestampSeconds - daySeconds
  return hasDay ? book : { ...book, volumes: undefined }
}

/** @returns undefined for an index without a block */
async function readIndex(tx: Tx, options: Reading): Promise<PoolBook | undefined> {
  const { sinceSeconds, pastAt, ...rules } = options
  const atBlock = (await findCursor(tx))?.block
  if (!atBlock) return undefined
  const state = await readNewest(tx, atBlock, { windowSeconds: rules.windowSeconds, past: await pastAt(tx, atBlock) })
  // An index of the newest blocks holds what was listed when it was begun, whatever the whole one has by now.
  const own = sinceSeconds === undefined ? undefined : (await findScope(tx))?.tokens
  const holdOf: LiveList['holdOf'] | undefined = own ? (token) => (own.has(token) ? 'all' : 'none') : options.holdOf
  const book = await readBook(tx, state, { ...rules, ...(holdOf && { holdOf }) })
  return leaveOut({ ...book, sinceSeconds }, { sinceSeconds, headSeconds: options.headSeconds?.() })
}

function sayEmpty(tokens: readonly ListedToken[]): SourceReading {
  const nothing = { kind: 'unpriced', reasons: ['The index is still empty'], displayPool: undefined } as const
  return { atBlock: undefined, answers: new Map(tokens.map(({ id }) => [id, nothing])) }
}

/** The running hour and the one before. */
export function lastTwoHours(nowSeconds: number) {
  return { fromSeconds: startOfHour(nowSeconds) - hourSeconds, toSeconds: nowSeconds + 1 }
}

function toRanges(hours: readonly TokenRange[]): ReadonlyMap<Address, RecentRange> {
  const ranges = new Map<Address, RecentRange>()
  for (const { token, low, high, trust } of hours) {
    // Nothing had a price then.
    if (low === 0n) continue
    const { lowE18, highE18, trust: known } = ranges.get(token) ?? { lowE18: low, highE18: high, trust }
    ranges.set(token, {
      lowE18: low < lowE18 ? low : lowE18,
      highE18: high > highE18 ? high : highE18,
      trust: least(known, trust),
    })
  }
  return ranges
}

function least(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.min(a, b)
}

/** What the index was after a block: whatever of it changes with the blocks that follow. */
export type IndexState = {
  readonly atBlock: BlockRef
  /** Every open pool, with its medians. */
  readonly pools: readonly MarketPool[]
  /** Hours of tokens, of the running hour and the one before. */
  readonly recentHours: readonly TokenRange[]
  readonly lastingTrust: LastingTrust
  /** US dollars x 10^18 that each pool traded in the 24 hours before. */
  readonly volumes: ReadonlyMap<Address, bigint>
  /** sqrtPriceX96 of each pool a day and a week before: medians. */
  readonly dayAgo: MediansOf
  readonly weekAgo: MediansOf
  /** The same at moments of the last hours; absent where they are not asked for. */
  readonly recentAgo?: ByRecentSpan<MediansOf> | undefined
}

async function readNewest(
  tx: Tx,
  atBlock: BlockRef,
  { windowSeconds, past }: { windowSeconds: number; past: IndexPast },
): Promise<IndexState> {
  const nowSeconds = atBlock.timestampSeconds
  const spans = await listSpansAfter(tx, nowSeconds - windowSeconds)
  const toMarketPool = (pool: PoolOfMarket): MarketPool => ({
    ...pool,
    window: weighWindow(spans.get(pool.address) ?? [], pool, { nowSeconds, windowSeconds }),
    isEstablished: isEstablished(pool.firstSwapAtSeconds, nowSeconds),
  })
  const pools = await inTurns(mapSteps(await listMarketPools(tx), toMarketPool))
  const recentHours = await listTokenRangesIn(tx, lastTwoHours(nowSeconds))
  const volumes = await readPoolVolumes(tx, nowSeconds, past.volumes)
  const mediansAgo = (prices: PastPrices, seconds: number) =>
    mediansOf(prices, { nowSeconds: nowSeconds - seconds, windowSeconds })
  return {
    ...{ atBlock, pools, recentHours, volumes, lastingTrust: past.lastingTrust },
    dayAgo: mediansAgo(past.dayAgo, daySeconds),
    weekAgo: mediansAgo(past.weekAgo, 7 * daySeconds),
    recentAgo: mapRecentSpans((span) => mediansAgo(past.recentAgo[span], recentSpans[span])),
  }
}

/** `wants`: tokens that are asked for; absent: all. */
type BookOptions = IndexSourceOptions & Pick<RouteRequest, 'wants'>

/** All that the index says of prices by its state after some block. Supplies are those of now: what they were is not kept. */
export async function readBook(
  tx: Tx,
  { recentHours, ...state }: IndexState,
  { windowSeconds, holdOf, ...valuation }: BookOptions,
): Promise<PoolBook> {
  // Those that a pool has, which are read anyway: asking for each of a long list by name costs more.
  const facts = await inTurns(sortFacts(await listAllTokenFacts(tx)))
  const { depthFloorUsdE18 } = valuation
  const routes = await inTurns(walkRoutes({ pools: state.pools, stepTo: stepsBy(facts.decimals), ...valuation }))
  return {
    ...state,
    ...facts,
    source: 'index',
    depthFloorUsdE18,
    routes,
    recentRanges: toRanges(recentHours),
    windowSeconds,
    holdOf,
  }
}

/** Each fact by the token's address, a step for each token. */
function* sortFacts(tokens: readonly TokenFactsRow[]): Generator<void, Pick<PoolBook, 'decimals' | 'symbols' | 'supplies'>> {
  const facts = {
    decimals: new Map<Address, number>(),
    symbols: new Map<Address, string>(),
    supplies: new Map<Address, bigint>(),
  }
  for (const { address, decimals, symbol, totalSupplyRaw } of tokens) {
    if (decimals !== undefined) facts.decimals.set(address, decimals)
    facts.symbols.set(address, symbol)
    facts.supplies.set(address, totalSupplyRaw)
    yield
  }
  return facts
}
