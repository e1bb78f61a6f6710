import { type Address, absolute } from '@chainboard/core'
import type { Trade } from './readTradedPools.ts'
import type { Handed } from './readTransfers.ts'
import { type GroupOf, wholePart } from './weighSwaps.ts'

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

/** What one origin did with one token: bought when negative. And what others handed it, or it handed others when negative. */
type Dealings = { netRaw: bigint; grossRaw: bigint; netUsd: bigint; grossUsd: bigint; handedRaw: bigint; handedUsd: bigint }

export type Rules = {
  readonly groupOf: GroupOf
  /** Tokens that a swap must be paid with, one way or the other: anybody can make others. */
  readonly quotes: ReadonlySet<Address>
  /** Whether an origin's trades in a token may count; what may not is not covered. */
  readonly counts: (token: Address, origin: Address) => boolean
  /** What the origins of a token handed each other of it, and of quotes. */
  readonly handedOf: (token: Address) => readonly Handed[]
}

/**
 * Net change of position of each origin, in US dollars at each swap's own value. What an origin bought and sold again leaves
 * nothing, in whatever pools; nor does what it bought and handed on, or was handed and sold, or paid with what was handed to it. So a
 * transfer takes away what it is worth and no more: nobody can be joined with strangers for less. A swap counts for a token when the other one is a quote of the network. Pure.
 */
export function measureOrganic(
  pools: readonly WeighedPool[],
  { groupOf, quotes, counts, handedOf }: Rules,
): ReadonlyMap<Address, TokenOrganic> {
  const covered = new Map<Address, bigint>()
  const dealings = new Map<Address, Map<string, Dealings>>()
  for (const { token0, token1, trades, parts } of pools)
    trades.forEach(({ origin, usdE18, amount0, amount1 }, i) => {
      if (origin === undefined) return
      for (const [token, amount, other] of [[token0, amount0, token1] as const, [token1, amount1, token0] as const]) {
        if (!counts(token, origin)) continue
        const isPaid = quotes.has(other)
        if (isPaid) covered.set(token, (covered.get(token) ?? 0n) + usdE18)
        const weightedUsd = isPaid ? usdE18 * (parts[i] ?? 0n) : 0n
        const ofToken = dealings.get(token) ?? new Map<string, Dealings>()
        dealings.set(token, ofToken)
        const group = groupOf(origin)
        const one = ofToken.get(group) ?? { ...none }
        ofToken.set(group, one)
        one.netRaw += amount
        one.grossRaw += absolute(amount)
        one.netUsd += amount < 0n ? weightedUsd : -weightedUsd
        one.grossUsd += weightedUsd
      }
    })
  const usdOf = averagePrices(pools)
  for (const [token, ofToken] of dealings)
    for (const one of handedOf(token)) {
      const [from, to] = [groupOf(one.from), groupOf(one.to)]
      if (from !== to) handOn(ofToken, { from, to, ...(one.token === token ? { raw: one.amountRaw } : { usd: usdOf(one) }) })
    }
  return new Map(
    [...covered].map(([token, coveredUsdE18]) => {
      const groups = [...(dealings.get(token)?.values() ?? [])]
      return [token, { coveredUsdE18, usdE18: groups.reduce((sum, one) => sum + countDealings(one), 0n) / wholePart }]
    }),
  )
}

const none: Dealings = { netRaw: 0n, grossRaw: 0n, netUsd: 0n, grossUsd: 0n, handedRaw: 0n, handedUsd: 0n }

type Step = { readonly from: string; readonly to: string; readonly raw?: bigint; readonly usd?: bigint }

function handOn(dealings: ReadonlyMap<string, Dealings>, { from, to, raw = 0n, usd = 0n }: Step): void {
  for (const [group, sign] of [[from, -1n] as const, [to, 1n] as const]) {
    const one = dealings.get(group)
    if (!one) continue
    one.handedRaw += sign * raw
    one.handedUsd += sign * usd * wholePart
  }
}

/** US dollars x 10^18 of an amount, by the average of the token's swaps. */
export function averagePrices(pools: readonly Pick<WeighedPool, 'token0' | 'token1' | 'trades'>[]) {
  const sums = new Map<Address, { usd: bigint; raw: bigint }>()
  for (const { token0, token1, trades } of pools)
    for (const { usdE18, amount0, amount1 } of trades)
      for (const [token, amount] of [[token0, amount0] as const, [token1, amount1] as const]) {
        const sum = sums.get(token) ?? { usd: 0n, raw: 0n }
        sums.set(token, sum)
        sum.usd += usdE18
        sum.raw += absolute(amount)
      }
  return ({ token, amountRaw }: Pick<Handed, 'token' | 'amountRaw'>): bigint => {
    const { usd, raw } = sums.get(token) ?? { usd: 0n, raw: 0n }
    return raw === 0n ? 0n : (amountRaw * usd) / raw
  }
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
