import {
  type Address,
  executableDepth,
  executableReach,
  hourSeconds,
  startOfHour,
  type TickLiquidity,
  type TickList,
} from '@chainboard/core'
import type { TokenFacts } from '../chain/chain.ts'
import type { IndexScope } from '../indexer/indexScope.ts'
import { makePlan, priceTokens } from '../indexer/pricePlan.ts'
import { toStoredScope } from '../indexer/settleScope.ts'
import { dollarsOf, emptyWorld } from '../indexer/world.ts'
import { insertBlocks } from '../store/blocks.ts'
import { putScope } from '../store/indexScope.ts'
import { type Initialize, insertPoolEvents } from '../store/poolEvents.ts'
import { type PoolPeriod, upsertPeriods } from '../store/poolPeriods.ts'
import { emptyPoolState } from '../store/poolState.ts'
import { type Pool, upsertPools } from '../store/pools.ts'
import type { Store } from '../store/store.ts'
import { type BlockRef, setCursor } from '../store/syncCursor.ts'
import { changeTicks } from '../store/ticks.ts'
import { type TokenPeriod, upsertTokenPeriods } from '../store/tokenPeriods.ts'
import { emptyTokenState } from '../store/tokenState.ts'
import { type TokenRow, upsertTokens } from '../store/tokens.ts'
import type { PoolAtBlock } from './readPools.ts'

export type Seed = {
  readonly identity: string
  /** The block after which the index begins: pools are as they were at its end. */
  readonly at: BlockRef
  readonly pools: readonly PoolAtBlock[]
  /** Of every pool. */
  readonly tokens: readonly TokenFacts[]
  readonly scope: IndexScope
}

/**
 * Puts into an empty store what an index holds at the end of a block, as far as contracts tell: pools with what they own and their ticks,
 * tokens with their prices. What they did before is not known, and no total counts it. The states are rows of the hour before, so that
 * events of the block's own hour are folded on top of them; what a pool's price was at the block is its opening here.
 */
export async function seedIndex(store: Store, { identity, at, pools: found, tokens, scope }: Seed): Promise<void> {
  const world = emptyWorld(scope.valuation)
  for (const token of tokens) world.tokens.set(token.address, { ...token, ...emptyTokenState })
  for (const pool of found) world.pools.set(pool.address, toPool(pool, at))
  makePlan(world, at.timestampSeconds)
  const price = priceTokens(world, at.timestampSeconds)
  const usdOf = (token: Address) => price(token)?.usdE18 ?? 0n
  const pools = [...world.pools.values()].map((pool) => ({
    ...pool,
    tvlUsdE18:
      dollarsOf(world, pool.token0, pool.reserve0, price(pool.token0)) +
      dollarsOf(world, pool.token1, pool.reserve1, price(pool.token1)),
  }))
  const reserves = sumReserves(pools)
  const rows = [...world.tokens.values()].map((token) => ({
    ...token,
    reserve: reserves.get(token.address) ?? 0n,
    priceUsdE18: usdOf(token.address),
  }))
  const startSeconds = startOfHour(at.timestampSeconds) - hourSeconds
  await store.write(async (tx) => {
    await setCursor(tx, { identity, block: at })
    await putScope(tx, toStoredScope(scope))
    await insertBlocks(tx, [at])
    await upsertTokens(tx, rows)
    await upsertPools(tx, pools)
    await changeTicks(
      tx,
      found.flatMap(({ address, ticks }) => toTickChanges(address, ticks, at)),
    )
    const open = pools.flatMap((pool) => (pool.tick === undefined ? [] : [{ ...pool, tick: pool.tick }]))
    await insertPoolEvents(
      tx,
      open.map((pool, i) => toOpening(pool, at, i)),
      new Map(),
    )
    await upsertPeriods(
      tx,
      'pool_hours',
      open.map((pool) => toHour(pool, startSeconds)),
    )
    await upsertTokenPeriods(
      tx,
      'token_hours',
      rows.map((token) => toTokenHour(token, startSeconds)),
    )
  })
}

/**
 * A pool that has earned fees counts as established: when it first traded is not known. Any other one begins to trade with its first
 * event.
 */
function toPool({ ticks, hasTraded, ...pool }: PoolAtBlock, { number, timestampSeconds }: BlockRef): Pool {
  return {
    ...emptyPoolState,
    feeGrowth0: undefined,
    feeGrowth1: undefined,
    ...pool,
    ...executableDepth(pool, ticks),
    reach: executableReach(pool, ticks),
    createdBlock: number,
    createdAtSeconds: timestampSeconds,
    firstSwapAtSeconds: hasTraded ? timestampSeconds - hourSeconds : undefined,
    lastSwapAtSeconds: hasTraded ? timestampSeconds : undefined,
  }
}

type Opened = Pick<Pool, 'address' | 'sqrtPriceX96'> & { readonly tick: number }

function toOpening({ address, sqrtPriceX96, tick }: Opened, { number, hash, timestampSeconds }: BlockRef, i: number): Initialize {
  const place = { pool: address, blockNumber: number, logIndex: i, txHash: hash, timestampSeconds }
  return { ...place, kind: 'initialize', sqrtPriceX96, tick }
}

function sumReserves(pools: readonly Pool[]): ReadonlyMap<Address, bigint> {
  const sums = new Map<Address, bigint>()
  for (const { token0, token1, reserve0, reserve1 } of pools) {
    sums.set(token0, (sums.get(token0) ?? 0n) + reserve0)
    sums.set(token1, (sums.get(token1) ?? 0n) + reserve1)
  }
  return sums
}

function toTickChanges(pool: Address, { byTick }: TickList, { number, timestampSeconds }: BlockRef) {
  const toChange = ([tick, liquidity]: readonly [number, TickLiquidity]) => ({
    ...{ pool, tick, ...liquidity },
    blockNumber: number,
    timestampSeconds,
  })
  return [...byTick].map(toChange)
}

function toHour(pool: Pool, startSeconds: number): PoolPeriod {
  const { sqrtPriceX96: price, address } = pool
  const nothing = { volume0: 0n, volume1: 0n, volumeUsdE18: 0n, feesUsdE18: 0n, swapCount: 0, eventCount: 0 }
  return { ...pool, ...nothing, pool: address, startSeconds, open: price, high: price, low: price }
}

function toTokenHour(token: TokenRow, startSeconds: number): TokenPeriod {
  const { address, priceUsdE18: price } = token
  const nothing = { volume: 0n, volumeUsdE18: 0n, feesUsdE18: 0n, trust: undefined }
  return { ...token, ...nothing, token: address, startSeconds, open: price, high: price, low: price }
}
