import { toLowerHex } from '@chainboard/core'
import { Type } from 'typebox'
import type { PoolSwap } from '../source.ts'
import { decimalToRaw } from './decimal.ts'
import type { Selection } from './readSelections.ts'
import { address, createRowReader, decimalNumber, poolOfRow, poolOfRowFields, toDecimals, txHash, wholeNumber } from './rows.ts'

const schema = Type.Object({
  id: Type.String(),
  timestamp: wholeNumber,
  sender: address,
  recipient: address,
  amount0: decimalNumber,
  amount1: decimalNumber,
  sqrtPriceX96: wholeNumber,
  amountUSD: Type.Optional(Type.Union([decimalNumber, Type.Null()])),
  logIndex: Type.Optional(Type.Union([wholeNumber, Type.Null()])),
  transaction: Type.Object({ id: txHash, blockNumber: wholeNumber }),
  pool: poolOfRow,
})

/** What is selected of a swap; older subgraphs lack two of the fields. */
export const swapFields: Selection['fields'] = (has) =>
  `timestamp sender recipient amount0 amount1 sqrtPriceX96 ${has('Swap.amountUSD') ? 'amountUSD ' : ''}${has('Swap.logIndex') ? 'logIndex ' : ''}transaction { id blockNumber } ${poolOfRowFields}`

export type SwapRow = PoolSwap & { readonly blockNumber: number }

/**
 * Swaps. Where a subgraph has no `logIndex`, the number at the end of the swap's id stands in for it: the log index of
 * `<hash>-<log index>`, the pool's count of events in the older `<hash>#<count>`. Either one orders the swaps of a pool.
 */
export const readSwapRows = createRowReader(schema, (row): SwapRow | undefined => {
  const decimals0 = toDecimals(row.pool.token0.decimals)
  const decimals1 = toDecimals(row.pool.token1.decimals)
  if (decimals0 === undefined || decimals1 === undefined) return undefined
  return {
    pool: toLowerHex(row.pool.id),
    txHash: toLowerHex(row.transaction.id),
    blockNumber: Number(row.transaction.blockNumber),
    logIndex: Number(row.logIndex ?? /[-#](\d+)$/.exec(row.id)?.[1] ?? 0),
    timestampSeconds: Number(row.timestamp),
    sender: toLowerHex(row.sender),
    recipient: toLowerHex(row.recipient),
    amount0: decimalToRaw(String(row.amount0), decimals0),
    amount1: decimalToRaw(String(row.amount1), decimals1),
    sqrtPriceX96: BigInt(row.sqrtPriceX96),
    usdE18: toUsd(row.amountUSD),
  }
})

/** Subgraphs say 0 of pools that they do not track. */
function toUsd(amount: string | number | null | undefined): bigint | undefined {
  const usdE18 = decimalToRaw(String(amount ?? 0), 18)
  return usdE18 > 0n ? usdE18 : undefined
}

/** The order in which the chain knows them. A subgraph's own order among swaps of one second is that of their hashes. */
export function compareSwaps(a: SwapRow, b: SwapRow): number {
  return a.timestampSeconds - b.timestampSeconds || a.blockNumber - b.blockNumber || a.logIndex - b.logIndex
}
