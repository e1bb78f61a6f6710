import { type Address, createTickList, getFrom, type TickList, tickMax, tickMin } from '@chainboard/core'
import type { ViewAnswer } from '../chain/callMany.ts'
import type { Chain } from '../chain/chain.ts'
import type { PoolStanding } from '../store/poolState.ts'
import type { BlockRef } from '../store/syncCursor.ts'
import { callAt } from '../witness/callAt.ts'
import { toBalanceCalls } from '../witness/createBalances.ts'
import { type PoolReading, readPoolStates } from '../witness/readPoolStates.ts'
import { endWords, parseTick, toCall, wordHolding, wordSize } from '../witness/tickPlaces.ts'
import type { PoolFacts } from './findPools.ts'

/** A pool as its contracts say it is at a block. Of its ticks only those that were asked for are known. */
export type PoolAtBlock = PoolFacts &
  PoolStanding & {
    readonly ticks: TickList
    /** Whether it has ever earned a fee. */
    readonly hasTraded: boolean
  }

/** Ticks of a pool between which its price has been lately, and others that bound positions. */
export type TicksWanted = { readonly lowest: number; readonly highest: number; readonly others: ReadonlySet<number> }

/** Ticks around the price that are read, too: 10 % of it is 953. */
const aroundTicks = 1_000

type Node = Pick<Chain, 'forward' | 'readHeader'>
type At = { readonly block: BlockRef; readonly multicall: Address }

/**
 * Asks the contracts of pools where they are at a block, what they own, and which ticks bound their positions: where prices have
 * been, around today's price, at both ends, and where `wanted` says.
 * @returns nothing for a pool that does not answer as one
 * @throws Failure `rpc-…` when the node does not have the block's state any more
 */
export async function readPools(
  node: Node,
  pools: readonly PoolFacts[],
  { wanted, ...at }: At & { readonly wanted: ReadonlyMap<Address, TicksWanted> },
): Promise<PoolAtBlock[]> {
  const addresses = pools.map(({ address }) => address)
  const states = await readPoolStates(node, addresses, at)
  const open = pools.filter(({ address }) => isPossible(states.get(address)))
  const balances = await callAt(node, open.flatMap(toBalanceCalls), at)
  const standing = open.map((pool, i): Omit<PoolAtBlock, 'ticks'> => {
    const { sqrtPriceX96, tick, liquidity, feeGrowth0, feeGrowth1 } = getFrom(states, pool.address)
    const [reserve0, reserve1] = [toAmount(balances[2 * i]), toAmount(balances[2 * i + 1])]
    const isOpen = sqrtPriceX96 > 0n
    return {
      ...pool,
      sqrtPriceX96,
      tick: isOpen ? tick : undefined,
      liquidity,
      reserve0,
      reserve1,
      hasTraded: feeGrowth0 > 0n || feeGrowth1 > 0n,
    }
  })
  const lists = await readTicks(node, standing, { wanted, ...at })
  return standing.map((pool) => ({ ...pool, ticks: lists.get(pool.address) ?? createTickList() }))
}

/** A node may say anything: a tick beyond the last one has no price. */
function isPossible(state: PoolReading | undefined): boolean {
  return state !== undefined && state.tick >= tickMin && state.tick <= tickMax
}

type Standing = Pick<PoolAtBlock, 'address' | 'tickSpacing' | 'tick'>

async function readTicks(
  node: Node,
  pools: readonly Standing[],
  { wanted, ...at }: At & { readonly wanted: ReadonlyMap<Address, TicksWanted> },
): Promise<Map<Address, TickList>> {
  const words = pools.flatMap((pool) => listWords(pool, wanted.get(pool.address)).map((word) => ({ pool, word })))
  const bitmaps = await callAt(
    node,
    words.map(({ pool, word }) => toCall(pool.address, { kind: 'word', at: word })),
    at,
  )
  const places = words.flatMap(({ pool, word }, i) =>
    listTicksIn(bitmaps[i], word).map((spacings) => ({ pool: pool.address, tick: spacings * pool.tickSpacing })),
  )
  const answers = await callAt(
    node,
    places.map(({ pool, tick }) => toCall(pool, { kind: 'tick', at: tick })),
    at,
  )
  const found = places.flatMap(({ pool, tick }, i) => {
    const held = parseTick(answers[i])
    return held ? [{ pool, entry: [tick, held] as const }] : []
  })
  const byPool = Map.groupBy(found, ({ pool }) => pool)
  return new Map([...byPool].map(([pool, own]) => [pool, createTickList(own.map(({ entry }) => entry))]))
}

/** Words of a pool's bitmap that hold what is wanted of its ticks. A pool that was never opened has none. */
function listWords({ tick, tickSpacing }: Standing, wanted: TicksWanted | undefined): number[] {
  if (tick === undefined) return []
  const wordOf = (at: number) => wordHolding(at, tickSpacing)
  const lowest = Math.max(tickMin, Math.min(tick, wanted?.lowest ?? tick) - aroundTicks)
  const highest = Math.min(tickMax, Math.max(tick, wanted?.highest ?? tick) + aroundTicks)
  const words = new Set([...endWords(tickSpacing), ...[...(wanted?.others ?? [])].map(wordOf)])
  for (let word = wordOf(lowest); word <= wordOf(highest); word += 1) words.add(word)
  return [...words].sort((a, b) => a - b)
}

/** The set bits of a word, as numbers of spacings. */
function listTicksIn(bitmap: ViewAnswer, word: number): number[] {
  if (bitmap?.length !== 66) return []
  const bits = BigInt(bitmap)
  return Array.from({ length: wordSize }, (_, bit) => bit)
    .filter((bit) => (bits >> BigInt(bit)) & 1n)
    .map((bit) => word * wordSize + bit)
}

/** A token that does not answer has nothing there. */
function toAmount(answer: ViewAnswer): bigint {
  return answer?.length === 66 ? BigInt(answer) : 0n
}
