/** Where a pool stands after an event. `tick` is undefined before Initialize. Reserves count what events moved, in smallest units. */
export type PoolStanding = {
  readonly sqrtPriceX96: bigint
  readonly tick: number | undefined
  readonly liquidity: bigint
  readonly reserve0: bigint
  readonly reserve1: bigint
}

/** What a pool did since it was made. US dollars x 10^18 at the moment of each event; amounts in smallest units. */
export type PoolTotals = {
  readonly totalVolume0: bigint
  readonly totalVolume1: bigint
  readonly totalVolumeUsdE18: bigint
  readonly totalFeesUsdE18: bigint
  readonly collected0: bigint
  readonly collected1: bigint
  readonly collectedUsdE18: bigint
  /** What it held, at the prices of its latest event. */
  readonly tvlUsdE18: bigint
  /** Events but Initialize. */
  readonly txCount: number
  /** `feeGrowthGlobal0X128` as the events make it; undefined when one of them did not fit. */
  readonly feeGrowth0: bigint | undefined
  readonly feeGrowth1: bigint | undefined
}

export type PoolState = PoolStanding & PoolTotals

export const emptyPoolState: PoolState = {
  sqrtPriceX96: 0n,
  tick: undefined,
  liquidity: 0n,
  reserve0: 0n,
  reserve1: 0n,
  totalVolume0: 0n,
  totalVolume1: 0n,
  totalVolumeUsdE18: 0n,
  totalFeesUsdE18: 0n,
  collected0: 0n,
  collected1: 0n,
  collectedUsdE18: 0n,
  tvlUsdE18: 0n,
  txCount: 0,
  feeGrowth0: 0n,
  feeGrowth1: 0n,
}

type PoolStateRow = {
  sqrt_price_x96: string
  tick: number | null
  liquidity: string
  reserve0: string
  reserve1: string
  total_volume0: string
  total_volume1: string
  total_volume_usd: string
  total_fees_usd: string
  collected0: string
  collected1: string
  collected_usd: string
  tvl_usd: string
  tx_count: number
  fee_growth0: string | null
  fee_growth1: string | null
}

/** Columns of a pool's state, in every table that has one. */
export const poolStateColumns = [
  'sqrt_price_x96',
  'tick',
  'liquidity',
  'reserve0',
  'reserve1',
  'total_volume0',
  'total_volume1',
  'total_volume_usd',
  'total_fees_usd',
  'collected0',
  'collected1',
  'collected_usd',
  'tvl_usd',
  'tx_count',
  'fee_growth0',
  'fee_growth1',
] as const satisfies readonly (keyof PoolStateRow)[]

export function fromPoolStateRow(row: PoolStateRow): PoolState {
  return {
    sqrtPriceX96: BigInt(row.sqrt_price_x96),
    tick: row.tick ?? undefined,
    liquidity: BigInt(row.liquidity),
    reserve0: BigInt(row.reserve0),
    reserve1: BigInt(row.reserve1),
    totalVolume0: BigInt(row.total_volume0),
    totalVolume1: BigInt(row.total_volume1),
    totalVolumeUsdE18: BigInt(row.total_volume_usd),
    totalFeesUsdE18: BigInt(row.total_fees_usd),
    collected0: BigInt(row.collected0),
    collected1: BigInt(row.collected1),
    collectedUsdE18: BigInt(row.collected_usd),
    tvlUsdE18: BigInt(row.tvl_usd),
    txCount: row.tx_count,
    feeGrowth0: row.fee_growth0 === null ? undefined : BigInt(row.fee_growth0),
    feeGrowth1: row.fee_growth1 === null ? undefined : BigInt(row.fee_growth1),
  }
}

export function toPoolStateRow(state: PoolState): PoolStateRow {
  return {
    sqrt_price_x96: state.sqrtPriceX96.toString(),
    tick: state.tick ?? null,
    liquidity: state.liquidity.toString(),
    reserve0: state.reserve0.toString(),
    reserve1: state.reserve1.toString(),
    total_volume0: state.totalVolume0.toString(),
    total_volume1: state.totalVolume1.toString(),
    total_volume_usd: state.totalVolumeUsdE18.toString(),
    total_fees_usd: state.totalFeesUsdE18.toString(),
    collected0: state.collected0.toString(),
    collected1: state.collected1.toString(),
    collected_usd: state.collectedUsdE18.toString(),
    tvl_usd: state.tvlUsdE18.toString(),
    tx_count: state.txCount,
    fee_growth0: state.feeGrowth0?.toString() ?? null,
    fee_growth1: state.feeGrowth1?.toString() ?? null,
  }
}
