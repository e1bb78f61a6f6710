import { absolute, toLowerHex } from '@chainboard/core'
import { Type } from 'typebox'
import type { PoolHour } from '../source.ts'
import { decimalToRaw, token0PriceToSqrtX96 } from './decimal.ts'
import type { Selection } from './readSelections.ts'
import { createRowReader, decimalNumber, poolOfRow, poolOfRowFields, toDecimals, wholeNumber } from './rows.ts'

/**
 * An hour as a subgraph tells it. Its `open` is not known (`isOpenKnown`) in the hour of a pool's first swap, where subgraphs
 * say 0; the close stands in for it then.
 */
export type HourRow = PoolHour & { readonly isOpenKnown: boolean }

const schema = Type.Object({
  periodStartUnix: wholeNumber,
  sqrtPrice: wholeNumber,
  open: decimalNumber,
  high: decimalNumber,
  low: decimalNumber,
  volumeToken0: decimalNumber,
  volumeToken1: decimalNumber,
  txCount: wholeNumber,
  pool: poolOfRow,
})

/** What is selected of an hour for `readHourRows`. */
export const hourFields: Selection['fields'] = () =>
  `periodStartUnix sqrtPrice open high low volumeToken0 volumeToken1 txCount ${poolOfRowFields}`

/**
 * Hour rows. `sqrtPrice` is the exact close; open, high and low come as `token0Price`, whose highest is the lowest
 * sqrtPriceX96. A subgraph counts events, not swaps: `swapCount` is their number in an hour with trades, else 0.
 */
export const readHourRows = createRowReader(schema, (row): HourRow | undefined => {
  const decimals0 = toDecimals(row.pool.token0.decimals)
  const decimals1 = toDecimals(row.pool.token1.decimals)
  const close = BigInt(row.sqrtPrice)
  if (decimals0 === undefined || decimals1 === undefined || close <= 0n) return undefined
  const toSqrt = (price: string | number) => token0PriceToSqrtX96(String(price), decimals0, decimals1)
  const open = toSqrt(row.open)
  const seen = [open ?? close, close, toSqrt(row.high) ?? close, toSqrt(row.low) ?? close]
  const volume0 = absolute(decimalToRaw(String(row.volumeToken0), decimals0))
  const volume1 = absolute(decimalToRaw(String(row.volumeToken1), decimals1))
  return {
    pool: toLowerHex(row.pool.id),
    startSeconds: Number(row.periodStartUnix),
    sqrtPriceX96: close,
    open: open ?? close,
    isOpenKnown: open !== undefined,
    high: seen.reduce((a, b) => (a > b ? a : b)),
    low: seen.reduce((a, b) => (a < b ? a : b)),
    volume0,
    volume1,
    swapCount: volume0 === 0n && volume1 === 0n ? 0 : Number(row.txCount),
  }
})
