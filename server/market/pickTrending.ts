import type { Address } from '@chainboard/core'
import type { Snapshot } from './takeSnapshot.ts'
import type { TokenMarket } from './tokenMarket.ts'

const trendingCount = 5
const wholeFee = 1_000_000n

export type TrendingOptions = {
  /** Whether senders of transactions are known here: without an index gross volume counts. */
  readonly knowsOrigins: boolean
  /** Tokens that do not take part. */
  readonly without: ReadonlySet<Address>
}

/** A place among the trending tokens. `costUsdE18`: the fees that taking it costs at the least; undefined where only gross volume is known. */
export type TrendingPlace = { readonly market: TokenMarket; readonly costUsdE18: bigint | undefined }

/**
 * The tokens with the most volume of a day that counts, highest first. Pure. Of a token whose traders were not compared
 * nothing counts.
 */
export function pickTrending({ markets, feeMin }: Snapshot, { knowsOrigins, without }: TrendingOptions): TrendingPlace[] {
  const volumeOf = ({ volume24hUsdE18, organic }: TokenMarket) => {
    if (!knowsOrigins) return volume24hUsdE18 ?? 0n
    return organic?.isChecked ? organic.usdE18 : 0n
  }
  return markets
    .filter((market) => volumeOf(market) > 0n && !without.has(market.token.id))
    .sort((a, b) => (volumeOf(a) === volumeOf(b) ? a.rank - b.rank : volumeOf(a) > volumeOf(b) ? -1 : 1))
    .slice(0, trendingCount)
    .map((market) => ({
      market,
      costUsdE18: knowsOrigins && feeMin !== undefined ? (volumeOf(market) * BigInt(feeMin)) / wholeFee : undefined,
    }))
}
