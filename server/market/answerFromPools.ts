import {
  type Address,
  type BoundPool,
  type BoundsOf,
  type ByRecentSpan,
  basePrice,
  boundPrices,
  depthInQuote,
  e18ToNumber,
  formatMoney,
  getFrom,
  groupByToken,
  guardE18,
  isSounder,
  mapRecentSpans,
  type Offer,
  oneE18,
  type PricedToken,
  type Routes,
  rawToNumber,
  runAtOnce,
  sumWeights,
  timesFraction,
  toSpread,
  usdAlong,
} from '@chainboard/core'
import type { MediansOf } from '../store/pastMedians.ts'
import type { BlockRef } from '../store/syncCursor.ts'
import { inTurns, mapSteps } from './inTurns.ts'
import { type Hold, isComplete } from './liveList.ts'
import type { DisplayPool, HopEvidence, PriceStep, Quote, SourceAnswer, SourceName, SourceReading, TokenFacts } from './source.ts'
import type { LastingTrust } from './sources/index/lastingTrust.ts'
import type { ListedToken } from './tokenList.ts'
import { findOffPeg, type OffPeg } from './warnings/findOffPeg.ts'
import { type CoinRates, findPegRanges, rateStables } from './warnings/pegRates.ts'
import { type UsdRange, weighPrice } from './weighPrice.ts'

/** A pool with a price as the answers show it. `lastSwapAtSeconds` is undefined before the first swap. */
export type MarketPool = BoundPool & {
  readonly lastSwapAtSeconds: number | undefined
  readonly firstSwapAtSeconds?: number | undefined
  /** Smallest units by the pool's events; absent where these are not known. */
  readonly reserve0?: bigint
  readonly reserve1?: bigint
}

/** What a token's price was in the last hours, and the least confidence in it, in hundredths; undefined where that was not kept. */
export type RecentRange = UsdRange & { readonly trust: number | undefined }

/** All that one reading of pools needs to answer for tokens, whoever told it of the pools. */
export type PoolBook = {
  readonly source: SourceName
  readonly atBlock: BlockRef
  readonly depthFloorUsdE18: bigint
  readonly pools: readonly MarketPool[]
  /** Found among `pools`. */
  readonly routes: Routes
  /** As the chain says them; a token without is left alone. */
  readonly decimals: ReadonlyMap<Address, number>
  readonly symbols: ReadonlyMap<Address, string>
  /** Smallest units of all tokens there are; those not known are left out. */
  readonly supplies: ReadonlyMap<Address, bigint>
  /** sqrtPriceX96 of each pool a day and a week before; pools that were not open then are left out. */
  readonly dayAgo: MediansOf
  readonly weekAgo: MediansOf
  /** The same at moments of the last hours; absent for a source that does not know them. */
  readonly recentAgo?: ByRecentSpan<MediansOf> | undefined
  /** Unix seconds from when on the source has every swap; absent: from the beginning. */
  readonly sinceSeconds?: number | undefined
  /** Between which prices each token was in the last hours; those without a trade are left out. */
  readonly recentRanges: ReadonlyMap<Address, RecentRange>
  /** How far each token was trusted for half of the last day, in hundredths; those of which nothing is known are left out. */
  readonly lastingTrust: LastingTrust
  /** US dollars x 10^18 that each pool traded in the 24 hours before; undefined while not all of them are read. */
  readonly volumes: ReadonlyMap<Address, bigint> | undefined
  /** Over which the pools' medians are taken; undefined for a source that has none. */
  readonly windowSeconds: number | undefined
  /** How much of each token's pools these are; absent: all of them. */
  readonly holdOf?: ((token: Address) => Hold) | undefined
}

/** Of a listed token, what its answer needs. */
type Listed = Pick<ListedToken, 'id' | 'decimals' | 'priceInfo'>

/** What the pools say of each token. Pure. */
export function answerFromPools(book: PoolBook, tokens: readonly Listed[]): SourceReading {
  return toReading(book, new Map(runAtOnce(answerSteps(book, tokens))))
}

/** The same, with a turn for others now and then. */
export async function answerInTurns(book: PoolBook, tokens: readonly Listed[]): Promise<SourceReading> {
  return toReading(book, new Map(await inTurns(answerSteps(book, tokens))))
}

function* answerSteps(book: PoolBook, tokens: readonly Listed[]): Generator<void, [Address, SourceAnswer][]> {
  const view = yield* openView(book)
  return yield* mapSteps(tokens, (token) => [token.id, answer(view, token)])
}

function toReading({ atBlock, volumes }: PoolBook, answers: SourceReading['answers']): SourceReading {
  return { atBlock, answers, ...(volumes && { poolVolumes: volumes }) }
}

