import type { PositionChange } from '../../store/origins.ts'
import type { Parties } from './findParties.ts'
import type { GroupOf } from './joinOrigins.ts'
import type { TradedPool } from './readTradedPools.ts'

/** Parts of a swap are in millionths. */
export const wholePart = 1_000_000n

type Range = { readonly tickLower: number; readonly tickUpper: number; readonly byProvider: Map<string, bigint> }

const unknown = 'unknown'

/**
 * The part of each swap's fees, in millionths, that went to others than the pool's largest provider, and than who traded: liquidity in
 * range by whom it belongs to, at the place of the swap in the chain, the least of all ranges that the swap went through. Liquidity of an owner
 * that is not known counts as the largest provider's. Nothing of a swap by, or for, a contract that provides liquidity of the pool. Pure.
 * @param pool its changes since it was made, and its trades, in the order of the chain
 */
export function weighSwaps(
  { address, changes, trades }: Pick<TradedPool, 'address' | 'changes' | 'trades'>,
  parties: Omit<Parties, 'links'> & { readonly groupOf: GroupOf },
): bigint[] {
  const book = createPositionBook(parties)
  let next = 0
  return trades.map((trade) => {
    for (let change = changes[next]; change && isBefore(change, trade); change = changes[next]) {
      book.change(change)
      next += 1
    }
    const { tickBefore, tick } = trade
    if (parties.isOfProvider(address, trade)) return 0n
    const [trader, { groupOf }] = [parties.traderOf(trade), parties]
    const own = new Set([trader, trade.recipient].flatMap((party) => (party === undefined ? [] : groupOf(party))))
    return book.leastPartOfOthers(Math.min(tickBefore, tick), Math.max(tickBefore, tick), own)
  })
}

/** Who provides what, and who of them count as one. */
export type Grouped = Pick<Parties, 'providerOf'> & { readonly groupOf: GroupOf }

/** `to` is not one of them. */
type Ticks = { readonly from: number; readonly to: number }

type Place = { readonly blockNumber: number; readonly logIndex: number }

function isBefore(a: Place, b: Place): boolean {
  return a.blockNumber < b.blockNumber || (a.blockNumber === b.blockNumber && a.logIndex < b.logIndex)
}

