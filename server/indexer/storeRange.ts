import type { Address } from '@chainboard/core'
import type { Chain, ChainRange } from '../chain/chain.ts'
import { rangeEnds } from '../chain/rangeEnds.ts'
import { insertBlocks, thinBlocks } from '../store/blocks.ts'
import { insertFeeProtocols } from '../store/feeProtocols.ts'
import { insertDoubts } from '../store/poolChecks.ts'
import { insertPoolEvents } from '../store/poolEvents.ts'
import type { Store, Tx } from '../store/store.ts'
import { insertSwaps } from '../store/swaps.ts'
import { advanceCursor, type BlockRef } from '../store/syncCursor.ts'
import type { Guard } from '../witness/createGuard.ts'
import { foldRange, moved } from './foldRange.ts'
import type { IndexScope } from './indexScope.ts'
import { storeChanges, storeSpans, storeTicks } from './storeWorld.ts'
import { type FoldedRange, forgetNext, forgetWorld, type WorldHolder } from './worldHolder.ts'

export type RangeDeps = {
  readonly chain: Chain
  readonly store: Store
  readonly scope: IndexScope
  readonly identity: string
  readonly holder: WorldHolder
  /** Refuses ranges that leave something out; absent: whatever the node gives is taken. */
  readonly guard?: Guard | undefined
  /** Gets to know the contracts that emit events of a pool and are none of the index. */
  readonly onStrangers?: ((strangers: readonly { pool: Address; blockNumber: number }[]) => void) | undefined
  /** Reads the range that follows a block; undefined where none does, or it cannot be taken as it is. Absent: nothing is folded ahead. */
  readonly upcoming?: ((last: BlockRef) => Promise<ChainRange | undefined>) | undefined
}

/** Blocks between two thinnings of the block references. */
const thinEvery = 1_024

/** Times that a range is folded, when the rows that it follows from were changed meanwhile. */
const foldsMax = 3

/** While the range was folded, blocks before it were valued again: it follows from what is stored no more. */
class WorldReplaced extends Error {}

/**
 * Puts a range into the index: events, states, hours, days and the cursor in one transaction, so that whatever ends the
 * process leaves the index at a block's end. Meanwhile the range that follows is folded.
 * @param cursor the last block in the index, which the range continues
 * @returns the last block of the range
 * @throws Doubted, with nothing stored, when its events do not fit what the index holds
 */
export async function storeRange(deps: RangeDeps, range: ChainRange, cursor: BlockRef | undefined): Promise<BlockRef> {
  const { holder } = deps
  for (let folds = 1; ; folds += 1) {
    const folded = await takeFolded(deps, range, cursor)
    try {
      return await writeRange(deps, { range, folded }, cursor)
    } catch (error) {
      if (error instanceof WorldReplaced && folds < foldsMax) continue
      // It has events in it that the store does not have.
      forgetWorld(holder)
      throw error instanceof WorldReplaced ? moved() : error
    }
  }
}

async function takeFolded(deps: RangeDeps, range: ChainRange, cursor: BlockRef | undefined): Promise<FoldedRange> {
  const { holder } = deps
  if (holder.next?.range !== range) {
    forgetNext(holder)
    return foldRange(deps, range, cursor)
  }
  const { folded } = holder.next
  holder.next = undefined
  return folded
}

type Folded = { readonly range: ChainRange; readonly folded: FoldedRange }

async function writeRange(deps: RangeDeps, { range, folded }: Folded, cursor: BlockRef | undefined): Promise<BlockRef> {
  const [, last] = rangeEnds(range)
  const { swaps, otherEvents, values } = folded
  const written = new AbortController()
  try {
    const write = async (tx: Tx) => {
      if (!(await advanceCursor(tx, { identity: deps.identity, from: cursor, to: last }))) throw moved()
      // From here on nobody else changes rows of the index.
      if (deps.holder.world !== folded.world) throw new WorldReplaced()
      deps.onStrangers?.(folded.strangers)
      const doubts = deps.guard?.check(folded.misfits) ?? []
      foldNext(deps, last, written.signal)
      await storeChanges(tx, folded.rows)
      await insertSwaps(tx, swaps, values)
      await insertPoolEvents(tx, otherEvents, values)
      await insertFeeProtocols(tx, folded.feeProtocols)
      await storeTicks(tx, otherEvents, 1n)
      await insertDoubts(tx, doubts)
      await storeSpans(tx, folded.windows)
      await insertBlocks(tx, toBlockRefs(range))
      if (crossesThinning(range)) await thinBlocks(tx, last.number)
    }
    await deps.store.write(write, { asyncCommit: true })
  } finally {
    written.abort()
  }
  return last
}

/** Begins to fold the range that follows, if it is read before this one is written: later it has its turn anyway. */
function foldNext(deps: RangeDeps, last: BlockRef, written: AbortSignal): void {
  const { holder, upcoming } = deps
  const begin = (range: ChainRange | undefined) => {
    if (!range || written.aborted) return
    const folded = foldRange(deps, range, last)
    holder.next = { range, folded }
    // Who stores the range meets the failure.
    folded.catch(() => undefined)
  }
  // What cannot be read is read again when it has its turn.
  upcoming?.(last).then(begin, () => undefined)
}

/** Whether a range holds a block at which the references are thinned out, wherever in the range it stands. */
function crossesThinning({ headers }: ChainRange): boolean {
  const [first, last] = [headers[0], headers.at(-1)]
  return (
    first !== undefined &&
    last !== undefined &&
    Math.floor((first.number - 1) / thinEvery) !== Math.floor(last.number / thinEvery)
  )
}

function toBlockRefs({ headers, logs }: ChainRange): BlockRef[] {
  const refs = new Map<number, BlockRef>()
  for (const { blockNumber, blockHash, timestampSeconds } of logs) {
    refs.set(blockNumber, { number: blockNumber, hash: blockHash, timestampSeconds })
  }
  for (const { number, hash, timestampSeconds } of headers) refs.set(number, { number, hash, timestampSeconds })
  return [...refs.values()]
}
