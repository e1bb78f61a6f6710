import { type Depth, noDepth } from './executableDepth.ts'
import { absolute } from './fixedPoint.ts'
import { type Weighed, weightedMedian } from './weightedMedian.ts'

/** Seconds over which prices are medians, where nothing else is said. */
export const defaultWindowSeconds = 240

/** A pool's price and depth at the end of a block. */
export type PoolMoment = Depth & { readonly sqrtPriceX96: bigint }

/** From the end of a block until the end of a later one that changed the price or the depth, in unix seconds. */
export type PoolSpan = PoolMoment & { readonly fromSeconds: number; readonly untilSeconds: number }

/** Roots of prices within 2 %, in parts of 10,000: who holds depth near a median that is his own for a block can bend it by no more. */
const nearby = 100n

export type PriceWindow = { readonly nowSeconds: number; readonly windowSeconds: number }

/** What a pool's window comes to. */
export type WeighedWindow = PoolMoment & {
  /** Whether it had depth within 2 % of its median price for at least half of the window, or the depth was there all the way. */
  readonly isSettled: boolean
}

/** A part of the window. */
type Part = { readonly of: bigint; readonly in: bigint }
const half: Part = { of: 1n, in: 2n }
/** An attacker who sets a false price within this time has to offer depth at it for at least three eighths of the window. */
const nearlyAll: Part = { of: 7n, in: 8n }

/**
 * The median of a pool's price over the window, and a depth. Of an even split the lower one. Seconds before the pool was opened have
 * no price, and count as if it had been elsewhere. Pure.
 *
 * - **Near its median for half of the window, with depth for half of it**: what was there near the median for half of the window. What was
 *   there at another price is no liquidity at this one, and what was there for less than half of the time does not show.
 * - **Else, where the depth lasted** for seven eighths of the window, at least half as much of it as near the median, or as for half of the
 *   window at any price if that is less: what lasted. So a market that falls by half within minutes still weighs what it is, and depth
 *   that somebody adds to it does not take its own away.
 * - **Else it is not settled.** A pool that was opened within the window has what is there now. Any other has the median of what was near
 *   its price, or what is there now if that is more, but never more than was there for half of the time.
 *
 * @param spans ascending and without gaps, with a price of 0 before the pool was opened; what was before the first does not count
 * @param now since the last span's end
 */
export function weighWindow(
  spans: readonly PoolSpan[],
  now: PoolMoment,
  { nowSeconds, windowSeconds }: PriceWindow,
): WeighedWindow {
  const start = nowSeconds - windowSeconds
  const inside = spans.filter(({ untilSeconds }) => untilSeconds > start)
  const changedAt = inside.at(-1)?.untilSeconds
  if (changedAt === undefined) return { ...momentOf(now), isSettled: true }
  const moments = [...inside, { ...now, fromSeconds: changedAt, untilSeconds: nowSeconds }].map((span) => ({
    span,
    weight: BigInt(span.untilSeconds - Math.max(start, span.fromSeconds)),
  }))
  const open = moments.filter(({ span }) => span.sqrtPriceX96 !== 0n)
  if (sumWeights(open) === 0n) return { ...momentOf(now), isSettled: false }
  const sqrtPriceX96 = weightedMedian(open.map(({ span, weight }) => ({ value: span.sqrtPriceX96, weight })))
  const near = open.filter(({ span }) => absolute(span.sqrtPriceX96 - sqrtPriceX96) * 10_000n <= sqrtPriceX96 * nearby)
  const whole = sumWeights(moments)
  const isNear = 2n * sumWeights(near) >= whole
  const sides = [({ depth0 }: PoolSpan) => depth0, ({ depth1 }: PoolSpan) => depth1] as const
  const measure = (of: typeof open, toDepth: (samples: readonly Weighed[]) => bigint) =>
    sides.map((pick) => toDepth(of.map(({ span, weight }) => ({ value: pick(span), weight })))) as [bigint, bigint]
  const settled = ([depth0, depth1]: readonly [bigint, bigint], isSettled: boolean) => ({
    ...{ sqrtPriceX96, depth0, depth1, isSettled },
  })
  const [near0, near1] = isNear ? measure(near, (samples) => heldFor(samples, whole, half)) : [0n, 0n]
  if (near0 > 0n && near1 > 0n) return settled([near0, near1], true)
  const [nearby0, nearby1] = measure(near, weightedMedian)
  const [lasting0, lasting1] = measure(open, (samples) => heldFor(samples, whole, nearlyAll))
  const [usual0, usual1] = measure(open, (samples) => heldFor(samples, whole, half))
  if (lasting0 > 0n && 2n * lasting0 >= lesser(nearby0, usual0) && 2n * lasting1 >= lesser(nearby1, usual1))
    return settled([lasting0, lasting1], true)
  // Its price is good for what has no other.
  if (open.length < moments.length) return { ...momentOf(now), sqrtPriceX96, isSettled: false }
  const [held0, held1] = measure(open, (samples) => heldFor(samples, sumWeights(open), half))
  return settled([lesser(greater(nearby0, now.depth0), held0), lesser(greater(nearby1, now.depth1), held1)], false)
}

/**
 * The most that was reached for more than a part of the whole, or, where all samples are exactly that part of it, the least of them;
 * 0 where they are less.
 */
function heldFor(samples: readonly Weighed[], whole: bigint, part: Part): bigint {
  const descending = samples
    .filter(({ weight }) => weight > 0n)
    .sort((a, b) => (a.value > b.value ? -1 : a.value < b.value ? 1 : 0))
  let above = 0n
  for (const { value, weight } of descending) {
    above += weight
    if (part.in * above > part.of * whole) return value
  }
  return part.in * above === part.of * whole ? (descending.at(-1)?.value ?? 0n) : 0n
}

const lesser = (a: bigint, b: bigint) => (a < b ? a : b)
const greater = (a: bigint, b: bigint) => (a > b ? a : b)
const sumWeights = (samples: readonly { readonly weight: bigint }[]) => samples.reduce((sum, { weight }) => sum + weight, 0n)
const momentOf = ({ sqrtPriceX96, depth0, depth1 }: PoolMoment): PoolMoment => ({ sqrtPriceX96, depth0, depth1 })

/** A price that a pool had from the end of a block on. */
export type PriceChange = { readonly atSeconds: number; readonly sqrtPriceX96: bigint }

/** The median of a pool's price over the window, out of its changes. Pure. @param changes at least one, in the order of the chain */
export function medianPrice(changes: readonly PriceChange[], window: PriceWindow): bigint {
  const toMoment = ({ sqrtPriceX96 }: PriceChange) => ({ ...noDepth, sqrtPriceX96 })
  const spans = changes.flatMap((change, i): PoolSpan[] => {
    const next = changes[i + 1]
    if (!next || next.atSeconds === change.atSeconds) return []
    return [{ ...toMoment(change), fromSeconds: change.atSeconds, untilSeconds: next.atSeconds }]
  })
  return weighWindow(spans, toMoment(changes.at(-1) as PriceChange), window).sqrtPriceX96
}
