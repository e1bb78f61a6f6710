// What stable coins are worth in each other, by pools between them or by what the same token costs in both.
import {
  type Address,
  absolute,
  depthInQuote,
  groupByToken,
  type Hop,
  hopPrice,
  oneE18,
  type RoutePool,
  timesFraction,
  toHop,
  weightedMedian,
} from '@chainboard/core'

export type PegRates = {
  readonly stables: readonly Address[]
  /** With their fees in millionths, and when they traded last, in unix seconds. */
  readonly pools: readonly (RoutePool & { readonly fee: number; readonly lastSwapAtSeconds: number | undefined })[]
  readonly nowSeconds: number
  readonly decimals: ReadonlyMap<Address, number>
  readonly depthFloorUsdE18: bigint
}

/**
 * What a whole stable coin is worth in another one, x 10^18: by medians, and after the last trades. `isDirect`: by pools of the two.
 * `fee`: the most of the pools, in millionths: nobody trades for less, so the rate may be off by so much.
 */
export type Rate = {
  readonly quote: Address
  readonly rateE18: bigint
  readonly lastE18: bigint
  readonly isDirect: boolean
  readonly fee: number
}

/** US dollars per whole coin x 10^18. */
export type PegRange = { readonly lowE18: bigint; readonly highE18: bigint }

/** Parts of 10,000 that a stable coin may be off. Pools with another token honestly lie apart by their fees, of up to 1 % each. */
const offMax = 100n
const offMaxByOthers = 300n
const feeUnit = 1_000_000n
/** A pool with another token that has not traded for so long may be off because that token has moved. */
const quietSecondsMax = 3_600
/** Tokens by which two coins are held against each other, the deepest first. */
const sharedMax = 100

export function isOff(rateE18: bigint, { isDirect }: Pick<Rate, 'isDirect'>): boolean {
  return absolute(rateE18 - oneE18) * 10_000n > oneE18 * (isDirect ? offMax : offMaxByOthers)
}

/** Each stable coin's rates in the others that it can be held against. */
export type CoinRates = ReadonlyMap<Address, readonly Rate[]>

/**
 * The rates of all stable coins in each other: by established pools over the depth floor between the two, else by such pools of both
 * with the same tokens that have traded within an hour. Pure.
 * @param poolsOf the request's pools, where they are grouped already
 */
export function rateStables(request: PegRates, poolsOf: PoolsOf = groupByToken(request.pools)): CoinRates {
  const { stables } = request
  const pools =
    stables.length < 2 ? [] : stables.map((coin) => [coin, openPools(coin, poolsOf.get(coin) ?? [], request)] as const)
  const rateIn = (own: CoinPools, [quote, theirs]: (typeof pools)[number]): Rate[] => {
    const direct = own.offersOf(quote)
    if (direct.length > 0) return [toDirect(quote, direct)]
    const found = compareTokens(own, theirs)
    return found === undefined ? [] : [{ quote, rateE18: found.rateE18, lastE18: found.rateE18, isDirect: false, fee: found.fee }]
  }
  return new Map(
    pools.map(([coin, own]) => [coin, pools.filter(([quote]) => quote !== coin).flatMap((other) => rateIn(own, other))] as const),
  )
}

/** `now`: by medians and last trades. `settled`: the same once medians speak against the coin; undefined while only last trades do. */
export type CoinRanges = { readonly now: PegRange; readonly settled: PegRange | undefined }

/** Between which prices a coin lies that counts as a dollar: the dollar, and what most others say. Absent: they agree. Pure. */
export function findPegRanges(rated: CoinRates): ReadonlyMap<Address, CoinRanges> {
  const found = new Map<Address, CoinRanges>()
  for (const [coin, rates] of rated) {
    const medians = toRange(rates.map((rate) => ({ ...rate, valueE18: rate.rateE18 })))
    const last = toRange(rates.map((rate) => ({ ...rate, valueE18: rate.lastE18 })))
    const now = { lowE18: least(medians.lowE18, last.lowE18), highE18: most(medians.highE18, last.highE18) }
    if (!isDollar(now)) found.set(coin, { now, settled: isDollar(medians) ? undefined : now })
  }
  return found
}

function isDollar({ lowE18, highE18 }: PegRange): boolean {
  return lowE18 === oneE18 && highE18 === oneE18
}

