import { daySeconds, executableReach, hourSeconds, isEstablished, startOfHour } from '@chainboard/core'
import { openWorld } from './indexer/openWorld.ts'
import { weighPool } from './indexer/poolWindows.ts'
import type { Valuation, World } from './indexer/world.ts'
import type { IndexState } from './market/sources/index/indexSource.ts'
import { readLastingTrust } from './market/sources/index/lastingTrust.ts'
import { listMediansAt } from './store/pastMedians.ts'
import type { Tx } from './store/store.ts'
import type { BlockRef } from './store/syncCursor.ts'
import { listTokenRangesIn } from './store/tokenPeriods.ts'

/** What the index was after a block that is not its newest: its rows of the hours before, and the events since folded again. */
export async function readPastState(tx: Tx, atBlock: BlockRef, valuation: Valuation): Promise<IndexState> {
  const { world } = await openWorld(tx, atBlock.number, valuation, { isPast: true })
  const { startSeconds, tokens } = world.hour
  const nowSeconds = atBlock.timestampSeconds
  // No receipt shows volumes: one of a volume sums up its own swaps.
  const nothing = {
    pools: [],
    recentHours: [],
    lastingTrust: new Map(),
    volumes: new Map(),
    dayAgo: new Map(),
    weekAgo: new Map(),
  }
  // Nothing had happened yet.
  if (!Number.isFinite(startSeconds)) return { ...nothing, atBlock }
  const { windowSeconds } = valuation
  const medianAgo = (seconds: number) => listMediansAt(tx, { nowSeconds: nowSeconds - seconds, windowSeconds })
  const earliest = startOfHour(nowSeconds) - hourSeconds
  return {
    atBlock,
    pools: listPools(world, nowSeconds),
    recentHours: [
      ...(await listTokenRangesIn(tx, { fromSeconds: earliest, toSeconds: startSeconds })),
      ...(startSeconds >= earliest ? tokens.values() : []),
    ],
    lastingTrust: await readLastingTrust(tx, nowSeconds),
    volumes: nothing.volumes,
    dayAgo: await medianAgo(daySeconds),
    weekAgo: await medianAgo(7 * daySeconds),
  }
}

function listPools({ pools, ticks, windows, valuation: { windowSeconds } }: World, nowSeconds: number): IndexState['pools'] {
  return [...pools.values()].flatMap((pool) => {
    if (pool.tick === undefined) return []
    const list = ticks.get(pool.address)
    const reach = list ? executableReach(pool, list) : pool.reach
    const window = weighPool(windows, pool, { nowSeconds, windowSeconds })
    return { ...pool, reach, window, isEstablished: isEstablished(pool.firstSwapAtSeconds, nowSeconds) }
  })
}
