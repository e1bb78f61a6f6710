import type { Chain } from '../chain/chain.ts'
import { deleteBlocksAfter, listBlocksDown } from '../store/blocks.ts'
import { emptyIndex } from '../store/emptyIndex.ts'
import { deleteExchangePeriodsFrom } from '../store/exchangePeriods.ts'
import { deletePoolEventsAfter, listPoolEventsAfter } from '../store/poolEvents.ts'
import { deletePeriodsFrom } from '../store/poolPeriods.ts'
import { deletePoolsCreatedAfter } from '../store/pools.ts'
import type { Store, Tx } from '../store/store.ts'
import { deleteSwapsAfter } from '../store/swaps.ts'
import { type BlockRef, setCursor } from '../store/syncCursor.ts'
import { deleteTicksCreatedAfter } from '../store/ticks.ts'
import { deleteTokenPeriodsFrom } from '../store/tokenPeriods.ts'
import { deleteTokensWithoutPool } from '../store/tokens.ts'
import { deleteTransactionsAfter } from '../store/transactions.ts'
import { openWorld } from './openWorld.ts'
import type { IndexScope, WorldHolder } from './storeRange.ts'
import { storeChanges, storeTicks, toRows } from './storeWorld.ts'
import type { RunningPeriod } from './world.ts'

type Deps = {
  readonly chain: Chain
  readonly store: Store
  readonly identity: string
  readonly scope: IndexScope
  readonly holder: WorldHolder
}

/** References compared with the chain before looking further down. */
const comparedAtOnce = 16

/**
 * Takes the index back to the newest block it shares with the chain; to nothing when it shares none.
 * @returns that block
 */
export async function rewind(deps: Deps): Promise<BlockRef | undefined> {
  const { chain, store, identity, holder } = deps
  holder.world = undefined
  const ancestor = await findCommonBlock(chain, store)
  await store.write(async (tx) => {
    if (ancestor) await removeAfter(deps, tx, ancestor)
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

/** Removes what came after the block, and folds again the hour of the last event that is left. */
async function removeAfter(deps: Deps, tx: Tx, { number }: BlockRef): Promise<void> {
  await storeTicks(tx, await listPoolEventsAfter(tx, number), -1n)
  await deleteTicksCreatedAfter(tx, number)
  await deleteSwapsAfter(tx, number)
  await deletePoolEventsAfter(tx, number)
  await deleteTransactionsAfter(tx, number)
  await deletePoolsCreatedAfter(tx, number)
  await deleteTokensWithoutPool(tx)
  await deleteBlocksAfter(tx, number)
  const { world, changes } = await openWorld(tx, number, deps.scope.valuation)
  const { hour, day } = world
  await deleteHoursFrom(tx, startOf(hour))
  await deleteDaysFrom(tx, startOf(day))
  await storeChanges(tx, world, {
    changes: { ...changes, days: toRows(day) },
    also: { pools: world.pools.keys(), tokens: world.tokens.keys() },
  })
}

/** Before the first event no period has begun, and all rows go. */
function startOf({ startSeconds }: RunningPeriod): number {
  return Math.max(0, startSeconds)
}

async function deleteHoursFrom(tx: Tx, fromSeconds: number): Promise<void> {
  await deletePeriodsFrom(tx, 'pool_hours', fromSeconds)
  await deleteTokenPeriodsFrom(tx, 'token_hours', fromSeconds)
  await deleteExchangePeriodsFrom(tx, 'exchange_hours', fromSeconds)
}

async function deleteDaysFrom(tx: Tx, fromSeconds: number): Promise<void> {
  await deletePeriodsFrom(tx, 'pool_days', fromSeconds)
  await deleteTokenPeriodsFrom(tx, 'token_days', fromSeconds)
  await deleteExchangePeriodsFrom(tx, 'exchange_days', fromSeconds)
}
