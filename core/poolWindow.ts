import { type Depth, noDepth } from './executableDepth.ts'
import { absolute } from './fixedPoint.ts'
import { type Weighed, weightedMedian } from './weightedMedian.ts'

/** Seconds over which prices are medians, where nothing else is said. */
export const defaultWindowSeconds = 240

/** A pool's price and depth at the end of a block. */
export type PoolMoment = Depth & { readonly sqrtPriceX96: bigint }

/** From the end of a block until the end of a later one that changed the price or the depth, in unix seconds. */
export type PoolSpan = PoolMoment & { readonly fromSeconds: number; readonly untilSeconds: number }

/** Roots of prices within 10 %, in parts of 10,000. */
const nearby = 488n

export type PriceWindow = { readonly nowSeconds: number; readonly windowSeconds: number }

/** What a pool's window comes to. */
export type WeighedWindow = PoolMoment & {
  /** Whether the price was within 10 % of its median for at least half of the window. */
  readonly isSettled: boolean
}

/**
 * The median of a pool's price over the window, and the depth that it had near that price, each weighted by how long it lasted. A depth
 * counts when at least that much was there for half of the window, while the price was within 10 % of its median: what was there at
 * another price is no liquidity at this one, and what was there for less than half of the time does not show. A price that is not
 * settled has no depth by that measure. It gets the median of what was near it, and counts only where nothing settled does. Of an even
 * split the lower one. Pure.
 * @param spans ascending and without gaps; what was before the first is not known and does not count
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
  const sqrtPriceX96 = weightedMedian(moments.map(({ span, weight }) => ({ value: span.sqrtPriceX96, weight })))
  const near = moments.filter(({ span }) => absolute(span.sqrtPriceX96 - sqrtPriceX96) * 10_000n <= sqrtPriceX96 * nearby)
  const whole = sumWeights(moments)
  const isSettled = 2n * sumWeights(near) >= whole
  const toDepth = (pick: (span: PoolSpan) => bigint) => {
    const samples = near.map(({ span, weight }) => ({ value: pick(span), weight }))
    return isSettled ? heldFor(samples, whole) : weightedMedian(samples)
  }
  return { sqrtPriceX96, depth0: toDepth(({ depth0 }) => depth0), depth1: toDepth(({ depth1 }) => depth1), isSettled }
}

/** The most that was reached for more than half of the whole, or, where all samples are exactly half of it, the least of them. */
function heldFor(samples: readonly Weighed[], whole: bigint): bigint {
  const descending = samples
    .filter(({ weight }) => weight > 0n)
    .sort((a, b) => (a.value > b.value ? -1 : a.value < b.value ? 1 : 0))
  let above = 0n
  for (const { value, weight } of descending) {
    above += weight
    if (2n * above > whole) return value
  }
  return descending.at(-1)?.value ?? 0n
}

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
