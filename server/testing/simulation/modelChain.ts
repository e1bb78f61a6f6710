import { sqrtPriceX96AtTick } from '@chainboard/core'
import { addressOf, bloomOf, type Emitted, emitSwap, hashOf, type RpcLog, readLiquidityOf, toHex } from './modelLogs.ts'
import { growMarket, type ModelToken, modelTokens, openMarket } from './modelMarket.ts'
import { type ModelPool, swapPool } from './modelPool.ts'
import type { Random } from './random.ts'

/** Pools as they are after a block, by address. */
export type Pools = Pick<ReadonlyMap<string, ModelPool>, 'get' | 'has' | 'values'> & {
  /** Those of two tokens, where that is known without a look at all of them. */
  between?(tokenA: string, tokenB: string): readonly ModelPool[]
}

/** A block with everything that a node could be asked about it. */
export type ModelBlock = {
  readonly number: number
  readonly hash: string
  readonly parent: ModelBlock | undefined
  readonly timestampSeconds: number
  readonly logs: readonly RpcLog[]
  /** Every pool as it is after the block. */
  readonly pools: Pools
  readonly logsBloom: string
  /** Events of the pools up to its end, from the first block on. */
  readonly eventsSoFar: number
  /** The sum of their places, block x `placesOfBlock` + log index: an event that is left out and one that is made up show in it. */
  readonly placesSoFar: number
  /** The sum of their times: an event that is dated wrongly shows in it. */
  readonly timesSoFar: number
}

export const placesOfBlock = 10_000

/** The truth of a story: a chain that grows and changes its mind. */
export type ModelChain = {
  readonly chainId: number
  readonly factory: string
  readonly tokens: ReadonlyMap<string, ModelToken>
  head(): ModelBlock
  /** The block of that number under `tip`; undefined above it. */
  under(tip: ModelBlock, number: number): ModelBlock | undefined
  find(hash: string): ModelBlock | undefined
  isCanonical(hash: string): boolean
  mine(timestampSeconds: number): ModelBlock
  /** Drops the newest blocks; those mined next are others. */
  cut(depth: number): void
  /** A branch that no honest node has: `depth` blocks under the head are replaced, and `extra` put on top. */
  forge(depth: number, extra: number): ModelBlock
  /** The branch one block longer. */
  extend(tip: ModelBlock, timestampSeconds: number): ModelBlock
}

export type ChainOptions = {
  readonly random: Random
  readonly chainId: number
  readonly startSeconds: number
  /** Events of a block, on average. */
  readonly activity: number
  /** Whether most pools trade seldom. */
  readonly quiet: boolean
}

export function createModelChain({ random, chainId, startSeconds, activity, quiet }: ChainOptions): ModelChain {
  const factory = addressOf('factory')
  let branch = 0
  const seal = (parent: ModelBlock | undefined, timestampSeconds: number, name: string): ModelBlock => {
    const number = parent ? parent.number + 1 : 0
    const draw = random.fork(`block ${number} of ${name}`)
    const { emitted, pools } =
      number === 0
        ? { emitted: [], pools: new Map<string, ModelPool>() }
        : number === 1
          ? openMarket(factory)
          : growMarket({ random: draw, factory, pools: (parent as ModelBlock).pools, activity, quiet })
    const hash = hashOf(`${chainId} ${parent?.hash} ${number} ${timestampSeconds} ${name}`)
    const block = { number, hash, parent, timestampSeconds, logs: place(emitted, { number, hash, timestampSeconds }), pools }
    const events = block.logs.filter(({ address }) => pools.has(address))
    const eventsSoFar = (parent?.eventsSoFar ?? 0) + events.length
    const places = events.reduce((sum, { logIndex }) => sum + number * placesOfBlock + Number(logIndex), 0)
    const timesSoFar = (parent?.timesSoFar ?? 0) + events.length * timestampSeconds
    return { ...block, logsBloom: bloomOf(block.logs), eventsSoFar, placesSoFar: (parent?.placesSoFar ?? 0) + places, timesSoFar }
  }
  const genesis = seal(undefined, startSeconds, 'main')
  const canonical: ModelBlock[] = [genesis]
  const byHash = new Map([[genesis.hash, genesis]])
  const head = () => canonical.at(-1) as ModelBlock
  const under = (tip: ModelBlock, number: number) => {
    if (number > tip.number) return undefined
    let at: ModelBlock | undefined = tip
    while (at && canonical[at.number] !== at && at.number > number) at = at.parent
    return at && at.number > number ? canonical[number] : at
  }
  return {
    chainId,
    factory,
    tokens: modelTokens,
    head,
    under,
    find: (hash) => byHash.get(hash),
    isCanonical: (hash) => {
      const block = byHash.get(hash)
      return block !== undefined && canonical[block.number] === block
    },
    mine: (timestampSeconds) => {
      const block = seal(head(), timestampSeconds, branch === 0 ? 'main' : `branch ${branch}`)
      canonical.push(block)
      byHash.set(block.hash, block)
      return block
    },
    cut: (depth) => {
      canonical.length = Math.max(2, canonical.length - depth)
      branch += 1
    },
    forge: (depth, extra) => {
      const from = Math.max(1, head().number - depth)
      let tip = canonical[from] as ModelBlock
      for (let i = 0; i < depth + extra; i += 1) {
        const time = canonical[tip.number + 1]?.timestampSeconds ?? tip.timestampSeconds + 1
        tip = seal(tip, time, `a forgery at ${head().hash}`)
        byHash.set(tip.hash, tip)
      }
      return tip
    },
    extend: (tip, timestampSeconds) => {
      const block = seal(tip, timestampSeconds, `on from ${tip.hash}`)
      byHash.set(block.hash, block)
      return block
    },
  }
}

type BlockPlace = { readonly number: number; readonly hash: string; readonly timestampSeconds: number }

export function place(emitted: readonly Emitted[], { number, hash, timestampSeconds }: BlockPlace): RpcLog[] {
  return emitted.map(({ address, topics, data, tx }, i) => ({
    address,
    topics,
    data,
    blockNumber: toHex(number),
    blockHash: hash,
    transactionHash: hashOf(`${hash} transaction ${tx}`),
    transactionIndex: toHex(tx),
    logIndex: toHex(i),
    blockTimestamp: toHex(timestampSeconds),
    removed: false,
  }))
}

/** A swap that never happened, of a pool of the block and in its place. */
export function forgeSwap(block: ModelBlock, random: Random): RpcLog | undefined {
  const pool = [...block.pools.values()].find(({ liquidity }) => liquidity > 0n)
  if (!pool) return undefined
  const amount = pool.liquidity / BigInt(random.int(500, 5_000))
  const { pool: after, amount0, amount1 } = swapPool(pool, true, amount, sqrtPriceX96AtTick(pool.tick - 2_000))
  const [log] = place([emitSwap({ pool: after, tx: 900 }, amount0, amount1)], block)
  return log && { ...log, logIndex: toHex(900 + random.int(0, 50)) }
}

/**
 * Whether a log changes liquidity away from the price that its block leaves: it moves no figure but the ticks. Mints alone, or
 * burns alone, by the chain: both together might be as if there had been none.
 */
export function isAway(chain: ModelChain, log: RpcLog): boolean {
  const pool = chain.find(log.blockHash)?.pools.get(log.address)
  const change = readLiquidityOf(log)
  if (!pool || !change || change.isMint !== hidesMints(chain)) return false
  return pool.tick < change.lower || pool.tick >= change.upper
}

function hidesMints(chain: ModelChain): boolean {
  return BigInt(chain.under(chain.head(), 0)?.hash ?? 0) % 2n === 0n
}
