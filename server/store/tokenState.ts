/**
 * Where a token stands after the latest event of its pools. Amounts in smallest units, US dollars x 10^18 at the moment of
 * each event; `priceUsdE18` is 0 when it had no price.
 */
export type TokenState = {
  /** In all pools, by what events moved. */
  readonly reserve: bigint
  readonly totalVolume: bigint
  readonly totalVolumeUsdE18: bigint
  readonly totalFeesUsdE18: bigint
  readonly txCount: number
  readonly priceUsdE18: bigint
}

export const emptyTokenState: TokenState = {
  reserve: 0n,
  totalVolume: 0n,
  totalVolumeUsdE18: 0n,
  totalFeesUsdE18: 0n,
  txCount: 0,
  priceUsdE18: 0n,
}

type TokenStateRow = {
  reserve: string
  total_volume: string
  total_volume_usd: string
  total_fees_usd: string
  tx_count: number
  price_usd: string
}

export function fromTokenStateRow(row: TokenStateRow): TokenState {
  return {
    reserve: BigInt(row.reserve),
    totalVolume: BigInt(row.total_volume),
    totalVolumeUsdE18: BigInt(row.total_volume_usd),
    totalFeesUsdE18: BigInt(row.total_fees_usd),
    txCount: row.tx_count,
    priceUsdE18: BigInt(row.price_usd),
  }
}

export function toTokenStateRow(state: TokenState): TokenStateRow {
  return {
    reserve: state.reserve.toString(),
    total_volume: state.totalVolume.toString(),
    total_volume_usd: state.totalVolumeUsdE18.toString(),
    total_fees_usd: state.totalFeesUsdE18.toString(),
    tx_count: state.txCount,
    price_usd: state.priceUsdE18.toString(),
  }
}
