import type { Address } from '@chainboard/core'
import type { Chain } from '../chain/chain.ts'
import { deleteBlocksAfter, listBlocksDown } from '../store/blocks.ts'
import { emptyIndex } from '../store/emptyIndex.ts'
import { deletePoolEventsAfter, listPoolEventsSince } from '../store/poolEvents.ts'
import { deletePeriodsFrom, findPeriodBefore, listPeriods, type PoolPeriod, upsertPeriods } from '../store/poolPeriods.ts'
import { emptyPoolState, type PoolState } from '../store/poolState.ts'
import { deletePoolsCreatedAfter, listPools, type Pool, upsertPools } from '../store/pools.ts'
import type { Store, Tx } from '../store/store.ts'
import { deleteSwapsAfter, findLastSwapTime, listSwapsOfPoolSince } from '../store/swaps.ts'
import { type BlockRef, setCursor } from '../store/syncCursor.ts'
import { deleteTokensWithoutPool } from '../store/tokens.ts'
import { daySeconds, foldDays, hourSeconds, startOfPeriod } from './foldEvents.ts'
import { foldIntoPeriods } from './storeRange.ts'

type Deps = { readonly chain: Chain; readonly store: Store; readonly identity: string }

/** References compared with the chain before looking further down. */
const comparedAtOnce = 16

/**
 * Takes the index back to the newest block it shares with the chain; to nothing when it shares none.
 * @returns that block
 */
export async function rewind({ chain, store, identity }: Deps): Promise<BlockRef | undefined> {
  const ancestor = await findCommonBlock(chain, store)
  await store.write(async (tx) => {
    if (ancestor) await removeAfter(tx, ancestor)
    else await emptyIndex(tx)
    await setCursor(tx, { identity, block: ancestor })
  })
  return ancestor
}

async function findCommonBlock(chain: Chain, store: Store): Promise<BlockRef | undefined> {
  let below = Number.MAX_SAFE_INTEGER
  for (;;) {
    const refs = await listBlocksDown(store.read, below, comparedAtOnce)
    if (refs.length === 0) return undefined
    const headers = await Promise.all(refs.map(({ number }) => chain.readHeader(number)))
    const common = refs.find(({ hash }, i) => headers[i]?.hash === hash)
    if (common) return common
    below = (refs.at(-1) as BlockRef).number - 1
  }
}

async function removeAfter(tx: Tx, { number }: BlockRef): Promise<void> {
  const swaps = await deleteSwapsAfter(tx, number)
  const others = await deletePoolEventsAfter(tx, number)
  await deletePoolsCreatedAfter(tx, number)
  await deleteTokensWithoutPool(tx)
  await deleteBlocksAfter(tx, number)
  const firstRemoved = new Map(swaps)
  for (const [pool, seconds] of others) firstRemoved.set(pool, Math.min(seconds, firstRemoved.get(pool) ?? seconds))
  const left = new Map((await listPools(tx, [...firstRemoved.keys()])).map((pool) => [pool.address, pool]))
  for (const [address, seconds] of firstRemoved) {
    const pool = left.get(address)
    const fromSeconds = pool ? startOfPeriod(seconds, hourSeconds) : 0
    await deletePeriodsFrom(tx, 'pool_hours', { pool: address, fromSeconds })
    await deletePeriodsFrom(tx, 'pool_days', { pool: address, fromSeconds: startOfPeriod(fromSeconds, daySeconds) })
    if (pool) await foldAgain(tx, pool, fromSeconds)
  }
}

/** Rebuilds a pool's state from the last hour left, and the hour and the day of `fromSeconds` from the rows left in them. */
async function foldAgain(tx: Tx, pool: Pool, fromSeconds: number): Promise<void> {
  const { address } = pool
  const before = await findPeriodBefore(tx, 'pool_hours', { pool: address, beforeSeconds: fromSeconds })
  const lastSwapAtSeconds = await findLastSwapTime(tx, address)
  const events = [
    ...(await listSwapsOfPoolSince(tx, address, fromSeconds)),
    ...(await listPoolEventsSince(tx, address, fromSeconds)),
  ]
  events.sort((a, b) => a.blockNumber - b.blockNumber || a.logIndex - b.logIndex)
  const pools = new Map<Address, Pool>([[address, { ...pool, ...toState(before), lastSwapAtSeconds }]])
  await foldIntoPeriods(tx, pools, events)
  await upsertPools(tx, [...pools.values()])
  const day = startOfPeriod(fromSeconds, daySeconds)
  const hours = await listPeriods(tx, 'pool_hours', { pools: [address], fromSeconds: day, toSeconds: day + daySeconds })
  await upsertPeriods(tx, 'pool_days', foldDays(hours))
}

function toState(period: PoolPeriod | undefined): PoolState {
  if (!period) return emptyPoolState
  const { sqrtPriceX96, tick, liquidity, reserve0, reserve1 } = period
  return { sqrtPriceX96, tick, liquidity, reserve0, reserve1 }
}
