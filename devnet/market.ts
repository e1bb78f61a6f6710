// A made-up market: every token's price walks at random and is pulled back to its usual level, and trades bring the pools there.
// Pure: no clock, no chain. The same seed and the same times give the same trades.

import { sortPair } from './addresses.ts'
import { at } from './at.ts'
import { type DevPool, pools, quietTradesPerDay } from './pools.ts'
import { toRaw, toSqrtPriceX96 } from './prices.ts'
import { createRandom, type Random } from './random.ts'
import { type DevToken, getToken, listedTokens } from './tokens.ts'

/** One trade: straight to a price, or an exact amount sold and bought back (two swaps, the price as before). */
export type Trade = { readonly pool: number; readonly trader: number } & (
  | { readonly kind: 'to'; readonly sqrtPriceX96: bigint }
  | { readonly kind: 'thereAndBack'; readonly sellsToken0: boolean; readonly amountRaw: bigint }
)

/** How much time one block stands for. */
export type Pace = 'hour' | 'fiveMinutes' | 'minute' | 'live'

export type MarketOptions = {
  readonly seed: string
  readonly startSeconds: number
  /** Price of each pool, whole quote per whole base, in the order of `pools`. */
  readonly prices: readonly number[]
  /** US dollars per native coin from elsewhere. The main pool is then left alone. */
  readonly nativeUsdAt?: ((seconds: number) => number) | undefined
}

export type Market = {
  /** The trades of the next block; times must rise. */
  next(seconds: number, pace: Pace): Trade[]
  usdOf(symbol: string): number
}

const daySeconds = 86_400
/** Days until half of a deviation from the usual price is gone. */
const halfLifeDays = 12
/** A pool follows its fair price with this delay, so that trades every few seconds do not chase every wiggle. */
const followSeconds = 120
const traderCount = 400
const activeGapSecondsMax = 3_000
const smallestMove = 1e-6

/** `pools`: how many of the busy pools trade in a block; `trips`: there-and-back trades per trading pool; `tripDepth`: their size as a part of the depth. */
const paces: Record<Pace, { pools: readonly [number, number]; trips: number; tripDepth: number }> = {
  hour: { pools: [pools.length, pools.length], trips: 0.2, tripDepth: 0.009 },
  fiveMinutes: { pools: [3, 5], trips: 0.3, tripDepth: 0.002 },
  minute: { pools: [1, 3], trips: 0.25, tripDepth: 0.0015 },
  live: { pools: [1, 3], trips: 0.12, tripDepth: 0.0008 },
}

/** US dollars per whole token when the chain begins. */
export function firstUsd(symbol: string): number {
  const model = getToken(symbol).market
  return model ? model.usd * model.start : 1
}

/** Prices at which the pools begin, in the order of `pools`. */
export function firstPrices(): number[] {
  return pools.map((pool) => firstUsd(pool.base) / firstUsd(pool.quote))
}

/** A market that draws its trades by a seed: the same options give the same trades, block by block. */
export function createMarket(options: MarketOptions): Market {
  const random = createRandom(options.seed)
  const prices = [...options.prices]
  const tradedAt = pools.map(() => options.startSeconds)
  const walks = startWalks(prices)
  let now = options.startSeconds
  const usdOf = (symbol: string): number => {
    if (symbol === 'WEMB' && options.nativeUsdAt) return options.nativeUsdAt(now)
    const model = getToken(symbol).market
    return model ? (walks.get(symbol) ?? model.usd) * usdOf(model.quote) : 1
  }
  const tradePool = (index: number, pace: Pace): Trade[] => {
    const pool = at(pools, index)
    const fair = usdOf(pool.base) / usdOf(pool.quote)
    const sinceSeconds = Math.max(0, now - (tradedAt[index] ?? now))
    tradedAt[index] = now
    const moves = movePrice({ random, pool, index, pace, fair, price: prices[index] ?? fair, sinceSeconds })
    prices[index] = moves.price
    const trips = random.poisson(isQuiet(pool) ? 0.2 : paces[pace].trips)
    const trip = () => takeTrip({ random, pool, index, pace, usdOf })
    return [...moves.trades, ...Array.from({ length: Math.min(trips, 3) }, trip)]
  }
  const next = (seconds: number, pace: Pace) => {
    const passed = Math.max(1, seconds - now)
    now = seconds
    stepWalks(random, walks, passed / daySeconds)
    const open = pools.map((_, index) => index).filter((index) => index > 0 || !options.nativeUsdAt)
    return pickPools(random, open, tradedAt, { now, passed, pace }).flatMap((index) => tradePool(index, pace))
  }
  return { next, usdOf }
}

