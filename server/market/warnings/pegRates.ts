// What stable coins are worth in each other, by pools between them or by what the same token costs in both.
import {
  type Address,
  absolute,
  coinFloorsWanted,
  groupByToken,
  type Hop,
  hopPrice,
  oneE18,
  type RoutePool,
  stepsBy,
  timesFraction,
  toHop,
  type Weighed,
  weightedMedian,
} from '@chainboard/core'

export type PegRates = {
  readonly stables: readonly Address[]
  /** The quotes of the network: the tokens by which two coins are held against each other. Others may be tradable by their owner alone. */
  readonly named: ReadonlySet<Address>
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
/** Pools between two coins come first if they have this part, one in so many, of the depth of the pools with the same tokens. */
const directPart = 4n
/** Pools within one part in so many of the median agree with it. */
const agreeingPart = 50n

/** Whether a coin is off its peg by a rate, x 10^18 of the other coin. Rates through other tokens may be farther away. */
export function isOff(rateE18: bigint, { isDirect }: Pick<Rate, 'isDirect'>): boolean {
  return absolute(rateE18 - oneE18) * 10_000n > oneE18 * (isDirect ? offMax : offMaxByOthers)
}

/** Each stable coin's rates in the others that it can be held against. */
export type CoinRates = ReadonlyMap<Address, readonly Rate[]>

/**
 * The rates of all stable coins in each other: by established pools over the depth floor between the two, or by such pools of both with
 * the same quotes of the network that have traded within an hour. A rate without as much behind it as a coin's own price needs is none. Pure.
 * @param poolsOf the request's pools, where they are grouped already
 */
export function rateStables(request: PegRates, poolsOf: PoolsOf = groupByToken(request.pools)): CoinRates {
  const { stables } = request
  const wantedUsdE18 = request.depthFloorUsdE18 * coinFloorsWanted
  const pools =
    stables.length < 2 ? [] : stables.map((coin) => [coin, openPools(coin, poolsOf.get(coin) ?? [], request)] as const)
  const rateIn = ([coin, own]: (typeof pools)[number], [quote, theirs]: (typeof pools)[number]): Rate[] => {
    const direct = compareDirectly(own.offersOf(quote), theirs.offersOf(coin))
    const shared = compareTokens(own, theirs, request)
    const comesFirst = direct.behindUsdE18 * directPart >= shared.inAllUsdE18
    const { behindUsdE18, inAllUsdE18: _, ...rate } = comesFirst ? direct : shared
    return behindUsdE18 >= wantedUsdE18 && behindUsdE18 > 0n ? [{ quote, isDirect: comesFirst, ...rate }] : []
  }
  return new Map(
    pools.map((own) => [own[0], pools.filter((other) => other !== own).flatMap((other) => rateIn(own, other))] as const),
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
  readonly tokens: ReadonlySet<Address>
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
  return { tokens: new Set(byToken.keys()), offersOf }
}

function toCoinOffer(
  coin: Address,
  pool: PegRates['pools'][number],
  { decimals, depthFloorUsdE18, nowSeconds }: PegRates,
): CoinOffer | undefined {
  const hop = toHop(pool, coin, oneE18, stepsBy(decimals))
  if (!hop || hop.depthUsdE18 < depthFloorUsdE18 || hop.depthUsdE18 === 0n) return undefined
  const rateAt = (root: bigint) => timesFraction(oneE18, hopPrice(hop, root))
  const [medianE18, lastE18] = [rateAt(pool.window.sqrtPriceX96), rateAt(pool.sqrtPriceX96)]
  const isQuiet = nowSeconds - (pool.lastSwapAtSeconds ?? 0) > quietSecondsMax
  return medianE18 === 0n || lastE18 === 0n ? undefined : { hop, medianE18, lastE18, fee: pool.fee, isQuiet }
}

/** `behindUsdE18`: the depth of what agrees with the rate, x 10^18. `inAllUsdE18`: with that of pools that say nothing. */
type Compared = Omit<Rate, 'quote' | 'isDirect'> & { readonly behindUsdE18: bigint; readonly inAllUsdE18: bigint }

/** @param back the same pools, from the other coin: of one that has lost most of its worth, a dollar of depth is little of the other */
function compareDirectly(offers: readonly CoinOffer[], back: readonly CoinOffer[]): Compared {
  const toSamples = (pick: (offer: CoinOffer) => bigint) =>
    offers.map((offer) => {
      const there = back.find(({ hop }) => hop.pool === offer.hop.pool)
      const weight = least(offer.hop.depthUsdE18, there?.hop.depthUsdE18 ?? 0n)
      return { value: (oneE18 * oneE18) / pick(offer), weight }
    })
  const samples = toSamples(({ medianE18 }) => medianE18)
  const rateE18 = weightedMedian(samples)
  const behindUsdE18 = sumBehind(samples, rateE18)
  const lastE18 = weightedMedian(toSamples(({ lastE18 }) => lastE18))
  return { rateE18, lastE18, fee: highestFee(offers), behindUsdE18, inAllUsdE18: behindUsdE18 }
}

/** What the first coin is worth in the second one, by the tokens that pools of both have: each says once what it costs in both. */
function compareTokens(own: CoinPools, theirs: CoinPools, { named }: Pick<PegRates, 'named'>): Compared {
  const shared = [...named].filter((token) => own.tokens.has(token) && theirs.tokens.has(token))
  const pairs = shared.map((token) => [sumUp(own.offersOf(token)), sumUp(theirs.offersOf(token))] as const)
  const fresh = pairs.filter(([a, b]) => a.medianE18 > 0n && b.medianE18 > 0n)
  const samples = fresh.map(([a, b]) => ({
    value: (b.medianE18 * oneE18) / a.medianE18,
    weight: least(a.freshUsdE18, b.freshUsdE18),
  }))
  const rateE18 = weightedMedian(samples)
  const inAllUsdE18 = pairs.reduce((sum, [a, b]) => sum + least(a.depthUsdE18, b.depthUsdE18), 0n)
  const freshUsdE18 = samples.reduce((sum, { weight }) => sum + weight, 0n)
  // Most of the depth is quiet: a small pool that has just traded does not speak for it.
  const behindUsdE18 = freshUsdE18 * 2n < inAllUsdE18 ? 0n : sumBehind(samples, rateE18)
  const fee = fresh.reduce((highest, [a, b]) => Math.max(highest, a.fee + b.fee), 0)
  return { rateE18, lastE18: rateE18, fee, behindUsdE18, inAllUsdE18 }
}

/** What a token costs in a coin by the pools that traded lately, whose depth is `freshUsdE18`; 0 where the others have more. */
function sumUp(offers: readonly CoinOffer[]) {
  const lately = offers.filter(({ isQuiet }) => !isQuiet)
  const fresh = sumDepth(lately) * 2n < sumDepth(offers) ? [] : lately
  const medianE18 = weightedMedian(fresh.map((offer) => ({ value: offer.medianE18, weight: offer.hop.depthUsdE18 })))
  return { medianE18, fee: highestFee(fresh), freshUsdE18: sumDepth(fresh), depthUsdE18: sumDepth(offers) }
}

function highestFee(offers: readonly CoinOffer[]): number {
  return offers.reduce((highest, { fee }) => Math.max(highest, fee), 0)
}

function sumDepth(offers: readonly CoinOffer[]): bigint {
  return offers.reduce((sum, { hop }) => sum + hop.depthUsdE18, 0n)
}

function sumBehind(samples: readonly Weighed[], middle: bigint): bigint {
  const agreeing = samples.filter(({ value }) => absolute(value - middle) * agreeingPart <= middle)
  return agreeing.reduce((sum, { weight }) => sum + weight, 0n)
}

function least(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}

function most(a: bigint, b: bigint): bigint {
  return a > b ? a : b
}
