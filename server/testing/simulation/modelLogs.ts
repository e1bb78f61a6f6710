import { createHash } from 'node:crypto'
import type { Hex } from '@chainboard/core'
import { keccak256, toEventSelector } from 'viem'
import type { ModelPool } from './modelPool.ts'

/** A log in the words of JSON-RPC. */
export type RpcLog = {
  readonly address: string
  readonly topics: readonly string[]
  readonly data: string
  readonly blockNumber: string
  readonly blockHash: string
  readonly transactionHash: string
  readonly transactionIndex: string
  readonly logIndex: string
  readonly blockTimestamp: string
  readonly removed: boolean
}

/** What a contract emits, before it has a place on the chain. Logs of one block with the same `tx` are of one transaction. */
export type Emitted = { readonly address: string; readonly topics: readonly string[]; readonly data: string; readonly tx: number }

export const toHex = (value: number | bigint): Hex => `0x${value.toString(16)}`

/** 32 bytes, two's complement, without `0x`. */
export const word = (value: number | bigint | string): string =>
  typeof value === 'string' ? value.slice(2).padStart(64, '0') : BigInt.asUintN(256, BigInt(value)).toString(16).padStart(64, '0')

/** Addresses and hashes of the model: any text's own. */
export const hashOf = (text: string): Hex => `0x${createHash('sha256').update(text).digest('hex')}`
export const addressOf = (text: string): Hex => hashOf(text).slice(0, 42) as Hex

const topics = {
  created: toEventSelector('PoolCreated(address,address,uint24,int24,address)'),
  initialize: toEventSelector('Initialize(uint160,int24)'),
  swap: toEventSelector('Swap(address,address,int256,int256,uint160,uint128,int24)'),
  mint: toEventSelector('Mint(address,address,int24,int24,uint128,uint256,uint256)'),
  burn: toEventSelector('Burn(address,int24,int24,uint128,uint256,uint256)'),
  collect: toEventSelector('Collect(address,address,int24,int24,uint128,uint128)'),
  flash: toEventSelector('Flash(address,address,uint256,uint256,uint256,uint256)'),
}

const owner = addressOf('the owner of all positions')
const trader = addressOf('the trader')

type Place = { readonly pool: ModelPool; readonly tx: number }
type Words = readonly (number | bigint | string)[]
const emit = ({ pool, tx }: Place, topic: string, indexed: Words, data: Words): Emitted => ({
  address: pool.address,
  topics: [topic, ...indexed.map((value) => `0x${word(value)}`)],
  data: `0x${data.map(word).join('')}`,
  tx,
})

export const emitCreated = (factory: string, pool: ModelPool, tx: number): Emitted => ({
  ...emit({ pool, tx }, topics.created, [pool.token0, pool.token1, pool.fee], [pool.tickSpacing, pool.address]),
  address: factory,
})
export const emitInitialize = (at: Place) => emit(at, topics.initialize, [], [at.pool.sqrtPriceX96, at.pool.tick])
/** @param at the pool after it */
export const emitSwap = (at: Place, amount0: bigint, amount1: bigint) =>
  emit(at, topics.swap, [trader, trader], [amount0, amount1, at.pool.sqrtPriceX96, at.pool.liquidity, at.pool.tick])

type Range = { readonly lower: number; readonly upper: number; readonly amount0: bigint; readonly amount1: bigint }
export const emitMint = (at: Place, { lower, upper, amount0, amount1 }: Range, liquidity: bigint) =>
  emit(at, topics.mint, [owner, lower, upper], [trader, liquidity, amount0, amount1])
export const emitBurn = (at: Place, { lower, upper, amount0, amount1 }: Range, liquidity: bigint) =>
  emit(at, topics.burn, [owner, lower, upper], [liquidity, amount0, amount1])
export const emitCollect = (at: Place, { lower, upper, amount0, amount1 }: Range) =>
  emit(at, topics.collect, [owner, lower, upper], [owner, amount0, amount1])
export const emitFlash = (at: Place, amount: bigint, paid0: bigint, paid1: bigint) =>
  emit(at, topics.flash, [trader, trader], [amount, amount, paid0, paid1])

const bits = new Map<string, bigint>()
const bitsMax = 50_000

/** The bloom of a block's logs, as its header has it. */
export function bloomOf(logs: readonly { readonly address: string; readonly topics: readonly string[] }[]): string {
  let bloom = 0n
  for (const { address, topics: items } of logs) for (const item of [address, ...items]) bloom |= bitsOf(item)
  return `0x${bloom.toString(16).padStart(512, '0')}`
}

function bitsOf(item: string): bigint {
  const known = bits.get(item)
  if (known !== undefined) return known
  const hash = keccak256(item as Hex)
  let value = 0n
  for (const at of [2, 6, 10]) value |= 1n << BigInt(Number.parseInt(hash.slice(at, at + 4), 16) & 2047)
  if (bits.size >= bitsMax) bits.clear()
  bits.set(item, value)
  return value
}

/** What a mint or a burn changes: liquidity between two ticks. Undefined for any other log, and for a burn of nothing. */
export function readLiquidityOf({ topics: items, data }: RpcLog) {
  const [topic, , lower = '0x0', upper = '0x0'] = items
  if (topic !== topics.mint && topic !== topics.burn) return undefined
  const tick = (item: string) => Number(BigInt.asIntN(24, BigInt(item)))
  const at = topic === topics.mint ? 66 : 2
  const liquidity = BigInt(`0x${data.slice(at, at + 64)}`)
  return liquidity === 0n ? undefined : { isMint: topic === topics.mint, lower: tick(lower), upper: tick(upper) }
}

/** Whether no state of its contract shows that there was such a log, or only a balance does. */
export function leavesNoTrace(log: RpcLog): boolean {
  const [topic] = log.topics
  return topic === topics.collect || (topic === topics.burn && readLiquidityOf(log) === undefined)
}
