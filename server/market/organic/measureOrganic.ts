import { type Address, absolute } from '@chainboard/core'
import type { Parties } from './findParties.ts'
import type { Trade } from './foldPositions.ts'
import type { GroupOf } from './joinOrigins.ts'
import type { Handed } from './readTransfers.ts'
import type { UsdOf } from './readUsdOf.ts'
import { wholePart } from './weighSwaps.ts'

/** A pool's swaps with the part of each, in millionths, that its largest provider earns nothing of. */
export type WeighedPool = {
  readonly token0: Address
  readonly token1: Address
  readonly trades: readonly Trade[]
  readonly parts: readonly bigint[]
}

/** What is organic of a token's volume. US dollars x 10^18. */
export type TokenOrganic = {
  readonly usdE18: bigint
  /** Volume whose origins are known and compared with each other. */
  readonly coveredUsdE18: bigint
}

/** What one party did with one token: bought when negative. And what others handed it, or it handed others when negative. */
type Dealings = { netRaw: bigint; grossRaw: bigint; netUsd: bigint; grossUsd: bigint; handedRaw: bigint; handedUsd: bigint }
type ByGroup = Map<string, Dealings>

export type Rules = {
  readonly groupOf: GroupOf
  readonly traderOf: Parties['traderOf']
  /** Tokens that a swap must be paid with, one way or the other: anybody can make others. */
  readonly quotes: ReadonlySet<Address>
  /** Whether a party's trades in a token may count; what may not is not covered. */
  readonly counts: (token: Address, trader: Address) => boolean
  /** What the parties of a token handed each other of it, and of quotes. */
  readonly handedOf: (token: Address) => readonly Handed[]
  readonly usdOf: UsdOf
}

/**
 * Net change of position of each party, in US dollars at each swap's own value. What a party bought and sold again leaves nothing, in
 * whatever pools; nor does what it bought and handed on, or was handed and sold, or paid with what was handed to it. So a transfer
 * takes away what it is worth and no more: nobody can be joined with strangers for less. A swap counts for a token when the other one
 * is a quote of the network. Pure.
 */
export function measureOrganic(pools: readonly WeighedPool[], rules: Rules): ReadonlyMap<Address, TokenOrganic> {
  const { covered, dealings } = collectDealings(pools, rules)
  return new Map(
    [...covered].map(([token, coveredUsdE18]) => {
      const groups = [...(dealings.get(token)?.values() ?? [])]
      return [token, { coveredUsdE18, usdE18: groups.reduce((sum, one) => sum + countDealings(one), 0n) / wholePart }]
    }),
  )
}

/** What of a token's organic volume is of each wallet or contract by itself, in millionths of it: those with most have to be compared first. Pure. */
export function rankTraders(
  pools: readonly WeighedPool[],
  rules: Omit<Rules, 'groupOf'>,
): ReadonlyMap<Address, ReadonlyMap<Address, bigint>> {
  const { traderOf } = rules
  const ranks = new Map<Address, Map<Address, bigint>>()
  // A contract's trades also belong to the wallet that signs them.
  for (const partyOf of [traderOf, ({ origin }: Pick<Trade, 'origin'>) => origin])
    for (const [token, ofToken] of collectDealings(pools, { ...rules, traderOf: partyOf, groupOf: (party) => party }).dealings) {
      const ranked = ranks.get(token) ?? new Map<Address, bigint>()
      ranks.set(token, ranked)
      for (const [party, one] of ofToken as ReadonlyMap<Address, Dealings>) {
        const [usd, known] = [countDealings(one), ranked.get(party) ?? 0n]
        ranked.set(party, usd > known ? usd : known)
      }
    }
  return ranks
}

