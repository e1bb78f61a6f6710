import { findFirstKept } from '../store/keptSince.ts'
import type { Store } from '../store/store.ts'
import { type Asked, compareSpan } from './compareSpan.ts'
import { createProgress } from './createProgress.ts'
import { createTimeClaims } from './createTimeClaims.ts'
import { createWaiting, type Waiting } from './createWaiting.ts'
import { createWidths } from './createWidths.ts'
import { failureOfNode } from './failureOfNode.ts'
import type { WrongBlock } from './findFault.ts'
import type { HoleDeps } from './findHole.ts'
import type { CreatedBlockOf, Keeping } from './spanEvents.ts'
import { toSeconds } from './toSeconds.ts'

/** A block is read a second time when it has been in the index for so long: what made a node lie the first time may be over. */
const ageMs = 60_000
/** Spans of what is new are read so seldom; a backlog, as after the first sync, is read by one span a look. */
const everyMs = 60_000
/** Readings that left a difference undecided, and the last block of their spans. A reading that ends before it does not end them. */
const decided = { readings: 0, to: 0 }

export type SecondReadingDeps = Omit<HoleDeps, 'read'> &
  Keeping & {
    readonly store: Store
    readonly startBlock: number
    /** A clock for waits, which nobody sets. */
    readonly nowMs: () => number
    /** The date; absent: by `nowMs`. */
    readonly nowSeconds?: (() => number) | undefined
    readonly distrust?: ((place: number) => void) | undefined
    /** Whether a wrong block may be repaired now, or waits. */
    readonly mayRepair: (block: number) => boolean
  }

export type SecondReading = {
  /**
   * Reads the next span of the index again, if one is due.
   * @param index its last block, and the pools that it has there
   * @returns a block that is wrong in the index and may be repaired; undefined when none is, or the node does not answer
   */
  step(index: { readonly end: number; readonly createdBlockOf: CreatedBlockOf }): Promise<WrongBlock | undefined>
  /** A node was caught leaving something out at a block: what was stored lately is read once more. */
  caught(block: number): void
  /** A block is wrong in the index and cannot be repaired now: it is judged again when it may be. */
  leave(block: number): void
  /** Nothing decides whether the index will have all of a block that it is about to have: it is judged until something does. */
  doubt(block: number): void
  /** The lowest block that waits: it is wrong, or nothing decides whether it is. */
  waiting(): Waiting | undefined
  /** The index ends here now. */
  rolledBack(to: number): void
}

/**
 * Reads every block a second time, later, in wide spans and of the next node: what no contract's state shows is found so, as a
 * Collect, or a Mint and the Burn of it. What is followed is read every minute until it is four minutes old, without a further
 * call. A difference is only a suspicion; receipts decide, and of times the header. A time is believed to be wrong when nodes have said
 * the same of it for a minute.
 */
export function createSecondReading(deps: SecondReadingDeps): SecondReading {
  const { nodes, store, nowMs, nowSeconds = toSeconds(nowMs) } = deps
  const claims = createTimeClaims(nowMs)
  const progress = createProgress({ ...deps, nowSeconds })
  const waiting = createWaiting({ ...deps, claims }, progress.rollbacks)
  const widths = createWidths()
  let [dueAtMs, turn, undecided] = [0, 0, decided]

  const readNext = async (asked: Asked, from: number, target: number): Promise<WrongBlock | undefined> => {
    const to = Math.min(target, from + widths.of(asked.place) - 1)
    const [since, unread] = [progress.rollbacks(), progress.next()]
    const found = await compareSpan({ ...deps, claims }, asked, { fromBlock: from, toBlock: to })
    if (found === 'elsewhere') return undefined
    const isVoid = since !== progress.rollbacks()
    if (!isVoid) waiting.leaveAll(found.left)
    if (found.wrong) return found.wrong
    if (found.lied) deps.distrust?.(asked.place)
    if (waiting.isFull() || isVoid || progress.next() !== unread) return undefined
    if (!found.complete) undecided = { readings: undecided.readings + 1, to: Math.max(undecided.to, to) }
    else if (to >= undecided.to) undecided = decided
    waiting.takeBack({ from, to, by: asked.place, differing: found.differing })
    // What receipts did not decide about is read again, of the next node; after all of them it waits, and what follows is read.
    if (!found.complete && undecided.readings <= nodes.length) return undefined
    if (!found.complete) {
      waiting.passOver(from, found.undecided, asked.place)
      undecided = decided
    }
    await progress.keep({ fromBlock: from, toBlock: to }, waiting.lowest())
    dueAtMs = to < target ? 0 : nowMs() + everyMs
    widths.fit(asked.place, found.lines)
    if (found.lied) progress.repeatAfter(to)
    return undefined
  }

  return {
    async step({ end, createdBlockOf }) {
      await progress.load()
      const firstKept = await findFirstKept(store.read)
      progress.skipTo(firstKept)
      waiting.forgetBefore(firstKept)
      progress.mark(end)
      const target = progress.blockOf(ageMs)
      const span = widths.of((turn + 1) % nodes.length)
      const start = nowMs() >= dueAtMs && target !== undefined ? progress.findStart(target, span) : undefined
      // Its own turn: a look is not always a reading, and with the looks' every sixth one would be of the same node.
      if (start !== undefined) turn += 1
      const place = turn % nodes.length
      try {
        const wrong = await waiting.judge(end, createdBlockOf)
        if (wrong || start === undefined || target === undefined) return wrong
        return await readNext({ place, createdBlockOf }, start, target)
      } catch (error) {
        const failure = failureOfNode(error)
        widths.refused(place, failure)
        if (failure.code === 'rpc-invalid') deps.distrust?.(place)
        return undefined
      }
    },
    leave: waiting.leave,
    doubt: waiting.doubt,
    waiting: waiting.first,
    caught: (block) => progress.repeatAfter(block - 1),
    rolledBack(to) {
      progress.rolledBack(to)
      undecided = decided
      waiting.rolledBack(to)
    },
  }
}
