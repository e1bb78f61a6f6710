import { type Address, type Depth, statedDepth, toLowerHex } from '@chainboard/core'
import { Type } from 'typebox'
import type { MarketPool } from '../answerFromPools.ts'
import { decimalToRaw } from './decimal.ts'
import type { Selection } from './readSelections.ts'
import { address, createRowReader, decimalNumber, toDecimals, tokenDecimals, wholeNumber } from './rows.ts'

const token = Type.Object({ id: address, symbol: Type.Union([Type.String(), Type.Null()]), decimals: tokenDecimals })

const schema = Type.Object({
  id: address,
  feeTier: wholeNumber,
  liquidity: wholeNumber,
  sqrtPrice: wholeNumber,
  totalValueLockedToken0: decimalNumber,
  totalValueLockedToken1: decimalNumber,
  volumeToken0: decimalNumber,
  txCount: wholeNumber,
  createdAtTimestamp: wholeNumber,
  token0: token,
  token1: token,
})

const tokenFields = '{ id symbol decimals }'
/** What is selected of a pool. */
export const poolFields: Selection['fields'] = () =>
  `feeTier liquidity sqrtPrice totalValueLockedToken0 totalValueLockedToken1 volumeToken0 txCount createdAtTimestamp token0 ${tokenFields} token1 ${tokenFields}`

/** `decimals` is undefined for a token that cannot be counted. */
export type TokenOfPool = { readonly address: Address; readonly symbol: string; readonly decimals: number | undefined }

/** A pool that was opened, as deep as it says: its ticks are not asked for. `txCount`: events since it was made. */
export type PoolRow = Omit<MarketPool, 'lastSwapAtSeconds' | 'isEstablished' | 'window' | 'reach'> &
  Depth & {
    readonly createdAtSeconds: number
    readonly txCount: number
    readonly hasTraded: boolean
    readonly tokens: readonly [TokenOfPool, TokenOfPool]
  }

/** Pools, without those that have no price yet. What some subgraphs count below zero is nothing. */
export const readPoolRows = createRowReader(schema, (row): PoolRow | undefined => {
  const tokens = [toToken(row.token0), toToken(row.token1)] as const
  const sqrtPriceX96 = BigInt(row.sqrtPrice)
  if (sqrtPriceX96 <= 0n) return undefined
  return {
    address: toLowerHex(row.id),
    token0: tokens[0].address,
    token1: tokens[1].address,
    fee: Number(row.feeTier),
    sqrtPriceX96,
    ...statedDepth({
      sqrtPriceX96,
      liquidity: notBelowZero(BigInt(row.liquidity)),
      reserve0: decimalToRaw(String(row.totalValueLockedToken0), tokens[0].decimals ?? 0),
      reserve1: decimalToRaw(String(row.totalValueLockedToken1), tokens[1].decimals ?? 0),
    }),
    createdAtSeconds: Number(row.createdAtTimestamp),
    txCount: Number(row.txCount),
    hasTraded: Number(row.volumeToken0) > 0,
    tokens,
  }
})

function toToken({ id, symbol, decimals }: Type.Static<typeof token>): TokenOfPool {
  return { address: toLowerHex(id), symbol: symbol ?? '', decimals: toDecimals(decimals) }
}

function notBelowZero(value: bigint): bigint {
  return value > 0n ? value : 0n
}
