import { type CompareDeps, findFault, type Left, stands, toWrong, type WrongBlock } from './findFault.ts'
import { judgeBlock } from './judgeBlock.ts'
import type { CreatedBlockOf } from './spanEvents.ts'

/** Blocks that receipts decide about in one look. */
const judgedMax = 16
/** With more of them nothing further is read. */
const waitingMax = 1_000

export type Waiting = { readonly block: number; readonly isUndecided: boolean }

type Read = { readonly from: number; readonly to: number; readonly by: number; readonly differing: ReadonlySet<number> }

/** Blocks that wait: wrong in the index and not to be repaired yet, or not decided about. */
export type WaitingBlocks = {
  /** A block is wrong in the index and cannot be repaired now. */
  leave(block: number): void
  leaveAll(blocks: ReadonlyMap<number, Left>): void
  /** Nothing decides yet whether a block is wrong. */
  doubt(block: number): void
  /** What a node has more than the index is a doubt. That one has less, and no receipts to show for it, is none: nodes forget. */
  passOver(from: number, blocks: readonly number[], by: number): void
  /** A node was read once more: it takes back what it had more. */
  takeBack(read: Read): void
  /**
   * Judges blocks that may be repaired by now; in turn, as there may be no receipts of some.
   * @returns the first that is wrong
   * @throws Failure of a node, or of the store
   */
  judge(end: number, createdBlockOf: CreatedBlockOf): Promise<WrongBlock | undefined>
  /** The lowest of them. */
  first(): Waiting | undefined
  isFull(): boolean
  /** The first block that waits, or where the first span begins that was passed over with one; infinite when there is none. */
  lowest(): number
  /** Rows before this block are no longer kept. */
  forgetBefore(first: number): void
  /** The index ends here now. */
  rolledBack(to: number): void
}

/** @param rollbacks how often the index was taken back: what was read before one of these times is void */
export function createWaiting(deps: CompareDeps, rollbacks: () => number): WaitingBlocks {
  const { claims } = deps
  const left = new Map<number, Left>()
  let passedOver = Number.POSITIVE_INFINITY

  const judgeOne = async (block: number, createdBlockOf: CreatedBlockOf): Promise<WrongBlock | undefined> => {
    const waited = left.get(block)
    if (!waited) return undefined
    left.delete(block)
    left.set(block, waited)
    const since = rollbacks()
    const truth = await judgeBlock(deps, block, createdBlockOf)
    if (!truth || truth === 'tied' || since !== rollbacks()) return undefined
    const { from } = waited
    const fault = await findFault(deps, block, { truth: truth.lines, from })
    if (fault && !stands(claims, fault)) return undefined
    if (fault) {
      left.set(block, { isUndecided: false, from })
      return toWrong(deps, block, { truth, fault, createdBlockOf })
    }
    left.delete(block)
    claims.drop((each) => each === block)
    return undefined
  }
  const forget = (isGone: (block: number) => boolean) => {
    for (const block of left.keys()) if (isGone(block)) left.delete(block)
  }

  return {
    leave: (block) => void left.set(block, { isUndecided: false, from: block }),
    leaveAll(blocks) {
      for (const [block, waits] of blocks) left.set(block, waits)
    },
    doubt(block) {
      if (left.size < waitingMax && !left.has(block)) left.set(block, { isUndecided: true, from: block })
    },
    passOver(from, blocks, by) {
      for (const block of blocks) if (!left.has(block)) left.set(block, { isUndecided: true, from: block, by })
      passedOver = Math.min(passedOver, from)
    },
    takeBack: ({ from, to, by, differing }) =>
      forget((block) => left.get(block)?.by === by && block >= from && block <= to && !differing.has(block)),
    async judge(end, createdBlockOf) {
      const blocks = [...left.keys()].filter((each) => each <= end && deps.mayRepair(each)).slice(0, judgedMax)
      for (const block of blocks) {
        const wrong = await judgeOne(block, createdBlockOf)
        if (wrong) return wrong
      }
      return undefined
    },
    first() {
      const block = left.size > 0 ? Math.min(...left.keys()) : undefined
      return block === undefined ? undefined : { block, isUndecided: left.get(block)?.isUndecided ?? false }
    },
    isFull: () => left.size > waitingMax,
    lowest: () => Math.min(passedOver, ...left.keys()),
    forgetBefore: (first) => forget((block) => block < first),
    rolledBack(to) {
      forget((block) => block > to)
      claims.drop((block) => block > to)
    },
  }
}