/** Each step goes through all pools, or all tokens with a price. */
function* openView(book: PoolBook): Generator<void, View> {
  const poolsByAddress = new Map(book.pools.map((pool) => [pool.address, pool]))
  yield
  const poolsOf = groupByToken(book.pools)
  yield
  const rated = rateCoins(book, poolsOf)
  const pegRanges = findPegRanges(rated)
  const pegs = new Map([...pegRanges].flatMap(([coin, { settled }]) => (settled ? [[coin, settled] as const] : [])))
  for (const coin of listClearedCoins(book, rated, pegRanges)) pegs.set(coin, dollar)
  const bounds = boundPrices({ found: book.routes.found, pools: poolsByAddress, recent: book.recentRanges, pegs })
  yield
  const foundAt = new Map([...book.routes.found.keys()].map((token, place) => [token, place]))
  const offPeg = listOffPeg(book, rated)
  yield
  return { ...book, poolsByAddress, poolsOf, bounds, offPeg, pegRanges, foundAt, steps: new Map() }
}

type View = PoolBook & {
  readonly poolsByAddress: ReadonlyMap<Address, MarketPool>
  readonly poolsOf: ReadonlyMap<Address, readonly MarketPool[]>
  readonly bounds: BoundsOf
  readonly offPeg: ReadonlyMap<Address, OffPeg>
  /** Of stable coins that others do not agree with. */
  readonly pegRanges: ReturnType<typeof findPegRanges>
  /** Those made so far: tokens share those that they are priced in. */
  readonly steps: Map<Address, PriceStep>
  /** The place of each priced token in the order in which prices follow from each other. */
  readonly foundAt: ReadonlyMap<Address, number>
}

/** A token whose pools are added: what the others say is no answer, unless they lead to a quote of the network. */
const beingRead = {
  kind: 'unpriced',
  reasons: ['The server is still reading the pools of this token'],
  displayPool: undefined,
  supply: undefined,
} as const

/** Most tokens of a long list: one answer for all of them. */
const untraded = {
  kind: 'unpriced',
  reasons: ['No pool on the chain trades this token'],
  displayPool: undefined,
  supply: undefined,
} as const

function answer(view: View, token: Listed): SourceAnswer {
  if (!hasSay(view, token)) return beingRead
  if (!view.poolsOf.has(token.id) && !view.supplies.has(token.id) && !view.routes.found.has(token.id)) return untraded
  const facts: Required<TokenFacts> = {
    displayPool: pickDisplayPool(view, token),
    supply: findSupply(view, token),
    firstTradeAtSeconds: findFirstTrade(view, token),
  }
  const priced = view.routes.found.get(token.id)
  if (!priced) return { kind: 'unpriced', reasons: [whyUnpriced(view, token)], ...facts }
  const offPeg = view.offPeg.get(token.id)
  const warnings = offPeg && { warnings: [offPeg.warning] }
  return { kind: 'quoted', quote: toQuote(view, token, priced), ...facts, ...warnings }
}

/** Whether the pools that are here are all that count for a price: none that is missing beside quotes of the network is as sound as those. */
function hasSay({ holdOf = () => 'all', routes }: View, { id }: Listed): boolean {
  const hold = holdOf(id)
  if (hold === 'none' || isComplete(hold)) return hold !== 'none'
  const tier = routes.found.get(id)?.tier
  return tier !== undefined && isSounder(tier, 'unnamed')
}

/** What a pool says at one moment is not enough to hold coins against each other. */
function rateCoins(book: PoolBook, poolsOf: ReadonlyMap<Address, readonly MarketPool[]>): CoinRates {
  if (book.windowSeconds === undefined) return new Map()
  return rateStables({ ...book, ...book.routes, nowSeconds: book.atBlock.timestampSeconds }, poolsOf)
}

const dollar: UsdRange = { lowE18: oneE18, highE18: oneE18 }

/** Coins that count what their own pools say, while most others, by deeper pools with the same tokens, say a dollar: their range holds both. */
function listClearedCoins({ routes }: PoolBook, rated: CoinRates, pegRanges: View['pegRanges']): readonly Address[] {
  return routes.stables.filter(
    (coin) => rated.get(coin)?.length && !pegRanges.has(coin) && routes.found.get(coin)?.usdE18 !== oneE18,
  )
}

function listOffPeg({ windowSeconds = 0, symbols, routes }: PoolBook, rated: CoinRates): ReadonlyMap<Address, OffPeg> {
  const countsAs = new Map(
    routes.stables.flatMap((coin) => {
      const usdE18 = routes.found.get(coin)?.usdE18
      return usdE18 === undefined ? [] : [[coin, usdE18] as const]
    }),
  )
  return findOffPeg(rated, { symbols, windowSeconds, countsAs })
}

