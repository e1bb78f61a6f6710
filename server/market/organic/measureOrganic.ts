import { type Address, absolute } from '@chainboard/core'
import type { Trade } from '../../store/origins.ts'
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

/** What one origin did with one token. */
type Dealings = { netRaw: bigint; grossRaw: bigint; netUsd: bigint; grossUsd: bigint }

export type Rules = {
  readonly groupOf: GroupOf
  /** Tokens that a swap must be paid with, one way or the other: anybody can make others. */
  readonly quotes: ReadonlySet<Address>
  /** Whether an origin's trades in a token may count; what may not is not covered. */
  readonly counts: (token: Address, origin: Address) => boolean
}

/**
 * Net change of position of each origin, in US dollars at each swap's own value. What an origin bought and sold again leaves
 * nothing, in whatever pools. A swap counts for a token when the other one is a quote of the network. Pure.
 */
export function measureOrganic(
  pools: readonly WeighedPool[],
  { groupOf, quotes, counts }: Rules,
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
        const one = ofToken.get(group) ?? { netRaw: 0n, grossRaw: 0n, netUsd: 0n, grossUsd: 0n }
        ofToken.set(group, one)
        one.netRaw += amount
        one.grossRaw += absolute(amount)
        one.netUsd += amount < 0n ? weightedUsd : -weightedUsd
        one.grossUsd += weightedUsd
      }
    })
  return new Map(
    [...covered].map(([token, coveredUsdE18]) => {
      const groups = [...(dealings.get(token)?.values() ?? [])]
      return [token, { coveredUsdE18, usdE18: groups.reduce((sum, one) => sum + countDealings(one), 0n) / wholePart }]
    }),
  )
}

/** By dollars and by tokens, whichever is less: a price that moved between buying and selling makes no volume. */
function countDealings({ netRaw, grossRaw, netUsd, grossUsd }: Dealings): bigint {
  if (grossRaw === 0n) return 0n
  const byTokens = (grossUsd * absolute(netRaw)) / grossRaw
  const byDollars = absolute(netUsd)
  return byTokens < byDollars ? byTokens : byDollars
}