function collectDealings(pools: readonly WeighedPool[], rules: Rules) {
  const { groupOf, traderOf, counts, handedOf, usdOf } = rules
  const covered = new Map<Address, bigint>()
  const dealings = new Map<Address, ByGroup>()
  const steps: (Step & { readonly token: Address })[] = []
  for (const pool of pools)
    pool.trades.forEach((trade, i) => {
      const trader = traderOf(trade)
      if (trader === undefined) return
      const [group, recipient] = [groupOf(trader), groupOf(trade.recipient)]
      for (const { token, amount, other, isPaid } of listSides(pool, trade, rules)) {
        if (!counts(token, trader)) continue
        if (isPaid) covered.set(token, (covered.get(token) ?? 0n) + trade.usdE18)
        const ofToken = dealings.get(token) ?? new Map<string, Dealings>()
        dealings.set(token, ofToken)
        addSwap(ofToken, group, { amount, weightedUsd: isPaid ? trade.usdE18 * (pool.parts[i] ?? 0n) : 0n })
        // Not what was paid in: in a pool of one's own, dust goes out for a fortune.
        const paidOut = isPaid && amount > 0n ? least(trade.usdE18, usdOf(other)) : 0n
        const received = amount < 0n ? { raw: -amount } : { usd: paidOut }
        if (recipient !== group) steps.push({ token, from: group, to: recipient, ...received })
      }
    })
  for (const [token, ofToken] of dealings)
    for (const one of handedOf(token)) {
      const worth = one.token === token ? { raw: one.amountRaw } : { usd: usdOf(one) }
      handOn(ofToken, { from: groupOf(one.from), to: groupOf(one.to), ...worth })
    }
  for (const step of steps) handOn(dealings.get(step.token), step)
  return { covered, dealings }
}

/** Both tokens of a swap, each with what went out of the pool of the other. `isPaid`: it counts for this one. */
function listSides({ token0, token1 }: WeighedPool, { amount0, amount1 }: Trade, { quotes }: Pick<Rules, 'quotes'>) {
  return [
    { token: token0, amount: amount0, other: { token: token1, amountRaw: -amount1 }, isPaid: quotes.has(token1) },
    { token: token1, amount: amount1, other: { token: token0, amountRaw: -amount0 }, isPaid: quotes.has(token0) },
  ]
}

function addSwap(dealings: ByGroup, group: string, { amount, weightedUsd }: { amount: bigint; weightedUsd: bigint }): void {
  const one = dealings.get(group) ?? { netRaw: 0n, grossRaw: 0n, netUsd: 0n, grossUsd: 0n, handedRaw: 0n, handedUsd: 0n }
  dealings.set(group, one)
  one.netRaw += amount
  one.grossRaw += absolute(amount)
  one.netUsd += amount < 0n ? weightedUsd : -weightedUsd
  one.grossUsd += weightedUsd
}

/** What one group handed another: tokens, or other money in US dollars x 10^18. */
type Step = { readonly from: string; readonly to: string; readonly raw?: bigint; readonly usd?: bigint }

/** Between two that trade: what was bought for others was bought all the same, and a contract is paid by those who call it. */
function handOn(dealings: ByGroup | undefined, { from, to, raw = 0n, usd = 0n }: Step): void {
  const [giver, taker] = [dealings?.get(from), dealings?.get(to)]
  if (!giver || !taker || giver === taker) return
  giver.handedRaw -= raw
  taker.handedRaw += raw
  giver.handedUsd -= usd * wholePart
  taker.handedUsd += usd * wholePart
}

/** By dollars and by tokens, whichever is less: a price that moved between buying and selling makes no volume. */
function countDealings({ netRaw, grossRaw, netUsd, grossUsd, handedRaw, handedUsd }: Dealings): bigint {
  if (grossRaw === 0n) return 0n
  // A buyer keeps what it did not hand on, a seller had what nobody handed to it; with money it is the other way round.
  const keptRaw = leave(absolute(netRaw), netRaw < 0n ? -handedRaw : handedRaw)
  const byTokens = (grossUsd * keptRaw) / grossRaw
  const byDollars = leave(absolute(netUsd), netUsd > 0n ? handedUsd : -handedUsd)
  return byTokens < byDollars ? byTokens : byDollars
}

/** What is left of an amount. @param taken nothing when negative */
function leave(amount: bigint, taken: bigint): bigint {
  if (taken <= 0n) return amount
  return taken < amount ? amount - taken : 0n
}

const least = (a: bigint, b: bigint) => (a < b ? a : b)
