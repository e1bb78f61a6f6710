import { type Depth, noDepth } from './executableDepth.ts'

/** Seconds over which prices are medians, where nothing else is said. */
export const defaultWindowSeconds = 240

/** A pool's price and depth at the end of a block. */
export type PoolMoment = Depth & { readonly sqrtPriceX96: bigint }

/** From the end of a block until the end of a later one that changed the price or the depth, in unix seconds. */
export type PoolSpan = PoolMoment & { readonly fromSeconds: number; readonly untilSeconds: number }

/**
 * Roots of prices within 2 % differ by one part in so many. An attacker who sets the median for a block, and holds depth near it, can
 * shift it by no more.
 */
const nearby = 100n

export type PriceWindow = { readonly nowSeconds: number; readonly windowSeconds: number }

/** What a pool's window comes to. */
export type WeighedWindow = PoolMoment & {
  /** Whether it had depth within 2 % of its median price for at least half of the window, or the depth was there all the way. */
  readonly isSettled: boolean
}

/** How much of the window. */
type Share = { readonly of: number; readonly in: number }
const half: Share = { of: 1, in: 2 }
/** An attacker who sets a false price within this time has to offer depth at it for at least three eighths of the window. */
const nearlyAll: Share = { of: 7, in: 8 }

/** What was there for so many seconds of the window. */
type Part = { readonly moment: PoolMoment; readonly seconds: number }
/** One of a moment's figures, and the order of parts by it. */
type Figure = { readonly of: (moment: PoolMoment) => bigint; readonly leastFirst: (a: Part, b: Part) => number }
const [price, depthOf0, depthOf1] = [
  toFigure(({ sqrtPriceX96 }) => sqrtPriceX96),
  toFigure(({ depth0 }) => depth0),
  toFigure(({ depth1 }) => depth1),
]

function toFigure(of: Figure['of']): Figure {
  return { of, leastFirst: (a, b) => (of(a.moment) < of(b.moment) ? -1 : of(a.moment) > of(b.moment) ? 1 : 0) }
}

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
  const parts = listParts(spans, now, { nowSeconds, windowSeconds })
  if (parts.length === 1) return { ...momentOf(now), isSettled: true }
  const isOpen = ({ moment }: Part) => moment.sqrtPriceX96 !== 0n
  const open = parts.every(isOpen) ? parts : parts.filter(isOpen)
  if (sumSeconds(open) === 0) return { ...momentOf(now), isSettled: false }
  const sqrtPriceX96 = medianOf(open, price)
  const apart = sqrtPriceX96 / nearby
  const [low, high] = [sqrtPriceX96 - apart, sqrtPriceX96 + apart]
  const near = open.filter(({ moment }) => moment.sqrtPriceX96 >= low && moment.sqrtPriceX96 <= high)
  const whole = sumSeconds(parts)
  if (2 * sumSeconds(near) >= whole) {
    const depth0 = heldFor(near, depthOf0, { whole, share: half })
    const depth1 = depth0 > 0n ? heldFor(near, depthOf1, { whole, share: half }) : 0n
    if (depth1 > 0n) return { sqrtPriceX96, depth0, depth1, isSettled: true }
  }
  const [nearby0, nearby1] = [medianOf(near, depthOf0), medianOf(near, depthOf1)]
  const held = (wanted: Held) => [heldFor(open, depthOf0, wanted), heldFor(open, depthOf1, wanted)] as const
  const [lasting0, lasting1] = held({ whole, share: nearlyAll })
  const [usual0, usual1] = held({ whole, share: half })
  if (lasting0 > 0n && 2n * lasting0 >= lesser(nearby0, usual0) && 2n * lasting1 >= lesser(nearby1, usual1))
    return { sqrtPriceX96, depth0: lasting0, depth1: lasting1, isSettled: true }
  // Its price is good for what has no other.
  if (open.length < parts.length) return { ...momentOf(now), sqrtPriceX96, isSettled: false }
  const [most0, most1] = held({ whole: sumSeconds(open), share: half })
  const depth0 = lesser(greater(nearby0, now.depth0), most0)
  return { sqrtPriceX96, depth0, depth1: lesser(greater(nearby1, now.depth1), most1), isSettled: false }
}

/** What was there in the window, and what is there now. */
function listParts(spans: readonly PoolSpan[], now: PoolMoment, { nowSeconds, windowSeconds }: PriceWindow): readonly Part[] {
  const start = nowSeconds - windowSeconds
  const parts: Part[] = []
  let changedAt = start
  for (const span of spans) {
    if (span.untilSeconds <= start) continue
    parts.push({ moment: span, seconds: span.untilSeconds - Math.max(start, span.fromSeconds) })
    changedAt = span.untilSeconds
  }
  parts.push({ moment: now, seconds: nowSeconds - changedAt })
  return parts
}

/** The least value that, with all below it, was there for half of the time: of an even split the lower one. */
function medianOf(parts: readonly Part[], { of, leastFirst }: Figure): bigint {
  const total = sumSeconds(parts)
  let below = 0
  for (const { moment, seconds } of parts.toSorted(leastFirst)) {
    below += seconds
    if (2 * below >= total && seconds > 0) return of(moment)
  }
  return 0n
}

type Held = { readonly whole: number; readonly share: Share }

/**
 * The most that was reached for more than a share of the whole time, or, where all parts are exactly that share of it, the least of them;
 * 0 where they are less.
 */
function heldFor(parts: readonly Part[], { of, leastFirst }: Figure, { whole, share }: Held): bigint {
  let [above, least] = [0, 0n]
  for (const { moment, seconds } of parts.toSorted(leastFirst).reverse()) {
    if (seconds <= 0) continue
    above += seconds
    least = of(moment)
    if (share.in * above > share.of * whole) return least
  }
  return share.in * above === share.of * whole ? least : 0n
}

const lesser = (a: bigint, b: bigint) => (a < b ? a : b)
const greater = (a: bigint, b: bigint) => (a > b ? a : b)
const sumSeconds = (parts: readonly Part[]) => parts.reduce((sum, { seconds }) => sum + seconds, 0)
const momentOf = ({ sqrtPriceX96, depth0, depth1 }: PoolMoment): PoolMoment => ({ sqrtPriceX96, depth0, depth1 })

/** A price that a pool had from the end of a block on. */
export type PriceChange = { readonly atSeconds: number; readonly sqrtPriceX96: bigint }

/** The median of a pool's price over the window, out of its changes. Pure. @param changes at least one, in the order of the chain */
export function medianPrice(changes: readonly PriceChange[], window: PriceWindow): bigint {
  const last = changes.at(-1)
  if (!last) throw new RangeError('A median of no prices')
  const toMoment = ({ sqrtPriceX96 }: PriceChange) => ({ ...noDepth, sqrtPriceX96 })
  const spans = changes.flatMap((change, i): PoolSpan[] => {
    const next = changes[i + 1]
    if (!next || next.atSeconds === change.atSeconds) return []
    return [{ ...toMoment(change), fromSeconds: change.atSeconds, untilSeconds: next.atSeconds }]
  })
  return weighWindow(spans, toMoment(last), window).sqrtPriceX96
}
