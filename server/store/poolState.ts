/** Where a pool stands after an event. `tick` is undefined before Initialize. Reserves count what events moved, in smallest units. */
export type PoolStanding = {
  readonly sqrtPriceX96: bigint
  readonly tick: number | undefined
  readonly liquidity: bigint
  readonly reserve0: bigint
  readonly reserve1: bigint
}

/** Where a pool ended: what its hours and its days have. */
export type PoolEnd = Pick<PoolStanding, 'sqrtPriceX96' | 'tick' | 'liquidity'> & {
  /** US dollars x 10^18 that it held, at the prices of its latest event. */
  readonly tvlUsdE18: bigint
}

/** What a pool has, and what it did besides trading: its hours have that. Amounts in smallest units. */
export type PoolBalance = Pick<PoolStanding, 'reserve0' | 'reserve1'> & {
  readonly collected0: bigint
  readonly collected1: bigint
  /** US dollars x 10^18 at the moment of each event. */
  readonly collectedUsdE18: bigint
  /** Events but Initialize. */
  readonly txCount: number
  /** `feeGrowthGlobal0X128` as the events make it; undefined when one of them did not fit. */
  readonly feeGrowth0: bigint | undefined
  readonly feeGrowth1: bigint | undefined
}

/** What a pool traded since it was made: its days have that. US dollars x 10^18 at the moment of each swap; amounts in smallest units. */
export type PoolSums = {
  readonly totalVolume0: bigint
  readonly totalVolume1: bigint
  readonly totalVolumeUsdE18: bigint
  readonly totalFeesUsdE18: bigint
}

export type PoolState = PoolEnd & PoolBalance & PoolSums

/** Of a pool that has traded nothing yet. */
export const emptyPoolSums: PoolSums = { totalVolume0: 0n, totalVolume1: 0n, totalVolumeUsdE18: 0n, totalFeesUsdE18: 0n }

/** Of a pool before its Initialize: it has no price, which 0 stands for. */
export const emptyPoolState: PoolState = {
  sqrtPriceX96: 0n,
  tick: undefined,
  liquidity: 0n,
  reserve0: 0n,
  reserve1: 0n,
  ...emptyPoolSums,
  collected0: 0n,
  collected1: 0n,
  collectedUsdE18: 0n,
  tvlUsdE18: 0n,
  txCount: 0,
  feeGrowth0: 0n,
  feeGrowth1: 0n,
}

type PoolEndRow = { sqrt_price_x96: string; tick: number | null; liquidity: string; tvl_usd: string }

type PoolBalanceRow = {
  reserve0: string
  reserve1: string
  collected0: string
  collected1: string
  collected_usd: string
  tx_count: number
  fee_growth0: string | null
  fee_growth1: string | null
}

type PoolSumsRow = { total_volume0: string; total_volume1: string; total_volume_usd: string; total_fees_usd: string }

/** Columns of where a pool ended, in every table of pools and their periods. */
export const poolEndColumns = ['sqrt_price_x96', 'tick', 'liquidity', 'tvl_usd'] as const satisfies readonly (keyof PoolEndRow)[]

/** Columns of what a pool has, in the tables of pools and of their hours. */
export const poolBalanceColumns = [
  'reserve0',
  'reserve1',
  'collected0',
  'collected1',
  'collected_usd',
  'tx_count',
  'fee_growth0',
  'fee_growth1',
] as const satisfies readonly (keyof PoolBalanceRow)[]

/** Columns of what a pool traded so far, in the tables of pools and of their days. */
export const poolSumColumns = [
  'total_volume0',
  'total_volume1',
  'total_volume_usd',
  'total_fees_usd',
] as const satisfies readonly (keyof PoolSumsRow)[]

/** Of a row of pools, of their hours or of their days. */
export function fromPoolEndRow(row: PoolEndRow): PoolEnd {
  return {
    sqrtPriceX96: BigInt(row.sqrt_price_x96),
    tick: row.tick ?? undefined,
    liquidity: BigInt(row.liquidity),
    tvlUsdE18: BigInt(row.tvl_usd),
  }
}

/** Of a row of pools or of their hours; null of fee growth becomes undefined. */
export function fromPoolBalanceRow(row: PoolBalanceRow): PoolBalance {
  return {
    reserve0: BigInt(row.reserve0),
    reserve1: BigInt(row.reserve1),
    collected0: BigInt(row.collected0),
    collected1: BigInt(row.collected1),
    collectedUsdE18: BigInt(row.collected_usd),
    txCount: row.tx_count,
    feeGrowth0: row.fee_growth0 === null ? undefined : BigInt(row.fee_growth0),
    feeGrowth1: row.fee_growth1 === null ? undefined : BigInt(row.fee_growth1),
  }
}

/** Of a row of pools or of their days. */
export function fromPoolSumsRow(row: PoolSumsRow): PoolSums {
  return {
    totalVolume0: BigInt(row.total_volume0),
    totalVolume1: BigInt(row.total_volume1),
    totalVolumeUsdE18: BigInt(row.total_volume_usd),
    totalFeesUsdE18: BigInt(row.total_fees_usd),
  }
}

/** Numbers of any size as decimal text, undefined as null. */
export function toPoolEndRow(state: PoolEnd): PoolEndRow {
  return {
    sqrt_price_x96: state.sqrtPriceX96.toString(),
    tick: state.tick ?? null,
    liquidity: state.liquidity.toString(),
    tvl_usd: state.tvlUsdE18.toString(),
  }
}

/** Numbers of any size as decimal text, undefined as null. */
export function toPoolBalanceRow(state: PoolBalance): PoolBalanceRow {
  return {
    reserve0: state.reserve0.toString(),
    reserve1: state.reserve1.toString(),
    collected0: state.collected0.toString(),
    collected1: state.collected1.toString(),
    collected_usd: state.collectedUsdE18.toString(),
    tx_count: state.txCount,
    fee_growth0: state.feeGrowth0?.toString() ?? null,
    fee_growth1: state.feeGrowth1?.toString() ?? null,
  }
}

/** Numbers of any size as decimal text. */
export function toPoolSumsRow(sums: PoolSums): PoolSumsRow {
  return {
    total_volume0: sums.totalVolume0.toString(),
    total_volume1: sums.totalVolume1.toString(),
    total_volume_usd: sums.totalVolumeUsdE18.toString(),
    total_fees_usd: sums.totalFeesUsdE18.toString(),
  }
}
