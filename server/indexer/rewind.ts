import { Failure } from '@chainboard/core'
import type { Chain } from '../chain/chain.ts'
import { setIndexAside } from '../store/asideIndexes.ts'
import { deleteBlocksAfter, listBlocksDown } from '../store/blocks.ts'
import { deleteExchangePeriodsFrom } from '../store/exchangePeriods.ts'
import { deleteFeeProtocolsAfter } from '../store/feeProtocols.ts'
import { deleteOldDollarsAfter } from '../store/oldDollars.ts'
import { deleteChecksAfter } from '../store/poolChecks.ts'
import { deletePoolEventsAfter, listPoolEventsAfter } from '../store/poolEvents.ts'
import { deletePeriodsFrom } from '../store/poolPeriods.ts'
import { deleteSpans } from '../store/poolSpans.ts'
import { deletePoolsCreatedAfter } from '../store/pools.ts'
import type { Store, Tx } from '../store/store.ts'
import { deleteSwapsAfter, listPoolsTradedAfter } from '../store/swaps.ts'
import { type BlockRef, lockCursor, setCursor } from '../store/syncCursor.ts'
import { deleteTicksCreatedAfter } from '../store/ticks.ts'
import { deleteTokenPeriodsFrom } from '../store/tokenPeriods.ts'
import { deleteTokensWithoutPool } from '../store/tokens.ts'
import { deleteTransactionsAfter } from '../store/transactions.ts'
import { openWorld } from './openWorld.ts'
import type { IndexScope, WorldHolder } from './storeRange.ts'
import { storeChanges, storeSpans, storeTicks, toRows } from './storeWorld.ts'
import type { RunningPeriod } from './world.ts'

type Deps = {
  readonly store: Store
  readonly identity: string
  readonly scope: IndexScope
  readonly holder: WorldHolder
  readonly nowMs: () => number
}

/** References compared with the chain before looking further down. */
const comparedAtOnce = 16

/**
 * Where the chain leaves the index: `ancestor` is the newest block they share, undefined when they share none. `depth` is how
 * many blocks the index loses with it: more than the reorg's where references are thin, which is below the confirmations.
 */
export type Fork = {
  readonly ancestor: BlockRef | undefined
  readonly depth: number
  /** The lowest block known to be another one on the chain, as the chain has it; undefined for a chain that was only cut. */
  readonly other: { readonly number: number; readonly hash: string } | undefined
}

/**
 * Looks for the newest block that the index shares with the chain.
 * @param mayRestart the chain may have been cut: blocks that the node does not have are gone
 * @throws Failure `rpc-behind` when the node does not have the blocks to tell: a block it does not know is no other block
 */
export async function findFork(chain: Chain, store: Store, mayRestart: boolean): Promise<Fork> {
  const head = await chain.readHead()
  const [newest] = await listBlocksDown(store.read, Number.MAX_SAFE_INTEGER, 1)
  if (!newest) return { ancestor: undefined, depth: 0, other: undefined }
  let other: Fork['other']
  let below = head.number
  for (;;) {
    const refs = await listBlocksDown(store.read, below, comparedAtOnce)
    const headers = await Promise.all(refs.map(({ number }) => chain.readHeader(number)))
    const unknown = refs.find((_, i) => !headers[i])
    if (unknown) throw behind(`The node does not have block ${unknown.number}`)
    const shared = refs.findIndex(({ hash }, i) => headers[i]?.hash === hash)
    other = headers.slice(0, shared === -1 ? undefined : shared).at(-1) ?? other
    if (shared === -1 && refs.length > 0) {
      below = (refs.at(-1) as BlockRef).number - 1
      continue
    }
    if (!other && !mayRestart) throw behind(`The node ends at block ${head.number}, before the index`)
    const ancestor = refs[shared]
    return { ancestor, depth: newest.number - (ancestor?.number ?? -1), other }
  }
}

function behind(text: string): Failure {
  return new Failure('rpc-behind', text, { retryable: true })
}

/**
 * Takes the index back to before a block, so that it is read again from there: its rows are not what the chain has.
 * @returns the newest block that is left; undefined, with nothing changed, when none below is known
 */
export async function takeBack(deps: Deps, block: number): Promise<BlockRef | undefined> {
  const [left] = await listBlocksDown(deps.store.read, block - 1, 1)
  if (left) await rewind(deps, left)
  return left
}

/** Takes the index back to `ancestor`. Without one nothing of it is the chain's, and it is set aside. @returns its number then */
export async function rewind(deps: Deps, ancestor: BlockRef | undefined): Promise<number | undefined> {
  const { store, identity, holder, nowMs } = deps
  holder.world = undefined
  return store.write(async (tx) => {
    // Before any row: whoever values blocks again has it first, too.
    await lockCursor(tx)
    holder.past = undefined
    let number: number | undefined
    if (ancestor) await removeAfter(deps, tx, ancestor)
    else number = await setIndexAside(store, tx, Math.floor(nowMs() / 1000))
    await setCursor(tx, { identity, block: ancestor })
    return number
  })
}

/** Removes what came after the block, and folds again the hour of the last event that is left. */
async function removeAfter(deps: Pick<Deps, 'scope'>, tx: Tx, ancestor: BlockRef): Promise<void> {
  const { number } = ancestor
  const events = await listPoolEventsAfter(tx, number)
  const touched = [...events.map(({ pool }) => pool), ...(await listPoolsTradedAfter(tx, number))]
  await storeTicks(tx, events, -1n)
  await deleteTicksCreatedAfter(tx, number)
  await deleteSwapsAfter(tx, number)
  await deletePoolEventsAfter(tx, number)
  await deleteFeeProtocolsAfter(tx, number)
  await deleteChecksAfter(tx, number)
  await deleteOldDollarsAfter(tx, number)
  await deleteTransactionsAfter(tx, number)
  await deletePoolsCreatedAfter(tx, number)
  await deleteTokensWithoutPool(tx)
  await deleteBlocksAfter(tx, number)
  const { world, changes } = await openWorld(tx, number, deps.scope.valuation, { touched })
  const { hour, day } = world
  await deleteHoursFrom(tx, startOf(hour))
  await deleteDaysFrom(tx, startOf(day))
  await storeChanges(tx, world, {
    changes: { ...changes, days: toRows(day) },
    also: { pools: world.pools.keys(), tokens: world.tokens.keys() },
  })
  await deleteSpans(tx)
  await storeSpans(tx, world, { pools: world.windows.keys(), first: { timestampSeconds: 0 }, last: ancestor })
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
