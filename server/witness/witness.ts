import type { Address } from '@chainboard/core'
import type { Doubt } from '../store/poolChecks.ts'
import type { Pool } from '../store/pools.ts'
import type { BlockRef } from '../store/syncCursor.ts'
import type { BloomAlarm } from './createBloomAlarm.ts'
import type { Guard } from './createGuard.ts'
import type { Stranger } from './createStrangers.ts'

/** How far the index was compared with the contracts it follows. */
export type Verification = {
  /** Up to here every opened pool agreed with its contract; undefined until all were compared. */
  readonly verifiedBlock: number | undefined
  /** When the last comparison succeeded, by `nowMs`. */
  readonly checkedAtMs: number | undefined
  /** Why the last comparison did not: the node's words. Undefined when it did. */
  readonly trouble: string | undefined
  /** Pools that differed from their contracts at the last comparison, and are to be read again. */
  readonly suspects: number
  /** A block of the index that is not as the chain is, and is about to be read again or waits for it; undefined when none is known. */
  readonly wrongBlock: number | undefined
  /** Why the index is not known to be right, besides: in words; undefined when nothing of the kind is known. */
  readonly unsure: string | undefined
  /** What does not fit and could not be repaired, oldest first, the first 100. */
  readonly doubts: readonly Doubt[]
  /** Times that a part of the index was read again since the start. */
  readonly repairs: number
  /** Pools whose fee growth is not computed: rules of their own, or indexed by an older version. */
  readonly unverifiable: number
  /** Checks that mean nothing on this chain and were switched off. */
  readonly quirks: readonly string[]
}

/** The index as it is after its last block. */
export type Standing = { readonly block: BlockRef; readonly head: number; readonly pools: ReadonlyMap<Address, Pool> }

/** Checks the index against its nodes, beside the follower that writes it. */
export type Witness = {
  /** Reads from the store what the index is known to have wrong, before anybody is told that it is right. @throws Failure of the store */
  open(): Promise<void>
  readonly guard: Guard
  readonly blooms: BloomAlarm
  /** Contracts that emit events of a pool and are none of the index. */
  meet(strangers: readonly Stranger[]): void
  status(): Verification
  /**
   * Compares some pools with their contracts, in the background and at its own pace; may be called as often as one likes.
   * @returns a block that an earlier comparison found to be wrong in the index: it wants to be read again from there
   */
  look(standing: Standing): number | undefined
  /** Compares the nodes with each other alone, as `look` does too. @param end the last block of the index */
  compareNodes(end: number): void
  /** Looks for what is wrong in the index before an event that does not fit. @returns the first wrong block */
  search(pool: Address, toBlock: number): Promise<number | undefined>
  /** Counts a repair: the index was taken back, to be read again from this block. */
  repaired(block: number): void
  /** Whether a new index may begin because the first block of this one is wrong. True the first time only. */
  mayBeginAnew(): boolean
  /** A wrong block cannot be read again, as nothing of the index is below it: looked at again after longer and longer waits. */
  unrepaired(block: number): void
  /** The chain has left the index, which ends here now. */
  rolledBack(to: number): void
  /** A node gave a range that leaves something out, and was refused: what it gave shortly before is read once more. */
  caught(block: number): void
  /** Resolves when nothing runs any more. */
  stop(): Promise<void>
}
