import { type Address, type Hex, isPriceAtTick, tickMax, tickMin, wordToAddress } from '@chainboard/core'
import { toEventSelector } from 'viem'
import type { ChainLog } from '../chain/chain.ts'
import type { FeeProtocolChange } from '../store/feeProtocols.ts'
import type { PoolEvent } from '../store/poolEvents.ts'
import type { EventPlace, Swap } from '../store/swaps.ts'

/** A pool the factory made. */
export type PoolCreated = {
  readonly kind: 'poolCreated'
  readonly blockNumber: number
  readonly timestampSeconds: number
  readonly factory: Address
  readonly pool: Address
  readonly token0: Address
  readonly token1: Address
  readonly fee: number
  readonly tickSpacing: number
}

export type ChainEvent = PoolCreated | Swap | PoolEvent | FeeProtocolChange

const topics = {
  poolCreated: toEventSelector('PoolCreated(address,address,uint24,int24,address)'),
  initialize: toEventSelector('Initialize(uint160,int24)'),
  swap: toEventSelector('Swap(address,address,int256,int256,uint160,uint128,int24)'),
  mint: toEventSelector('Mint(address,address,int24,int24,uint128,uint256,uint256)'),
  burn: toEventSelector('Burn(address,int24,int24,uint128,uint256,uint256)'),
  collect: toEventSelector('Collect(address,address,int24,int24,uint128,uint128)'),
  flash: toEventSelector('Flash(address,address,uint256,uint256,uint256,uint256)'),
  setFeeProtocol: toEventSelector('SetFeeProtocol(uint8,uint8,uint8,uint8)'),
} as const

/** First topics of the events that move a pool's price or its liquidity. */
export const poolTopics: readonly Hex[] = [topics.initialize, topics.swap, topics.mint, topics.burn, topics.collect, topics.flash]

/** First topics of every event the index keeps. */
export const indexedTopics: readonly Hex[] = Object.values(topics)

/** Topics (but the first) and 32-byte words of data that each event has; another shape is another contract's event. */
const shapes: Readonly<Record<Hex, { readonly kind: keyof typeof topics; readonly indexed: number; readonly words: number }>> = {
  [topics.poolCreated]: { kind: 'poolCreated', indexed: 3, words: 2 },
  [topics.initialize]: { kind: 'initialize', indexed: 0, words: 2 },
  [topics.swap]: { kind: 'swap', indexed: 2, words: 5 },
  [topics.mint]: { kind: 'mint', indexed: 3, words: 4 },
  [topics.burn]: { kind: 'burn', indexed: 3, words: 3 },
  [topics.collect]: { kind: 'collect', indexed: 3, words: 3 },
  [topics.flash]: { kind: 'flash', indexed: 2, words: 4 },
  [topics.setFeeProtocol]: { kind: 'setFeeProtocol', indexed: 0, words: 4 },
}

/** A Uniswap v3 event from a log, or `undefined` for a log that is none. Pure and total: any contract may emit anything. */
export function decodeLog(log: ChainLog): ChainEvent | undefined {
  const event = readEvent(log)
  return event && isPossible(event) ? event : undefined
}

/** What a log of a pool would be an event of, were its fields not such as no pool emits; undefined for any other log. */
export function findImpossible(log: ChainLog): Swap | PoolEvent | undefined {
  const event = readEvent(log)
  if (!event || event.kind === 'poolCreated' || event.kind === 'setFeeProtocol') return undefined
  return isPossible(event) ? undefined : event
}

const [uint128End, feeEnd, spacingEnd] = [1n << 128n, 1_000_000, 16_384]

/** Whether the contracts of Uniswap v3 let an event have these fields. */
function isPossible(event: ChainEvent): boolean {
  switch (event.kind) {
    case 'poolCreated':
      return event.fee < feeEnd && event.tickSpacing > 0 && event.tickSpacing < spacingEnd
    case 'initialize':
      return event.tick !== undefined && isPriceAtTick(event.sqrtPriceX96, event.tick)
    case 'swap':
      return isPriceAtTick(event.sqrtPriceX96, event.tick) && event.liquidity < uint128End
    case 'mint':
    case 'burn':
    case 'collect':
      return isRange(event) && (event.amount ?? 0n) < uint128End
    default:
      return true
  }
}