/** What is wrong with the stable coins that a price rests on. */
function listFailedPegs({ offPeg }: View, token: Address, steps: readonly PriceStep[]): string[] {
  const coins = new Set([token, ...steps.flatMap(({ pools }) => pools.map(({ quote }) => quote))])
  return [...coins].flatMap((coin) => offPeg.get(coin)?.reason ?? [])
}

/** Undefined when a trade before it may be missing: not all pools are here, or the source begins later. */
function findFirstTrade({ poolsOf, holdOf = () => 'all', sinceSeconds = 0 }: View, { id }: Listed): number | undefined {
  if (!isComplete(holdOf(id))) return undefined
  const times = (poolsOf.get(id) ?? []).flatMap(({ firstSwapAtSeconds }) => firstSwapAtSeconds ?? [])
  const first = times.length === 0 ? undefined : times.reduce((a, b) => Math.min(a, b))
  return first === undefined || first < sinceSeconds ? undefined : first
}

function findSupply({ supplies, decimals }: View, { id }: Listed): number | undefined {
  const [supplyRaw, ownDecimals] = [supplies.get(id), decimals.get(id)]
  return supplyRaw === undefined || ownDecimals === undefined ? undefined : rawToNumber(supplyRaw, ownDecimals)
}

function toQuote(view: View, token: Listed, priced: PricedToken): Quote {
  const { source, atBlock, depthFloorUsdE18, decimals, poolsOf, dayAgo, weekAgo, recentAgo, volumes } = view
  const { usdE18, tier, settled } = priced
  const steps = listSteps(view, token.id)
  const route = priced.route.map((hop) => findHop(view, hop.base, hop.pool))
  const lastUsdE18 = usdAlong(route, (pool) => view.poolsByAddress.get(pool)?.sqrtPriceX96)
  const bounds = getFrom(view.bounds, token.id)
  const { lowE36, highE36, costUsdE18 } = bounds
  const bySettled = { lowE18: lowE36 / guardE18, highE18: highE36 / guardE18 }
  const pools = hullOf(bySettled, view.pegRanges.get(token.id)?.now ?? bySettled)
  const recent = view.recentRanges.get(token.id) ?? pools
  const { confidence, reasons } = weighPrice({
    usdE18,
    pools,
    poolSpread: toSpread(settled.usdE36, bounds),
    recent,
    overruled: toOverruled(priced),
    recentTrust: view.recentRanges.get(token.id)?.trust,
    lastingTrust: view.lastingTrust.get(token.id),
    lastUsdE18,
    depthUsdE18: settled.depthUsdE18,
    depthFloorUsdE18,
    quietSeconds: quietOf(route, atBlock),
    tier,
    unnamedQuote: route.find(({ quote }) => !view.routes.named.has(quote))?.quoteSymbol,
  })
  const onChain = decimals.get(token.id)
  const mismatch = onChain !== undefined && onChain !== token.decimals
  const weakening = [...listFailedPegs(view, token.id, steps), ...reasons]
  return {
    source,
    usdE18,
    lastUsdE18,
    range: hullOf(pools, recent),
    costToMoveUsdE18: costUsdE18,
    observedAtSeconds: atBlock.timestampSeconds,
    atBlock,
    route,
    steps,
    depthUsdE18: settled.depthUsdE18,
    confidence,
    reasons: mismatch
      ? [...weakening, `The list says ${token.decimals} decimals, the chain ${onChain}: the chain's value is used`]
      : weakening,
    dayAgoUsdE18: usdAlong(route, (pool) => dayAgo.get(pool)),
    weekAgoUsdE18: usdAlong(route, (pool) => weekAgo.get(pool)),
    ...(recentAgo && { recentUsdE18: mapRecentSpans((span) => usdAlong(route, (pool) => recentAgo[span].get(pool))) }),
    volume24hUsdE18: isComplete(view.holdOf?.(token.id) ?? 'all')
      ? volumes && (poolsOf.get(token.id) ?? []).reduce((sum, { address }) => sum + (volumes.get(address) ?? 0n), 0n)
      : undefined,
    fdmcUsdE18: undefined,
    marketCapUsdE18: undefined,
  }
}

/** What deeper pools say that do not count. */
function toOverruled({ overruled }: PricedToken) {
  if (overruled.length === 0) return undefined
  const offers = overruled.map(({ offer }) => offer)
  const prices = offers.map(({ usdE36 }) => usdE36 / guardE18)
  const ends = { lowE18: prices.reduce((a, b) => (a < b ? a : b)), highE18: prices.reduce((a, b) => (a > b ? a : b)) }
  return { ...ends, depthUsdE18: sumWeights(offers) }
}

