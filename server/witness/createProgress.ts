import type { Address } from '@chainboard/core'
import { listPoolChecks, upsertPoolChecks } from '../store/poolChecks.ts'
import type { Store } from '../store/store.ts'

/** A block is read once more when it has been there for so long: a node may leave out the same again, and the next one, too. */
const againMs = 240_000
/** A node that left something out may have done so before: what was stored so lately is read once more. */
const windowMs = 300_000
/** Places of the index over the last minutes, one a look. */
const marksMax = 64

type Deps = {
  readonly store: Store
  readonly factory: Address
  readonly startBlock: number
  readonly nowMs: () => number
  readonly nowSeconds: () => number
}

/** How far the second reading of the index has come. Kept in the store as the row of the factory among the checks of pools. */
export type Progress = {
  /** Reads where an earlier run of the server was, once. @throws Failure of the store */
  load(): Promise<void>
  /** Notes where the index ends now. */
  mark(cursor: number): void
  /** The newest block that the index had so long ago; undefined when that is not known. */
  blockOf(agoMs: number): number | undefined
  /** The next block that was not read yet. */
  next(): number
  /** Where the next span of so many blocks begins: before what is new, if all of it fits; undefined when there is nothing to read. */
  findStart(target: number, span: number): number | undefined
  /**
   * Notes a span that was read, and stores how far all is read.
   * @param below the first block that is not settled, though it was read: a server that starts again has to find it again
   * @throws Failure of the store
   */
  keep(span: { readonly fromBlock: number; readonly toBlock: number }, below: number): Promise<void>
  /** Rows before this block are no longer kept, so they are not missing: what is before it is passed over. */
  skipTo(first: number): void
  /** What comes after this block, and what was stored lately, is read once more. */
  repeatAfter(block: number): void
  /** How often the index was taken back: what was read before one of these times is void. */
  rollbacks(): number
  /** The index ends here now. */
  rolledBack(to: number): void
}

/** @param deps `nowMs`: a monotonic clock; `nowSeconds`: the date, of the row */
export function createProgress({ store, factory, startBlock, nowMs, nowSeconds }: Deps): Progress {
  /** What is to be read next; up to `settled` everything was read late enough not to be read again. */
  let next: number | undefined
  let settled = startBlock - 1
  let marks: readonly { readonly atMs: number; readonly block: number }[] = []
  let rollbacks = 0

  const blockOf = (agoMs: number) => marks.findLast(({ atMs }) => atMs <= nowMs() - agoMs)?.block
  const goBack = (to: number) => {
    if (next !== undefined && next > to + 1) next = Math.max(startBlock, to + 1)
    settled = Math.min(settled, Math.max(startBlock - 1, to))
  }

  return {
    async load() {
      if (next !== undefined) return
      // Up to the block of the row everything was read again, late enough.
      const row = (await listPoolChecks(store.read)).find(({ pool }) => pool === factory)
      settled = row ? row.blockNumber : startBlock - 1
      next = settled + 1
      marks = [{ atMs: Number.NEGATIVE_INFINITY, block: settled }, ...marks]
    },
    mark(cursor) {
      marks = [...marks, { atMs: nowMs(), block: cursor }].slice(-marksMax)
      const old = marks.findLastIndex(({ atMs }) => atMs <= nowMs() - windowMs)
      marks = marks.slice(Math.max(0, old))
    },
    blockOf,
    next: () => next ?? startBlock,
    findStart(target, span) {
      if (settled < target && target - settled <= span) return settled + 1
      const unread = next ?? startBlock
      if (unread <= target) return unread
      return settled < (blockOf(againMs) ?? settled) ? settled + 1 : undefined
    },
    async keep({ fromBlock, toBlock }, below) {
      next = Math.max(next ?? 0, toBlock + 1)
      if (fromBlock <= settled + 1) settled = Math.max(settled, Math.min(toBlock, blockOf(againMs) ?? settled))
      const row = { pool: factory, blockNumber: Math.min(settled, below - 1), atSeconds: nowSeconds() }
      await store.write((tx) => upsertPoolChecks(tx, [row]))
    },
    skipTo(first) {
      if (next !== undefined && next < first) next = first
      settled = Math.max(settled, first - 1)
    },
    repeatAfter: (block) => goBack(Math.min(block, blockOf(windowMs) ?? block)),
    rollbacks: () => rollbacks,
    rolledBack(to) {
      rollbacks += 1
      marks = marks.map(({ atMs, block }) => ({ atMs, block: Math.min(block, to) }))
      goBack(to)
    },
  }
}
