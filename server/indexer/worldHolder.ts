import type { ChainRange } from '../chain/chain.ts'
import type { FeeProtocolChange } from '../store/feeProtocols.ts'
import type { PoolEvent } from '../store/poolEvents.ts'
import type { Store } from '../store/store.ts'
import type { EventValues, Swap } from '../store/swaps.ts'
import { type BlockRef, findCursor } from '../store/syncCursor.ts'
import type { FoundMisfit } from '../witness/createGuard.ts'
import { openWorld } from './openWorld.ts'
import type { ChangedRows, WindowRows } from './storeWorld.ts'
import { emptyWorld, type Valuation, type World } from './world.ts'

/** What a range makes of the index: rows as they are after its last event, whatever is folded on top of it. */
export type FoldedRange = {
  /** That it was folded into. */
  readonly world: World
  readonly rows: ChangedRows
  readonly windows: WindowRows
  readonly swaps: readonly Swap[]
  readonly otherEvents: readonly PoolEvent[]
  readonly feeProtocols: readonly FeeProtocolChange[]
  readonly values: EventValues
  readonly misfits: readonly FoundMisfit[]
  /** Events of a pool by contracts that are none of the index. */
  readonly strangers: readonly (Swap | PoolEvent | FeeProtocolChange)[]
}

/**
 * `world` is the one after the last block stored, and after the blocks of `next`; none at the start and after anything went wrong, when it
 * is made from the store. `past` is the one after a block whose dollars were valued again, while those of later blocks still are to be.
 */
export type WorldHolder = {
  world: World | undefined
  past?: PastWorld | undefined
  /** How often the store got something that no world has: one that was read meanwhile is of before. */
  valuings?: number | undefined
  /** The range that follows, which is folded while the one before is stored. */
  next?: { readonly range: ChainRange; readonly folded: Promise<FoldedRange> } | undefined
}

/** `isBeforeTurn`: totals of it are wrong, as blocks before are still to be valued. */
export type PastWorld = { readonly world: World; readonly block: number; readonly isBeforeTurn?: boolean }

/** Times that a world is read, while blocks are valued again and again. */
const readingsMax = 3

/** Blocks were valued again: the store has other dollars than any world. Called before that is committed. */
export function noteValuing(holder: WorldHolder): void {
  holder.world = undefined
  holder.valuings = (holder.valuings ?? 0) + 1
}

/** The store has something else than the world and what was folded ahead, as when pools are added to it. */
export function forgetWorld(holder: WorldHolder): void {
  noteValuing(holder)
  holder.next = undefined
}

/** Another step comes than to store what was folded ahead: the world has events in it that the store will not have. */
export function forgetNext(holder: WorldHolder): void {
  if (holder.next) forgetWorld(holder)
}

type Deps = { readonly store: Store; readonly scope: { readonly valuation: Valuation }; readonly holder: WorldHolder }

/**
 * The world at the cursor, or ahead of it by what is folded already. After a start and after a refused range there is none in memory.
 * @returns undefined when the store ends at another block by now, or is changed all the time
 */
export async function holdWorld({ store, scope, holder }: Deps, cursor: BlockRef | undefined): Promise<World | undefined> {
  if (!cursor) holder.world ??= emptyWorld(scope.valuation)
  for (let readings = 0; cursor && !holder.world && readings < readingsMax; readings += 1) {
    const { valuings } = holder
    const world = await store.readConsistently(async (tx) => {
      const isThere = (await findCursor(tx))?.block?.hash === cursor.hash
      return isThere ? (await openWorld(tx, cursor.number, scope.valuation)).world : undefined
    })
    if (!world) break
    if (holder.valuings === valuings) holder.world ??= world
  }
  return holder.world
}