function hullOf(a: UsdRange, b: UsdRange): UsdRange {
  return { lowE18: a.lowE18 < b.lowE18 ? a.lowE18 : b.lowE18, highE18: a.highE18 > b.highE18 ? a.highE18 : b.highE18 }
}

/** Since the last trade of the quietest pool; undefined when one of them never traded. */
function quietOf(route: readonly HopEvidence[], { timestampSeconds }: BlockRef): number | undefined {
  const swapTimes = route.map(({ lastSwapAtSeconds }) => lastSwapAtSeconds)
  return swapTimes.every((at) => at !== undefined) ? Math.max(0, ...swapTimes.map((at) => timestampSeconds - at)) : undefined
}

/** The price of a token, and those that it follows from: each before those that it is made of, which were found before it. */
function listSteps(view: View, token: Address): PriceStep[] {
  const steps = new Set([stepOf(view, token)])
  for (const { pools } of steps) for (const { quote } of pools) steps.add(stepOf(view, quote))
  const places = view.foundAt
  return [...steps].filter(({ pools }) => pools.length > 0).sort((a, b) => getFrom(places, b.token) - getFrom(places, a.token))
}

function stepOf(view: View, token: Address): PriceStep {
  const known = view.steps.get(token)
  if (known) return known
  const { usdE18, offers } = getFrom(view.routes.found, token)
  const pools = offers.map((offer) => toEvidence(view, offer))
  const step = { token, symbol: view.symbols.get(token) ?? '', usdE18, pools }
  view.steps.set(token, step)
  return step
}

function findHop(view: View, token: Address, pool: Address): HopEvidence {
  const found = stepOf(view, token).pools.find((hop) => hop.pool === pool)
  if (!found) throw new RangeError(`The price of ${token} does not follow from the pool ${pool}`)
  return found
}

function whyUnpriced({ poolsOf, routes, depthFloorUsdE18, decimals }: View, { id }: Listed): string {
  if (!poolsOf.has(id)) return untraded.reasons[0]
  if (!decimals.has(id)) return "The token's contract does not report its decimals"
  const depth = routes.thin.get(id)
  if (depth === undefined) return 'No pool leads from this token to US dollars'
  const [has, wanted] = [depth, depthFloorUsdE18].map((usdE18) => formatMoney(e18ToNumber(usdE18)))
  return `Too thin to set a price: ${has} within 2 % of the price, ${wanted} required`
}

function toEvidence({ poolsByAddress, symbols, routes }: View, { hop, usdE36, weightUsdE18 }: Offer): HopEvidence {
  const pool = getFrom(poolsByAddress, hop.pool)
  return {
    ...hop,
    fee: pool.fee,
    baseSymbol: symbols.get(hop.base) ?? '',
    quoteSymbol: symbols.get(hop.quote) ?? '',
    sqrtPriceX96: pool.sqrtPriceX96,
    medianX96: pool.window.sqrtPriceX96,
    quoteUsdE18: routes.found.get(hop.quote)?.usdE18 ?? 0n,
    usdE18: usdE36 / guardE18,
    weightUsdE18,
    lastSwapAtSeconds: pool.lastSwapAtSeconds,
    firstSwapAtSeconds: pool.firstSwapAtSeconds,
    baseReserveRaw: hop.baseIsToken0 ? pool.reserve0 : pool.reserve1,
  }
}

/** The pool that the list names, else the one its price comes from, else the deepest one of the token. */
function pickDisplayPool(view: View, token: Listed): DisplayPool | undefined {
  const own = view.poolsOf.get(token.id) ?? []
  const named = own.find(({ address }) => address === token.priceInfo?.poolAddress.toLowerCase())
  const first = view.routes.found.get(token.id)?.route[0]?.pool
  const routed = first && view.poolsByAddress.get(first)
  const pool = named ?? routed ?? own.toSorted((a, b) => compare(depthOf(b, token.id), depthOf(a, token.id)))[0]
  if (!pool) return undefined
  const { address, fee, token0, token1, sqrtPriceX96 } = pool
  const decimals0 = view.decimals.get(token0)
  const decimals1 = view.decimals.get(token1)
  if (decimals0 === undefined || decimals1 === undefined) return undefined
  const baseIsToken0 = token0 === token.id
  const quote = baseIsToken0 ? token1 : token0
  return {
    pool: address,
    fee,
    token0,
    token1,
    decimals0,
    decimals1,
    baseIsToken0,
    quoteSymbol: view.symbols.get(quote) ?? '',
    priceE18: timesFraction(oneE18, basePrice({ sqrtPriceX96, decimals0, decimals1 }, baseIsToken0)),
    quoteRoute: view.routes.found.get(quote)?.route,
  }
}

function depthOf(pool: MarketPool, token: Address): bigint {
  return depthInQuote(pool.window, pool.token1 !== token)
}

function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0
}