/** A pool's positions as they change. What it knows of a range of ticks lasts until the next change. */
export function createPositionBook({ providerOf, groupOf }: Grouped) {
  const ranges = new Map<string, Range>()
  let edges: number[] | undefined
  const sharesAt = new Map<number, ReturnType<typeof findLargest>>()

  const change = (made: PositionChange): void => {
    const { owner, tickLower, tickUpper, delta } = made
    const provider = providerOf(made) ?? unknown
    edges = undefined
    sharesAt.clear()
    const key = `${owner} ${tickLower} ${tickUpper}`
    const range = ranges.get(key) ?? { tickLower, tickUpper, byProvider: new Map<string, bigint>() }
    ranges.set(key, range)
    if (delta > 0n) range.byProvider.set(provider, (range.byProvider.get(provider) ?? 0n) + delta)
    else remove(range.byProvider, provider, -delta)
    if (range.byProvider.size === 0) ranges.delete(key)
  }

  /** Liquidity by who provides it, times the ticks between the two that it is in range at. */
  const readRange = ({ from, to }: Ticks): ReadonlyMap<string, bigint> => {
    const inRange = new Map<string, bigint>()
    for (const { tickLower, tickUpper, byProvider } of ranges.values()) {
      const ticks = BigInt(Math.max(0, Math.min(tickUpper, to) - Math.max(tickLower, from)))
      if (ticks === 0n) continue
      for (const [provider, liquidity] of byProvider) inRange.set(provider, (inRange.get(provider) ?? 0n) + liquidity * ticks)
    }
    return inRange
  }

  const findLargest = (ticks: Ticks) => {
    const inRange = readRange(ticks)
    const [total, ofUnknown] = [sum(inRange), inRange.get(unknown) ?? 0n]
    const groups = new Map<string, bigint>()
    for (const [provider, liquidity] of inRange)
      if (provider !== unknown) groups.set(groupOf(provider), (groups.get(groupOf(provider)) ?? 0n) + liquidity)
    const [group, largest] = pickMost(groups) ?? [undefined, 0n]
    const members = new Map([...inRange].filter(([provider]) => provider !== unknown && groupOf(provider) === group))
    return { total, ofUnknown, largest, group, provider: pickMost(members)?.[0], groups }
  }

  /** Undefined where there is no liquidity: nothing is traded there. */
  const partOfOthers = (tick: number, traders: ReadonlySet<string>): bigint | undefined => {
    const shares = sharesAt.get(tick) ?? findLargest({ from: tick, to: tick + 1 })
    sharesAt.set(tick, shares)
    const { total, ofUnknown, largest, group, groups } = shares
    let others = total - ofUnknown - largest
    for (const trader of traders) if (trader !== group) others -= groups.get(trader) ?? 0n
    return total === 0n ? undefined : (others * wholePart) / total
  }

  return {
    change,
    /** What is in range between two ticks, and the group with most of it, by the member with most. */
    findLargest,
    /** @param traders groups that what they provide themselves counts nothing for */
    leastPartOfOthers: (low: number, high: number, traders: ReadonlySet<string>): bigint => {
      edges ??= toEdges(ranges)
      const first = findAbove(edges, low)
      let least: bigint | undefined
      for (let i = first - 1; i === first - 1 || (edges[i] ?? Number.POSITIVE_INFINITY) <= high; i += 1) {
        const part = partOfOthers(edges[i] ?? Number.NEGATIVE_INFINITY, traders)
        if (part !== undefined && (least === undefined || part < least)) least = part
      }
      return least ?? 0n
    },
  }
}

function sum(amounts: ReadonlyMap<string, bigint>): bigint {
  return [...amounts.values()].reduce((total, amount) => total + amount, 0n)
}

function pickMost(amounts: ReadonlyMap<string, bigint>): readonly [string, bigint] | undefined {
  let most: readonly [string, bigint] | undefined
  for (const entry of amounts) if (!most || entry[1] > most[1]) most = entry
  return most
}

/**
 * Takes liquidity away: of the provider that burned it, then, where a position has changed hands, of unknown owners, then of the
 * largest, down to the level of the next ones. Who had it is not known then, so nobody gains a share by it, and the sum is what the
 * pool has.
 */
function remove(byProvider: Map<string, bigint>, provider: string, amount: bigint): void {
  let left = amount
  for (const name of [provider, unknown]) {
    const has = byProvider.get(name) ?? 0n
    const taken = has < left ? has : left
    left -= taken
    if (taken === has) byProvider.delete(name)
    else byProvider.set(name, has - taken)
  }
  if (left > 0n) level(byProvider, left)
}

function level(byProvider: Map<string, bigint>, amount: bigint): void {
  const largestFirst = [...byProvider].sort(([, a], [, b]) => (a > b ? -1 : a < b ? 1 : 0))
  let above = -amount
  for (const [i, [, has]] of largestFirst.entries()) {
    above += has
    const count = BigInt(i + 1)
    const next = largestFirst[i + 1]?.[1] ?? 0n
    if (above < count * next) continue
    // These have so much left together: as much each, and a unit more for the first ones.
    const left = above > 0n ? above : 0n
    for (const [place, [name]] of largestFirst.slice(0, i + 1).entries()) {
      const share = left / count + (BigInt(place) < left % count ? 1n : 0n)
      if (share === 0n) byProvider.delete(name)
      else byProvider.set(name, share)
    }
    return
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
    if ((edges[middle] ?? tick) > tick) high = middle
    else low = middle + 1
  }
  return low
}
