import { type Address, createTickList, Failure, type Hex, type TickLiquidity, type TickList } from '@chainboard/core'
import { encodeFunctionData, parseAbi } from 'viem'
import { askAlone, callMany } from '../chain/callMany.ts'
import type { Header } from '../chain/chain.ts'
import { type ReplayEvent, type ReplayStanding, standAfter, takeBack } from '../indexer/replayWorld.ts'
import { readBackToPrice } from './readMedian.ts'
import type { Asking } from './readPoolEvents.ts'

const abi = parseAbi([
  'function slot0() view returns (uint160 sqrtPriceX96, int24 tick)',
  'function liquidity() view returns (uint128)',
  'function tickSpacing() view returns (int24)',
  'function tickBitmap(int16 word) view returns (uint256)',
  'function ticks(int24 tick) view returns (uint128 gross, int128 net)',
])
const noArgs = (functionName: 'slot0' | 'liquidity' | 'tickSpacing') => encodeFunctionData({ abi, functionName })

/** Ticks beyond the prices that the pool had: more than 10 % of the price, up and down. */
const reachTicks = 1_000
/** Where Multicall3 stands on nearly every chain; without it the calls are made one by one. */
const multicall: Address = '0xca11bde05977b3631167028862be2a173976ca11'
/** Spacings in one word of the bitmap. */
const wordSize = 256

/** A pool at the end of a block, with its ticks around the prices that it had since. */
export type PoolAt = { readonly standing: ReplayStanding; readonly tickSpacing: number; readonly ticks: TickList }

export type PoolQuestion = {
  readonly pool: Address
  /** The block before the events; undefined: the chain had none. */
  readonly before: Header | undefined
  /** A block whose state the node has. */
  readonly last: number
  /** All of the pool after `before`, until `last`. */
  readonly events: readonly ReplayEvent[]
}

/**
 * What a pool was before some events, of a node that needs the state of their last block alone: the ticks are those of then without the
 * events, and the price, where the state before is gone, that of the last trade before them.
 * @throws Failure `rpc-…` when the node has not even that
 */
export async function readPoolAt(asking: Asking, question: PoolQuestion): Promise<PoolAt> {
  const { pool, last, events } = question
  const spacing = toInt(await askAlone(asking.chain, { to: pool, data: noArgs('tickSpacing') }, last), 0)
  const standing = await readStanding(asking, question)
  const now = await readSlot(asking, pool, last)
  const passed = [standing.tick, now?.tick, ...events.map((event) => (event.kind === 'swap' ? event.tick : undefined))]
  const known = passed.filter((tick) => tick !== undefined)
  if (!spacing || known.length === 0) return { standing, tickSpacing: spacing ?? 0, ticks: createTickList() }
  const range = { from: least(known) - reachTicks, to: -least(known.map((tick) => -tick)) + reachTicks }
  const ticks = takeBack(new Map(await readTicks(asking, question, { ...range, spacing })), events)
  // Ticks that were not asked for are known by what changed at them alone.
  const inRange = [...ticks].filter(([tick]) => tick >= range.from && tick <= range.to)
  return { standing, tickSpacing: spacing, ticks: createTickList(inRange) }
}

async function readStanding(asking: Asking, { pool, before }: PoolQuestion): Promise<ReplayStanding> {
  if (!before) return standAfter([])
  try {
    const slot = await readSlot(asking, pool, before.number)
    if (!slot || slot.sqrtPriceX96 === 0n) return standAfter([])
    const liquidity = await askAlone(asking.chain, { to: pool, data: noArgs('liquidity') }, before.number)
    return { ...standAfter([]), ...slot, liquidity: BigInt(liquidity ?? 0) }
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'rpc-refused') throw error
    const events = await readBackToPrice(asking, pool, before.number)
    if (!events) throw error
    return standAfter(events)
  }
}

async function readSlot({ chain }: Asking, pool: Address, block: number) {
  const answer = await askAlone(chain, { to: pool, data: noArgs('slot0') }, block)
  const [price, tick] = [toWord(answer, 0), toInt(answer, 1)]
  return price === undefined || tick === undefined ? undefined : { sqrtPriceX96: BigInt(price), tick }
}

type TickRange = { readonly from: number; readonly to: number; readonly spacing: number }

async function readTicks(
  { chain }: Asking,
  { pool: to, last: block }: PoolQuestion,
  range: TickRange,
): Promise<[number, TickLiquidity][]> {
  const wordOf = (tick: number) => Math.floor(Math.floor(tick / range.spacing) / wordSize)
  const first = wordOf(range.from)
  const words = Array.from({ length: wordOf(range.to) - first + 1 }, (_, i) => first + i)
  const toBitmap = (word: number): Hex => encodeFunctionData({ abi, functionName: 'tickBitmap', args: [word] })
  const bitmaps = await callMany(
    chain,
    words.map((word) => ({ to, data: toBitmap(word) })),
    { multicall, block },
  )
  const used = words.flatMap((word, i) => {
    const bits = BigInt(bitmaps[i] ?? 0)
    return Array.from({ length: wordSize }, (_, bit) => bit).flatMap((bit) =>
      (bits >> BigInt(bit)) & 1n ? [(word * wordSize + bit) * range.spacing] : [],
    )
  })
  const toTick = (tick: number): Hex => encodeFunctionData({ abi, functionName: 'ticks', args: [tick] })
  const answers = await callMany(
    chain,
    used.map((tick) => ({ to, data: toTick(tick) })),
    { multicall, block },
  )
  return used.map((tick, i) => {
    const [gross, net] = [toWord(answers[i], 0), toWord(answers[i], 1)]
    return [tick, { gross: BigInt(gross ?? 0), net: BigInt.asIntN(128, BigInt(net ?? 0)) }]
  })
}

function toWord(answer: Hex | undefined, place: number): Hex | undefined {
  const word = answer?.slice(2 + 64 * place, 66 + 64 * place) ?? ''
  return word.length === 64 ? `0x${word}` : undefined
}

function toInt(answer: Hex | undefined, place: number): number | undefined {
  const word = toWord(answer, place)
  return word === undefined ? undefined : Number(BigInt.asIntN(24, BigInt(word)))
}

function least(values: readonly number[]): number {
  return values.reduce((a, b) => (b < a ? b : a))
}
