import type { RunningPeriod } from '../indexer/world.ts'
import type { ExchangePeriod } from '../store/exchangePeriods.ts'
import type { PoolPeriod } from '../store/poolPeriods.ts'
import { toPoolStateRow } from '../store/poolState.ts'
import type { Pool } from '../store/pools.ts'
import type { TokenPeriod } from '../store/tokenPeriods.ts'
import { toTokenStateRow } from '../store/tokenState.ts'
import type { TokenRow } from '../store/tokens.ts'
import type { Row } from './entity.ts'

// What is folded in memory, in the shape that the tables have.

export function toPoolRow(pool: Pool): Row {
  return {
    ...toPoolStateRow(pool),
    address: pool.address,
    token0: pool.token0,
    token1: pool.token1,
    fee: pool.fee,
    created_block: pool.createdBlock,
    created_timestamp: pool.createdAtSeconds,
  }
}

export function toTokenRow(token: TokenRow): Row {
  const { address, symbol, name, decimals, totalSupplyRaw } = token
  return { ...toTokenStateRow(token), address, symbol, name, decimals: decimals ?? null, total_supply: totalSupplyRaw.toString() }
}

/** The rows of a running hour or day, by the table's subject. */
export function toPeriodRows({ pools, tokens, exchange }: RunningPeriod) {
  return {
    pools: [...pools.values()].map(toPoolPeriodRow),
    tokens: [...tokens.values()].map(toTokenPeriodRow),
    exchange: exchange ? [toExchangeRow(exchange)] : [],
  }
}

function toPoolPeriodRow(period: PoolPeriod): Row {
  return {
    ...toPoolStateRow(period),
    pool: period.pool,
    start: period.startSeconds,
    open: period.open.toString(),
    high: period.high.toString(),
    low: period.low.toString(),
    volume0: period.volume0.toString(),
    volume1: period.volume1.toString(),
    volume_usd: period.volumeUsdE18.toString(),
    fees_usd: period.feesUsdE18.toString(),
    event_count: period.eventCount,
  }
}

function toTokenPeriodRow(period: TokenPeriod): Row {
  return {
    ...toTokenStateRow(period),
    token: period.token,
    start: period.startSeconds,
    open: period.open.toString(),
    high: period.high.toString(),
    low: period.low.toString(),
    volume: period.volume.toString(),
    volume_usd: period.volumeUsdE18.toString(),
    fees_usd: period.feesUsdE18.toString(),
  }
}

function toExchangeRow(period: ExchangePeriod): Row {
  return {
    start: period.startSeconds,
    tvl_usd: period.tvlUsdE18.toString(),
    native_usd: period.nativeUsdE18.toString(),
    volume_usd: period.volumeUsdE18.toString(),
    fees_usd: period.feesUsdE18.toString(),
    tx_count: period.txCount,
  }
}
