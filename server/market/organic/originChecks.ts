import type { Address } from '@chainboard/core'
import type { Parties } from './findParties.ts'
import type { WeighedPool } from './measureOrganic.ts'
import type { TradedPool } from './readTradedPools.ts'
import type { Handed } from './readTransfers.ts'

/** Wallets of a token that are compared with each other: those that paid most to others, and providers of its pools. */
const tradersMax = 400
const providersMax = 100
/** After so long the transfers between them are read again. */
const recheckMs = 600_000
/** A new trader has them read again after so long; until then what he trades counts nothing. */
const recheckNewMs = 60_000
/** Tokens whose transfers are read in a turn. */
const tokensPerTurn = 4

/** When the transfers of a token, and of money, between wallets were read. */
export type OriginCheck = { readonly origins: ReadonlySet<string>; readonly handed: readonly Handed[]; readonly atMs: number }

/** The wallets and contracts of a token whose transfers to each other matter, those with most dollars that may count first. Pure. */
export function listOrigins(
  token: Address,
  pools: readonly (TradedPool & WeighedPool)[],
  { traderOf, providerOf }: Pick<Parties, 'traderOf' | 'providerOf'>,
): Address[] {
  const own = pools.filter(({ token0, token1 }) => token0 === token || token1 === token)
  const traded = new Map<Address, bigint>()
  for (const { trades, parts } of own)
    trades.forEach((trade, i) => {
      for (const one of new Set([traderOf(trade), trade.origin]))
        if (one) traded.set(one, (traded.get(one) ?? 0n) + trade.usdE18 * (parts[i] ?? 0n))
    })
  const traders = [...traded].sort(([, a], [, b]) => (a > b ? -1 : a < b ? 1 : 0)).slice(0, tradersMax)
  const providers = own.flatMap(({ changes }) => changes.toReversed().flatMap((change) => providerOf(change) ?? []))
  return [...new Set([...traders.map(([one]) => one), ...[...new Set(providers)].slice(0, providersMax)])]
}

/** Which tokens to check in this turn: those never checked first, then the longest ago. Pure. */
export function pickToCheck(
  tokens: readonly Address[],
  originsOf: (token: Address) => readonly Address[],
  { checks, nowMs }: { readonly checks: ReadonlyMap<Address, OriginCheck>; readonly nowMs: number },
): Address[] {
  const isDue = (token: Address) => {
    const check = checks.get(token)
    if (!check || nowMs - check.atMs >= recheckMs) return true
    return nowMs - check.atMs >= recheckNewMs && originsOf(token).some((origin) => !check.origins.has(origin))
  }
  const atMs = (token: Address) => checks.get(token)?.atMs ?? 0
  return tokens
    .filter(isDue)
    .sort((a, b) => atMs(a) - atMs(b))
    .slice(0, tokensPerTurn)
}