/** Price of each token in its quote, read off its main pool. */
function startWalks(prices: readonly number[]): Map<string, number> {
  const walked = listedTokens.filter((token) => token.market)
  return new Map(
    walked.map((token) => [
      token.symbol,
      prices[pools.findIndex((pool) => pool.base === token.symbol && pool.quote === token.market?.quote)] ?? usualPrice(token),
    ]),
  )
}

function usualPrice(token: DevToken): number {
  const { usd, quote } = token.market ?? { usd: 1, quote: 'USDC' }
  return usd / (getToken(quote).market?.usd ?? 1)
}

/** One step of every walk: a random change that now and then is a leap, and a pull back to the usual price. */
function stepWalks(random: Random, walks: Map<string, number>, days: number): void {
  for (const [symbol, price] of walks) {
    const token = getToken(symbol)
    const usual = usualPrice(token)
    const away = Math.log(price / usual)
    const leap = random.next() < 0.01 ? 3 : 1
    const change = (token.market?.dayVolatility ?? 0) * Math.sqrt(days) * random.gaussian() * leap
    walks.set(symbol, usual * Math.exp(away * 0.5 ** (days / halfLifeDays) + change))
  }
}

function isQuiet(pool: DevPool): boolean {
  return pool.tradesPerDay < quietTradesPerDay
}

/** Quiet pools by chance alone; of the busy ones those that have waited longest for their frequency, none longer than 50 minutes. */
function pickPools(
  random: Random,
  open: readonly number[],
  tradedAt: readonly number[],
  { now, passed, pace }: { now: number; passed: number; pace: Pace },
): number[] {
  const perDay = (index: number) => pools[index]?.tradesPerDay ?? 0
  const waited = (index: number) => now - (tradedAt[index] ?? now)
  const [least, most] = paces[pace].pools
  const count = least + Math.floor(random.next() * (most - least + 1))
  const quiet = open.filter((index) => perDay(index) < quietTradesPerDay)
  const busy = open.filter((index) => perDay(index) >= quietTradesPerDay)
  const lots = busy.map((index) => ({ index, lot: Math.log(1 - random.next()) / (perDay(index) * (waited(index) + 1)) }))
  const picked = lots.toSorted((a, b) => b.lot - a.lot).slice(0, count)
  const overdue = busy.filter((index) => waited(index) > activeGapSecondsMax && !picked.some((lot) => lot.index === index))
  const awake = quiet.filter((index) => random.poisson((perDay(index) * passed) / daySeconds) > 0)
  return [...picked.map((lot) => lot.index), ...overdue, ...awake]
}

type Move = { random: Random; pool: DevPool; index: number; pace: Pace; fair: number; price: number; sinceSeconds: number }

/** Brings a pool towards its fair price, in an hour's block sometimes with a stop on the way. */
function movePrice({ random, pool, index, pace, fair, price, sinceSeconds }: Move): { trades: Trade[]; price: number } {
  const noise = () => Math.exp(random.gaussian() * pool.feeTier * 3e-8)
  const part = 1 - Math.exp(-sinceSeconds / followSeconds)
  const goal = price * (fair / price) ** part * noise()
  const stop = price * (goal / price) ** (0.2 + 0.9 * random.next()) * noise()
  const targets = pace === 'hour' && random.next() < 0.15 ? [stop, goal] : [goal]
  const trades: Trade[] = []
  let reached = price
  for (const target of targets) {
    const far = Math.abs(target / reached - 1) > smallestMove
    reached = far ? target : reached * (random.next() < 0.5 ? 0.99995 : 1.00005)
    trades.push({ kind: 'to', pool: index, trader: pickTrader(random), sqrtPriceX96: toSqrtPriceX96(pool, reached) })
  }
  return { trades, price: reached }
}

type Trip = { random: Random; pool: DevPool; index: number; pace: Pace; usdOf: (symbol: string) => number }

function takeTrip({ random, pool, index, pace, usdOf }: Trip): Trade {
  const { token0, token1 } = sortPair(pool)
  const sellsToken0 = random.next() < 0.5
  const sold = sellsToken0 ? token0 : token1
  const usd = pool.depthUsd * paces[pace].tripDepth * Math.exp(0.8 * random.gaussian() - 0.32)
  const amountRaw = toRaw(sold, Number((usd / usdOf(sold)).toPrecision(2)))
  return {
    kind: 'thereAndBack',
    pool: index,
    trader: pickTrader(random),
    sellsToken0,
    amountRaw: amountRaw > 0n ? amountRaw : 1_000n,
  }
}

/** A few traders are busy, most are seen rarely. */
function pickTrader(random: Random): number {
  return Math.floor(traderCount * random.next() ** 2)
}
