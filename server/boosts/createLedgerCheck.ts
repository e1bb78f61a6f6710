import { Failure } from '@chainboard/core'
import type { BoostLedger } from './boostLedger.ts'
import { type ComparisonDeps, createLedgerComparison, type Turn } from './createLedgerComparison.ts'
import type { Decimals } from './decodeBoostLogs.ts'

/** How often the ledger is compared, each time with the next node. */
const everyMs = 60_000
/** A block is compared when it has been settled for so long: what made a node lie the first time may be over. */
const ageMs = 60_000
/** What was settled so lately is compared each time: a node may leave out the same again, and the next one, too. */
const recentMs = 300_000
/** After the whole ledger was compared, one range at a time, it rests so long. */
const roundRestMs = 3_600_000
/** Ends of the ledger over the last minutes. */
const marksMax = 64

export type LedgerCheckDeps = ComparisonDeps & { readonly startBlock: number; readonly nowMs: () => number }

export type LedgerCheck = {
  /** Compares what is due. Quiet about nodes that fail. @throws Failure of the store */
  turn(ledger: BoostLedger): Promise<void>
  /** The ledger starts again from its first block. */
  reset(): void
  doubts(): number
  repairs(): number
}

/** Where the ledger ended at a moment, and the decimals of payment tokens there. */
type Mark = { readonly atMs: number; readonly block: number; readonly decimals: Decimals }

/**
 * Reads the settled ledger a second time, minutes later and of each node in turn: what is recent every minute, all of it once an hour.
 * What differs is decided by the receipts of the block, and so is every block with a payment, once. Where they say something else, the
 * ledger is corrected; where no node gives receipts, the difference stays open.
 * @param start the ledger's end when the process began
 */
export function createLedgerCheck(deps: LedgerCheckDeps, start: BoostLedger['end']): LedgerCheck {
  const { nodes, startBlock, nowMs } = deps
  const comparison = createLedgerComparison(deps)
  // What was there before the start has been there long enough.
  let marks: readonly Mark[] = start.block
    ? [{ atMs: Number.NEGATIVE_INFINITY, block: start.block.number, decimals: start.decimals }]
    : []
  let [next, roundDueAtMs, dueAtMs, turns] = [startBlock, 0, 0, 0]

  const markOf = (agoMs: number) => marks.findLast(({ atMs }) => atMs <= nowMs() - agoMs)
  const mark = (block: number, decimals: Decimals) => {
    if (marks.at(-1)?.block !== block) marks = [...marks, { atMs: nowMs(), block, decimals }]
    const old = marks.findLastIndex((each) => each.atMs <= nowMs() - recentMs)
    marks = marks.slice(Math.max(0, old)).slice(-marksMax)
  }

  const readRound = async (turn: Turn, target: Mark): Promise<void> => {
    const last = await comparison.compare(turn, { from: next, to: Math.min(target.block, next + deps.spanMax - 1) })
    if (last === undefined) return
    next = last + 1
    if (next <= target.block) return
    ;[next, roundDueAtMs] = [startBlock, nowMs() + roundRestMs]
    await comparison.correctDecimals(turn.ledger, target)
  }

  const read = async (turn: Turn, target: Mark): Promise<void> => {
    await comparison.decideOpen(turn)
    const since = (markOf(recentMs)?.block ?? startBlock - 1) + 1
    const from = Math.max(startBlock, since, target.block - deps.spanMax + 1)
    if (from <= target.block) await comparison.compare(turn, { from, to: target.block })
    // Last, as a node may have no logs of long ago.
    if (nowMs() >= roundDueAtMs) await readRound(turn, target)
  }

  return {
    async turn(ledger) {
      const { block: settled, decimals } = ledger.end
      if (!settled) return
      mark(settled.number, decimals)
      const target = markOf(ageMs)
      if (nowMs() < dueAtMs || !target || target.block < startBlock) return
      dueAtMs = nowMs() + everyMs
      turns += 1
      try {
        await read({ ledger, settled, place: turns % nodes.length }, target)
      } catch (error) {
        if (!(error instanceof Failure && error.code.startsWith('rpc-'))) throw error
      }
    },
    reset() {
      comparison.reset()
      marks = []
      next = startBlock
      roundDueAtMs = 0
    },
    doubts: comparison.doubts,
    repairs: comparison.repairs,
  }
}
