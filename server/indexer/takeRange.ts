import { Failure } from '@chainboard/core'
import type { Chain, ChainRange } from '../chain/chain.ts'
import { listBlocksDown } from '../store/blocks.ts'
import { findFirstKept, keepOpen } from '../store/keptSince.ts'
import type { Store } from '../store/store.ts'
import type { BlockRef } from '../store/syncCursor.ts'
import { Doubted } from '../witness/createGuard.ts'
import type { Witness } from '../witness/witness.ts'
import { describeAside } from './adoptIndex.ts'
import type { IndexScope } from './indexScope.ts'
import { rollBack } from './rollBack.ts'
import { type RangeDeps, storeRange } from './storeRange.ts'
import type { SyncEvent } from './syncMachine.ts'
import { holdWorld, type WorldHolder } from './worldHolder.ts'

type Deps = Pick<RangeDeps, 'upcoming'> & {
  readonly chain: Chain
  readonly store: Store
  readonly scope: IndexScope
  readonly identity: string
  readonly holder: WorldHolder
  readonly witness?: Witness | undefined
  readonly nowMs: () => number
  readonly log: { warn(facts: object, text: string): void }
}

/** From this often on, what does not fit is looked for in the blocks that are stored already. */
const sightingsBeforeSearch = 2

/**
 * Puts a range into the index, or takes the index back to where it was right: an event that does not fit shows that something
 * before it is missing, in this range or in one that was stored.
 * @throws Doubted when the range has to be read again
 */
export async function takeRange(deps: Deps, range: ChainRange, cursor: BlockRef | undefined): Promise<SyncEvent> {
  const { witness } = deps
  try {
    if (witness && cursor) {
      const pools = (await holdWorld(deps, cursor))?.pools
      if (pools) await witness.blooms.check(range, { factory: deps.scope.factory, pools: pools.keys(), poolCount: pools.size })
    }
    const last = await storeRange({ ...deps, guard: witness?.guard, onStrangers: witness?.meet }, range, cursor)
    return { kind: 'rangeStored', last, logs: range.logs.length }
  } catch (error) {
    // What is no failure is an error of ours, which another node's answer may not lead to.
    if (!(error instanceof Failure) || error.code === 'rpc-invalid') range.distrust?.()
    if (error instanceof Failure && error.code === 'rpc-invalid') witness?.caught((cursor?.number ?? -1) + 1)
    if (!(error instanceof Doubted) || !witness) throw error
    if (!cursor || error.sightings < sightingsBeforeSearch) throw error
    const wrong = await witness.search(error.pool, cursor.number)
    const back = wrong === undefined ? undefined : await repair(deps, wrong, cursor)
    if (!back) throw error
    return back
  }
}

/** Compares the index with its contracts when it is time to. @returns an event when a part of it has to be read again */
export async function checkIndex(
  deps: Deps,
  cursor: BlockRef | undefined,
  head: number | undefined,
): Promise<SyncEvent | undefined> {
  const { witness } = deps
  if (!witness || !cursor || head === undefined) return undefined
  const world = await holdWorld(deps, cursor)
  const wrong = world && witness.look({ block: cursor, head, pools: world.pools })
  return wrong === undefined ? undefined : repair(deps, wrong, cursor)
}

/**
 * Takes the index back to before a wrong block. If no block of the index is below it that it can be taken back to, the index is set aside and a new one begins. That
 * happens once: if the node leaves out the same again, each new index that is set aside would take more of the disk.
 * @returns nothing when the wrong block is not in the index any more, or cannot be read again
 */
export async function repair(deps: Deps, wrong: number, cursor: BlockRef): Promise<SyncEvent | undefined> {
  const { store, witness, log } = deps
  // What was compared while older rows were deleted is not missing.
  if (wrong > cursor.number || wrong < (await findFirstKept(store.read))) {
    witness?.rolledBack(cursor.number)
    return undefined
  }
  const [before] = await listBlocksDown(store.read, wrong - 1, 1)
  const below = await keepOpen(store.read, before)
  if (!below && witness?.mayBeginAnew() === false) {
    witness.unrepaired(wrong)
    return undefined
  }
  // Before the index begins to read again: a kill in between must not leave what is wrong.
  deps.chain.forgetAfter?.(below?.number ?? -1)
  const number = await rollBack(deps, below)
  if (number !== undefined) log.warn({ number }, describeAside(number))
  witness?.repaired(wrong)
  return { kind: 'rolledBack', cursor: below, repairs: wrong }
}
