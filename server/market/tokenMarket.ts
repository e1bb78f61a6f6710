import type { WireWarning } from '@chainboard/contract'
import { type ByRecentSpan, mapRecentSpans, percentChange } from '@chainboard/core'
import type { Organic } from './organic/keepOrganic.ts'
import type { DisplayPool, Quote, SourceAnswer } from './source.ts'
import type { ListedToken } from './tokenList.ts'

/** What follows from a token's price, its supply and its pools. Money is US dollars x 10^18. A new figure of a token is a field here, and `toFigures`. */
export type TokenFigures = {
  /** Percent; undefined when there is no price that old. */
  readonly change24hPercent: number | undefined
  readonly change7dPercent: number | undefined
  /** Over shorter spans; absent where the source of the price does not know them. */
  readonly recentPercent?: ByRecentSpan<number | undefined> | undefined
  /** What trades on the chain within 2 % of the price, whoever sets it; undefined for a stable coin and when not known. */
  readonly depthUsdE18?: bigint | undefined
  /** Undefined while not all of the last 24 hours are read. */
  readonly volume24hUsdE18: bigint | undefined
  /** Price x supply, or what the source of the price says. */
  readonly fdmcUsdE18: bigint
  readonly marketCapUsdE18: bigint
}

/** One token's market at one moment. Money is US dollars x 10^18. */
export type TokenMarket = TokenFigures & {
  readonly token: ListedToken
  /** Undefined: the token has no price; `reasons` says why. */
  readonly quote: Quote | undefined
  readonly reasons: readonly string[]
  /** Age up to which the price is current; 0 without a price. */
  readonly freshSecondsMax: number
  readonly displayPool: DisplayPool | undefined
  /** Whole tokens: the list's, else the chain's; undefined when neither says. */
  readonly supply: number | undefined
  /** Unix seconds of the first swap in a pool of the token; undefined when not known. */
  readonly firstTradeAtSeconds?: number | undefined
  /** What of it is organic; absent while nothing is known. */
  readonly organic?: Organic
  /** What is wrong with the token itself, by the list, its source and its contract. */
  readonly warnings: readonly WireWarning[]
  /** Place by fully diluted market cap, from 1; tokens without a price come last, in the list's order. */
  readonly rank: number
}

type Known = {
  /** Whole tokens. */
  readonly supply: number | undefined
  readonly quote: Quote | undefined
  /** What the source that reads the chain says of the token. */
  readonly onChain: SourceAnswer | undefined
  /** Undefined while not all of the last 24 hours are read. */
  readonly volume24hUsdE18: bigint | undefined
}

/** Pure. Every figure has to be there: `Required` makes the compiler say which is missing. */
export function toFigures({ supply, quote, onChain, volume24hUsdE18 }: Known): Required<TokenFigures> {
  if (!quote) {
    return {
      change24hPercent: undefined,
      change7dPercent: undefined,
      recentPercent: undefined,
      depthUsdE18: undefined,
      volume24hUsdE18: 0n,
      fdmcUsdE18: 0n,
      marketCapUsdE18: 0n,
    }
  }
  const { usdE18, dayAgoUsdE18, weekAgoUsdE18, recentUsdE18 } = quote
  const changeSince = (before: bigint | undefined) => (before === undefined ? undefined : percentChange(before, usdE18))
  const ofSupplyUsdE18 = timesSupply(usdE18, supply)
  return {
    change24hPercent: changeSince(dayAgoUsdE18),
    change7dPercent: changeSince(weekAgoUsdE18),
    recentPercent: recentUsdE18 && mapRecentSpans((span) => changeSince(recentUsdE18[span])),
    depthUsdE18: onChain?.kind === 'quoted' ? onChain.quote.depthUsdE18 : undefined,
    volume24hUsdE18,
    fdmcUsdE18: quote.fdmcUsdE18 ?? ofSupplyUsdE18,
    marketCapUsdE18: quote.marketCapUsdE18 ?? ofSupplyUsdE18,
  }
}

/** The list's supply is a JSON number; its millionths are enough for a product shown with two decimals. */
const supplyScale = 1_000_000

/** US dollars x 10^18 of so many whole tokens; 0 where that is not known. */
export function timesSupply(usdE18: bigint, supply: number | undefined): bigint {
  if (supply === undefined) return 0n
  const whole = Math.trunc(supply)
  const millionths = BigInt(Math.round((supply - whole) * supplyScale))
  return usdE18 * BigInt(whole) + (usdE18 * millionths) / BigInt(supplyScale)
}
