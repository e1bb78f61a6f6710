import { type Depth, noDepth } from './executableDepth.ts'
import { absolute } from './fixedPoint.ts'
import { weightedMedian } from './weightedMedian.ts'

/** Seconds over which prices are medians, where nothing else is said. */
export const defaultWindowSeconds = 240

/** A pool's price and depth at the end of a block. */
export type PoolMoment = Depth & { readonly sqrtPriceX96: bigint }

/** From the end of a block until the end of a later one that changed the price or the depth, in unix seconds. */
export type PoolSpan = PoolMoment & { readonly fromSeconds: number; readonly untilSeconds: number }

/** Roots of prices within 10 %, in parts of 10,000. */
const nearby = 488n

export type PriceWindow = { readonly nowSeconds: number; readonly windowSeconds: number }

/**
 * The medians of a pool's price and of its depths over the window, each weighted by how long it lasted: what was there for less
 * than half of the time does not show. Depths are those of the time in which the price was within 10 % of its median: what was there at
 * another price is no liquidity at this one. Of an even split the lower one. Pure.
 * @param spans ascending and without gaps; what was before the first is not known and does not count
 * @param now since the last span's end
 */
export function weighWindow(spans: readonly PoolSpan[], now: PoolMoment, { nowSeconds, windowSeconds }: PriceWindow): PoolMoment {
  const start = nowSeconds - windowSeconds
  const inside = spans.filter(({ untilSeconds }) => untilSeconds > start)
  const changedAt = inside.at(-1)?.untilSeconds
  if (changedAt === undefined) return now
  const moments = [...inside, { ...now, fromSeconds: changedAt, untilSeconds: nowSeconds }].map((span) => ({
    span,
    weight: BigInt(span.untilSeconds - Math.max(start, span.fromSeconds)),
  }))
  const sqrtPriceX96 = weightedMedian(moments.map(({ span, weight }) => ({ value: span.sqrtPriceX96, weight })))
  const near = moments.filter(({ span }) => absolute(span.sqrtPriceX96 - sqrtPriceX96) * 10_000n <= sqrtPriceX96 * nearby)
  return {
    sqrtPriceX96,
    depth0: weightedMedian(near.map(({ span, weight }) => ({ value: span.depth0, weight }))),
    depth1: weightedMedian(near.map(({ span, weight }) => ({ value: span.depth1, weight }))),
  }
}

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
