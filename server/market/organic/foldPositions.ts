import { absolute } from '@chainboard/core'
import type { PositionChange, StoredTrade } from '../../store/origins.ts'
import { nearTicks } from './nearTicks.ts'

/** A swap with the tick that it began at, whatever stands between it and the one before in a list. */
export type Trade = StoredTrade & { readonly tickBefore: number }

/** Positions of a pool that are kept: those that matter most near its price. */
const positionsMax = 5_000

/** `gap`: how many of the pool's trades were before. */
type Entry = { readonly gap: number; readonly change: PositionChange }

type Position = {
  readonly tickLower: number
  readonly tickUpper: number
  readonly entries: Map<string, Entry>
  total: bigint
  gap: number
  totalBeforeGap: bigint
}

type Place = Pick<PositionChange, 'blockNumber' | 'logIndex'>

/**
 * Takes the changes of a pool's liquidity in the order of the chain, and keeps what they come to: of each position the sums by signer
 * between two trades. What is added and removed again without a trade in between leaves nothing, so that no number of changes
 * displaces a position. Left out are positions that no trade went through and that are not near the price now, and others as a whole:
 * a burn is never left out while its mint is kept.
 * @param trades in the order of the chain @param tick at which the pool is now
 */
export function createPositionFold(trades: readonly Trade[], tick: number) {
  const positions = new Map<string, Position>()
  const zone = toZone(trades, tick)
  let gap = 0
  const add = (change: PositionChange): void => {
    for (let trade = trades[gap]; trade && isBefore(trade, change); trade = trades[gap]) gap += 1
    const { owner, tickLower, tickUpper } = change
    if (tickLower > zone.high || tickUpper <= zone.low) return
    const key = `${owner} ${tickLower} ${tickUpper}`
    const known = positions.get(key)
    const position = known ?? { tickLower, tickUpper, entries: new Map(), total: 0n, gap, totalBeforeGap: 0n }
    if (!known) positions.set(key, position)
    addTo(position, { gap, change })
    if (position.entries.size === 0) positions.delete(key)
  }
  return {
    add,
    /** Between two trades, additions come before removals: a wallet that was given a position removes it later. */
    list: (): PositionChange[] =>
      pickLargest([...positions.values()], trades, tick)
        .flatMap(({ entries }) => [...entries.values()])
        .sort((a, b) => a.gap - b.gap || compareSigns(a.change, b.change) || comparePlaces(a.change, b.change))
        .map(({ change }) => change),
  }
}

function addTo(position: Position, { gap, change }: Entry): void {
  if (position.gap !== gap) {
    position.gap = gap
    position.totalBeforeGap = position.total
  }
  position.total += change.delta
  const { entries } = position
  const key = `${gap} ${change.origin ?? change.txHash}`
  const merged = merge(entries.get(key)?.change, change)
  if (merged.delta === 0n) entries.delete(key)
  else entries.set(key, { gap, change: merged })
  // The position was empty at the trade before, and is empty again: these changes can alter no trade.
  if (position.total === 0n && position.totalBeforeGap === 0n)
    for (const [name, entry] of entries) if (entry.gap === gap) entries.delete(name)
}

/** Dollars: of both if both add or both remove, else of what is left of the larger. The owner acted if it did in one of them. */
function merge(before: PositionChange | undefined, change: PositionChange): PositionChange {
  if (!before) return change
  const delta = before.delta + change.delta
  const larger = absolute(before.delta) > absolute(change.delta) ? before : change
  const isSameWay = before.delta > 0n === change.delta > 0n
  const usdE18 = isSameWay ? before.usdE18 + change.usdE18 : (larger.usdE18 * absolute(delta)) / absolute(larger.delta)
  const sender = [before, change].some((one) => one.delta < 0n || one.sender === one.owner) ? change.owner : change.sender
  return { ...change, delta, usdE18, sender }
}

/** Ticks that trades went through, and those near the one now. */
function toZone(trades: readonly Trade[], tick: number) {
  const { from, to } = nearTicks(tick)
  let [low, high] = [from, to - 1]
  for (const trade of trades) {
    low = Math.min(low, trade.tick, trade.tickBefore)
    high = Math.max(high, trade.tick, trade.tickBefore)
  }
  return { low, high }
}

/** Those near the price now before others, then by liquidity, which counts by the dollars traded while it was there, and as they all if it still is. */
function pickLargest(positions: readonly Position[], trades: readonly Trade[], tick: number): readonly Position[] {
  if (positions.length <= positionsMax) return positions
  const tradedBefore = [0n]
  for (const [i, { usdE18 }] of trades.entries()) tradedBefore.push((tradedBefore[i] ?? 0n) + usdE18)
  const all = tradedBefore.at(-1) ?? 0n
  const weightOf = ({ entries }: Position) =>
    [...entries.values()].reduce((sum, { gap, change }) => sum + change.delta * (2n * all - (tradedBefore[gap] ?? 0n) + 1n), 0n)
  const { from, to } = nearTicks(tick)
  const isNear = ({ tickLower, tickUpper }: Position) => tickLower < to && from < tickUpper
  return positions
    .map((position) => ({ position, weight: weightOf(position), place: isNear(position) ? 0 : 1 }))
    .sort((a, b) => a.place - b.place || (a.weight > b.weight ? -1 : a.weight < b.weight ? 1 : 0))
    .slice(0, positionsMax)
    .map(({ position }) => position)
}

function isBefore(a: Place, b: Place): boolean {
  return comparePlaces(a, b) < 0
}

function comparePlaces(a: Place, b: Place): number {
  return a.blockNumber - b.blockNumber || a.logIndex - b.logIndex
}

function compareSigns(a: PositionChange, b: PositionChange): number {
  return Number(a.delta < 0n) - Number(b.delta < 0n)
}
