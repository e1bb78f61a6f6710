import type { PositionChange } from '../../store/origins.ts'
import type { Trade } from './readTradedPools.ts'

/** Parts of a swap are in millionths. */
export const wholePart = 1_000_000n

/** Names the wallets that count as one: any text, the same for all of them. */
export type GroupOf = (origin: string) => string

type Range = { readonly tickLower: number; readonly tickUpper: number; readonly byOrigin: Map<string, bigint> }

const unknown = 'unknown'

/**
 * The part of each swap's fees, in millionths, that went to others than the pool's largest provider: liquidity in range by the origin
 * of its mints, at the place of the swap in the chain, the least of all ranges that the swap went through. Liquidity of an origin
 * that is not known counts as the largest provider's. Pure.
 * @param changes of the pool since it was made, in the order of the chain
 * @param trades in the order of the chain
 */
export function weighSwaps(changes: readonly PositionChange[], trades: readonly Trade[], groupOf: GroupOf): bigint[] {
  const book = createPositionBook(groupOf)
  let next = 0
  return trades.map((trade) => {
    for (let change = changes[next]; change && isBefore(change, trade); change = changes[next]) {
      book.change(change)
      next += 1
    }
    const { tickBefore, tick } = trade
    return book.leastPartOfOthers(Math.min(tickBefore, tick), Math.max(tickBefore, tick))
  })
}

type Place = { readonly blockNumber: number; readonly logIndex: number }

function isBefore(a: Place, b: Place): boolean {
  return a.blockNumber < b.blockNumber || (a.blockNumber === b.blockNumber && a.logIndex < b.logIndex)
}

/** A pool's positions as they change. What it knows of a range of ticks lasts until the next change. */
function createPositionBook(groupOf: GroupOf) {
  const ranges = new Map<string, Range>()
  let edges: number[] | undefined
  const partAt = new Map<number, bigint | undefined>()

  const change = ({ owner, tickLower, tickUpper, delta, origin: sender }: PositionChange): void => {
    const origin = sender ?? unknown
    edges = undefined
    partAt.clear()
    const key = `${owner} ${tickLower} ${tickUpper}`
    const range = ranges.get(key) ?? { tickLower, tickUpper, byOrigin: new Map<string, bigint>() }
    ranges.set(key, range)
    if (delta > 0n) range.byOrigin.set(origin, (range.byOrigin.get(origin) ?? 0n) + delta)
    else remove(range.byOrigin, origin, -delta)
    if (range.byOrigin.size === 0) ranges.delete(key)
  }

  /** Undefined where there is no liquidity: nothing is traded there. */
  const partOfOthers = (tick: number): bigint | undefined => {
    const byGroup = new Map<string, bigint>()
    let [total, ofUnknown] = [0n, 0n]
    for (const { tickLower, tickUpper, byOrigin } of ranges.values()) {
      if (tick < tickLower || tick >= tickUpper) continue
      for (const [origin, liquidity] of byOrigin) {
        total += liquidity
        if (origin === unknown) ofUnknown += liquidity
        else byGroup.set(groupOf(origin), (byGroup.get(groupOf(origin)) ?? 0n) + liquidity)
      }
    }
    const largest = [...byGroup.values()].reduce((most, liquidity) => (liquidity > most ? liquidity : most), 0n)
    return total === 0n ? undefined : ((total - ofUnknown - largest) * wholePart) / total
  }

  return {
    change,
    leastPartOfOthers: (low: number, high: number): bigint => {
      edges ??= toEdges(ranges)
      const first = findAbove(edges, low)
      let least: bigint | undefined
      for (let i = first - 1; i === first - 1 || (edges[i] ?? Number.POSITIVE_INFINITY) <= high; i += 1) {
        const from = edges[i] ?? Number.NEGATIVE_INFINITY
        if (!partAt.has(from)) partAt.set(from, partOfOthers(from))
        const part = partAt.get(from)
        if (part !== undefined && (least === undefined || part < least)) least = part
      }
      return least ?? 0n
    },
  }
}

/** Takes liquidity away, first of the origin that burned it, then, where a position has changed hands, of the smallest. */
function remove(byOrigin: Map<string, bigint>, origin: string, amount: bigint): void {
  const smallestFirst = [...byOrigin].sort(([, a], [, b]) => (a < b ? -1 : a > b ? 1 : 0)).map(([name]) => name)
  let left = amount
  for (const name of [origin, ...smallestFirst]) {
    const has = byOrigin.get(name) ?? 0n
    const taken = has < left ? has : left
    left -= taken
    if (taken === has) byOrigin.delete(name)
    else byOrigin.set(name, has - taken)
  }
}

/** Ticks at which liquidity in range changes, ascending. */
function toEdges(ranges: ReadonlyMap<string, Range>): number[] {
  return [...new Set([...ranges.values()].flatMap(({ tickLower, tickUpper }) => [tickLower, tickUpper]))].sort((a, b) => a - b)
}

/** The place of the first edge above a tick. */
function findAbove(edges: readonly number[], tick: number): number {
  let [low, high] = [0, edges.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((edges[middle] as number) > tick) high = middle
    else low = middle + 1
  }
  return low
}