function toRange(values: readonly (Pick<Rate, 'isDirect' | 'fee'> & { readonly valueE18: bigint })[]): PegRange {
  const off = values.filter((value) => isOff(value.valueE18, value))
  if (off.length * 2 <= values.length) return { lowE18: oneE18, highE18: oneE18 }
  const lows = off.map(({ valueE18, fee }) => (valueE18 * (feeUnit - BigInt(fee))) / feeUnit)
  const highs = off.map(({ valueE18, fee }) => (valueE18 * (feeUnit + BigInt(fee))) / feeUnit)
  return { lowE18: lows.reduce(least, oneE18), highE18: highs.reduce(most, oneE18) }
}

/** Whole other tokens, by what they cost in whole coins x 10^18. */
type CoinOffer = {
  readonly hop: Hop
  readonly medianE18: bigint
  readonly lastE18: bigint
  readonly fee: number
  readonly isQuiet: boolean
}

type PoolsOf = ReadonlyMap<Address, PegRates['pools']>

/** The tokens that a coin's pools have, and what the pools with one offer: worked out when it is asked for, as most never are. */
type CoinPools = {
  /** With the most of the coin that trades within 2 % of the price in one of their pools, in smallest units. */
  readonly tokens: ReadonlyMap<Address, bigint>
  offersOf(token: Address): readonly CoinOffer[]
}

function openPools(coin: Address, pools: PegRates['pools'], request: PegRates): CoinPools {
  const established = pools.filter(({ isEstablished, window }) => isEstablished && window.isSettled)
  const byToken = Map.groupBy(established, ({ token0, token1 }) => (token0 === coin ? token1 : token0))
  const known = new Map<Address, readonly CoinOffer[]>()
  const offersOf = (token: Address) => {
    const offers = known.get(token) ?? (byToken.get(token) ?? []).flatMap((pool) => toCoinOffer(coin, pool, request) ?? [])
    known.set(token, offers)
    return offers
  }
  const depthOf = (pool: RoutePool) => depthInQuote(pool.window, pool.token1 === coin)
  const deepest = (own: PegRates['pools']) => own.reduce((depth, pool) => most(depth, depthOf(pool)), 0n)
  return { tokens: new Map([...byToken].map(([token, own]) => [token, deepest(own)])), offersOf }
}

function toCoinOffer(
  coin: Address,
  pool: PegRates['pools'][number],
  { decimals, depthFloorUsdE18, nowSeconds }: PegRates,
): CoinOffer | undefined {
  const hop = toHop(pool, coin, oneE18, decimals)
  if (!hop || hop.depthUsdE18 < depthFloorUsdE18 || hop.depthUsdE18 === 0n) return undefined
  const [medianE18, lastE18] = [pool.window.sqrtPriceX96, pool.sqrtPriceX96].map((root) =>
    timesFraction(oneE18, hopPrice(hop, root)),
  ) as [bigint, bigint]
  const isQuiet = nowSeconds - (pool.lastSwapAtSeconds ?? 0) > quietSecondsMax
  return medianE18 === 0n || lastE18 === 0n ? undefined : { hop, medianE18, lastE18, fee: pool.fee, isQuiet }
}

function toDirect(quote: Address, offers: readonly CoinOffer[]): Rate {
  const median = (pick: (offer: CoinOffer) => bigint) =>
    weightedMedian(offers.map((offer) => ({ value: (oneE18 * oneE18) / pick(offer), weight: offer.hop.depthUsdE18 })))
  const [rateE18, lastE18] = [median(({ medianE18 }) => medianE18), median((offer) => offer.lastE18)]
  return { quote, rateE18, lastE18, isDirect: true, fee: Math.max(...offers.map(({ fee }) => fee)) }
}

/** What the first coin is worth in the second one, by the tokens that pools of both have; undefined without any. */
function compareTokens(own: CoinPools, theirs: CoinPools): Pick<Rate, 'rateE18' | 'fee'> | undefined {
  const shared = [...own.tokens].filter(([token]) => theirs.tokens.has(token))
  const deepest = shared.sort(([, a], [, b]) => (a === b ? 0 : a > b ? -1 : 1)).slice(0, sharedMax)
  const pairs = deepest.flatMap(([token]) =>
    own.offersOf(token).flatMap((a) => theirs.offersOf(token).flatMap((b) => (a.isQuiet || b.isQuiet ? [] : [{ a, b }]))),
  )
  if (pairs.length === 0) return undefined
  const rates = pairs.map(({ a, b }) => ({
    value: (b.medianE18 * oneE18) / a.medianE18,
    weight: least(a.hop.depthUsdE18, b.hop.depthUsdE18),
  }))
  return { rateE18: weightedMedian(rates), fee: pairs.reduce((highest, { a, b }) => Math.max(highest, a.fee + b.fee), 0) }
}

function least(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}

function most(a: bigint, b: bigint): bigint {
  return a > b ? a : b
}
