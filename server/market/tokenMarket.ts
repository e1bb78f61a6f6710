import type { WireWarning } from '@chainboard/contract'
import type { ByRecentSpan } from '@chainboard/core'
import type { Organic } from './organic/keepOrganic.ts'
import type { DisplayPool, Quote } from './source.ts'
import type { ListedToken } from './tokenList.ts'

/** One token's market at one moment. Money is US dollars x 10^18. */
export type TokenMarket = {
  readonly token: ListedToken
  /** Undefined: the token has no price; `reasons` says why. */
  readonly quote: Quote | undefined
  readonly reasons: readonly string[]
  /** Age up to which the price is current; 0 without a price. */
  readonly freshSecondsMax: number
  readonly displayPool: DisplayPool | undefined
  /** Whole tokens: the list's, else the chain's; undefined when neither says. */
  readonly supply: number | undefined
  /** Percent; undefined when there is no price that old. */
  readonly change24hPercent: number | undefined
  readonly change7dPercent: number | undefined
  /** Over shorter spans; absent where the source of the price does not know them. */
  readonly recentPercent?: ByRecentSpan<number | undefined> | undefined
  /** What trades on the chain within 2 % of the price, whoever sets it; undefined for a stable coin and when not known. */
  readonly depthUsdE18?: bigint | undefined
  /** Unix seconds of the first swap in a pool of the token; undefined when not known. */
  readonly firstTradeAtSeconds?: number | undefined
  /** Undefined while not all of the last 24 hours are read. */
  readonly volume24hUsdE18: bigint | undefined
  /** What of it is organic; absent while nothing is known. */
  readonly organic?: Organic
  /** Price x supply, or what the source of the price says. */
  readonly fdmcUsdE18: bigint
  readonly marketCapUsdE18: bigint
  /** What is wrong with the token itself, by the list, its source and its contract. */
  readonly warnings: readonly WireWarning[]
  /** Place by fully diluted market cap, from 1; tokens without a price come last, in the list's order. */
  readonly rank: number
}