function isRange({ tickLower, tickUpper }: { readonly tickLower: number; readonly tickUpper: number }): boolean {
  return tickMin <= tickLower && tickLower < tickUpper && tickUpper <= tickMax
}

function readEvent(log: ChainLog): ChainEvent | undefined {
  const first = log.topics[0]
  const shape = first && shapes[first]
  if (!shape || log.topics.length !== shape.indexed + 1 || log.data.length < 2 + 64 * shape.words) return undefined
  const topic = (index: number) => getTopic(log, index)
  const word = (index: number): Hex => `0x${log.data.slice(2 + 64 * index, 66 + 64 * index)}`
  const place: EventPlace = {
    blockNumber: log.blockNumber,
    logIndex: log.logIndex,
    txHash: log.txHash,
    timestampSeconds: log.timestampSeconds,
    pool: log.address,
  }
  switch (shape.kind) {
    case 'poolCreated':
      return {
        kind: 'poolCreated',
        blockNumber: log.blockNumber,
        timestampSeconds: log.timestampSeconds,
        factory: log.address,
        token0: wordToAddress(topic(1)),
        token1: wordToAddress(topic(2)),
        fee: Number(topic(3)),
        tickSpacing: toTick(word(0)),
        pool: wordToAddress(word(1)),
      }
    case 'initialize':
      return { ...place, kind: 'initialize', sqrtPriceX96: BigInt(word(0)), tick: toTick(word(1)) }
    case 'swap':
      return {
        ...place,
        kind: 'swap',
        sender: wordToAddress(topic(1)),
        recipient: wordToAddress(topic(2)),
        amount0: toSigned(word(0)),
        amount1: toSigned(word(1)),
        sqrtPriceX96: BigInt(word(2)),
        liquidity: BigInt(word(3)),
        tick: toTick(word(4)),
      }
    case 'setFeeProtocol':
      // The old shares of both tokens, then the new ones; each 0 or 4 to 10.
      return { ...place, kind: 'setFeeProtocol', feeProtocol: Number((BigInt(word(2)) & 15n) | ((BigInt(word(3)) & 15n) << 4n)) }
    case 'flash':
      return {
        ...place,
        kind: 'flash',
        sender: wordToAddress(topic(1)),
        recipient: wordToAddress(topic(2)),
        amount0: BigInt(word(0)),
        amount1: BigInt(word(1)),
        paid0: BigInt(word(2)),
        paid1: BigInt(word(3)),
      }
    default:
      return readPosition(place, shape.kind, topic, word)
  }
}

type At = (index: number) => Hex

/** Mint carries the sender and Collect the recipient before the figures; only Burn and Mint carry liquidity. */
function readPosition(place: EventPlace, kind: 'mint' | 'burn' | 'collect', topic: At, word: At): PoolEvent {
  const first = kind === 'burn' ? 0 : 1
  const hasLiquidity = kind !== 'collect'
  return {
    ...place,
    kind,
    owner: wordToAddress(topic(1)),
    tickLower: toTick(topic(2)),
    tickUpper: toTick(topic(3)),
    amount: hasLiquidity ? BigInt(word(first)) : undefined,
    amount0: BigInt(word(hasLiquidity ? first + 1 : first)),
    amount1: BigInt(word(hasLiquidity ? first + 2 : first + 1)),
    sender: kind === 'mint' ? wordToAddress(word(0)) : undefined,
  }
}

/** A pool's event from a log; undefined for any other log. */
export function decodePoolEvent(log: ChainLog): Exclude<ChainEvent, PoolCreated> | undefined {
  const event = decodeLog(log)
  return event?.kind === 'poolCreated' ? undefined : event
}

/** A factory's new pool from a log; undefined for any other log. */
export function decodeCreation(log: ChainLog): PoolCreated | undefined {
  const event = decodeLog(log)
  return event?.kind === 'poolCreated' ? event : undefined
}

function getTopic({ topics }: ChainLog, index: number): Hex {
  const topic = topics[index]
  if (topic === undefined) throw new RangeError(`A log has no topic ${index}`)
  return topic
}

function toSigned(word: Hex): bigint {
  return BigInt.asIntN(256, BigInt(word))
}

function toTick(word: Hex): number {
  return Number(BigInt.asIntN(24, BigInt(word)))
}
