import { Failure } from '@chainboard/core'
import type { BlockHash, Chain, ChainLog, Header } from '../chain/chain.ts'
import { listBoostPaymentsIn } from '../store/boostPayments.ts'
import type { Store } from '../store/store.ts'
import type { BoostLedger } from './boostLedger.ts'
import { createRangeReader } from './createRangeReader.ts'
import { type Decimals, decodeBoostLogs, type LoggedPayment, saysDecimals } from './decodeBoostLogs.ts'
import { type JudgeDeps, judgePayments } from './judgePayments.ts'

/** How often the ledger is compared, each time with the next node. */
const everyMs = 60_000
/** A block is compared when it has been settled for so long: what made a node lie the first time may be over. */
const ageMs = 60_000
/** What was settled so lately is compared each time: a node may leave out the same again, and the next one, too. */
const recentMs = 300_000
/** After the whole ledger was compared, one range at a time, it rests so long. */
const roundRestMs = 3_600_000
/** Blocks that receipts decide about in one range: of those that differ, and of those that do not and were never judged. */
const judgedMax = 16
const provedMax = 2
/** Where nothing decides, a difference is over when each node has agreed with the ledger so often since. */
const agreedMin = 2
/** Blocks without a decision that are remembered, and blocks that receipts have decided about. */
const openMax = 1_000
const provenMax = 20_000
/** Ends of the ledger over the last minutes. */
const marksMax = 64

export type LedgerCheckDeps = JudgeDeps & {
  readonly store: Store
  readonly startBlock: number
  readonly spanMax: number
  readonly distrust?: ((place: number) => void) | undefined
  readonly log: { warn(facts: object, text: string): void }
  readonly nowMs: () => number
}

export type LedgerCheck = {
  /** Compares what is due. Quiet about nodes that fail. @throws Failure of the store */
  turn(ledger: BoostLedger): Promise<void>
  /** The ledger starts again from its first block. */
  reset(): void
  doubts(): number
  repairs(): number
}

type Mark = { readonly atMs: number; readonly block: number; readonly decimals: Decimals }
type Span = { readonly from: number; readonly to: number }
type Turn = { readonly ledger: BoostLedger; readonly settled: BlockHash; readonly place: number }

/**
 * Reads the settled ledger a second time, minutes later and of each node in turn: what is recent every minute, all of it once an hour.
 * What differs is decided by the receipts of the block, and so is every block with a payment, once. Where they say something else, the
 * ledger is corrected; where no node gives receipts, the difference stays open.
 * @param start the ledger's end when the process began
 */
export function createLedgerCheck(deps: LedgerCheckDeps, start: BoostLedger['end']): LedgerCheck {
  const { nodes, store, startBlock, nowMs } = deps
  const readers = nodes.map((node) => createRangeReader(node, deps.contract, deps.spanMax))
  /** How often later readings agreed with the ledger there. */
  const open = new Map<number, number>()
  const proofs = createProofs()
  // What was there before the start has been there long enough.
  let marks: readonly Mark[] = start.block
    ? [{ atMs: Number.NEGATIVE_INFINITY, block: start.block.number, decimals: start.decimals }]
    : []
  let [next, roundDueAtMs, dueAtMs, turns, repairs, resets] = [startBlock, 0, 0, 0, 0, 0]

  const markOf = (agoMs: number) => marks.findLast(({ atMs }) => atMs <= nowMs() - agoMs)
  const mark = (block: number, decimals: Decimals) => {
    if (marks.at(-1)?.block !== block) marks = [...marks, { atMs: nowMs(), block, decimals }]
    const old = marks.findLastIndex((each) => each.atMs <= nowMs() - recentMs)
    marks = marks.slice(Math.max(0, old)).slice(-marksMax)
  }
  /** @returns whether the ledger had the block right; undefined when nothing decides */
  const decide = async ({ ledger, settled }: Turn, block: number): Promise<boolean | undefined> => {
    const since = resets
    const logs = await judgePayments(deps, block, settled)
    if (!logs || since !== resets) return undefined
    const { payments } = decodeBoostLogs(logs, proofs.decimalsBefore(block))
    const stored = await listBoostPaymentsIn(store.read, { from: block, to: block })
    const wasRight = isSame(stored, payments, true)
    if (!wasRight && !(await ledger.correct(block, payments))) return undefined
    proofs.add(block, logs)
    open.delete(block)
    if (wasRight) return true
    repairs += 1
    deps.log.warn(
      { block, stored: stored.length, now: payments.length },
      'Corrected boosts of a block that differed from the chain',
    )
    return false
  }

  /** @returns the last block that was compared; undefined when the node is on another chain */
  const compare = async (turn: Turn, { from, to }: Span): Promise<number | undefined> => {
    const { settled, place } = turn
    const since = resets
    const read = readers[place] as (typeof readers)[number]
    const [range, end] = await Promise.all([read(from, to), (nodes[place] as Chain).readHeader(settled.number)])
    if (end?.hash !== settled.hash) return undefined
    const last = (range.headers.at(-1) as Header).number
    const { payments } = decodeBoostLogs(range.logs, proofs.decimalsBefore(from))
    const stored = await listBoostPaymentsIn(store.read, { from, to: last })
    if (since !== resets) return undefined
    const ofBlock = Map.groupBy(stored, ({ blockNumber }) => blockNumber)
    const saidOfBlock = Map.groupBy(payments, ({ blockNumber }) => blockNumber)
    const told = range.logs.filter(saysDecimals).map(({ blockNumber }) => blockNumber)
    const blocks = [...new Set([...ofBlock.keys(), ...saidOfBlock.keys(), ...told])]
    const differing = blocks.filter((block) => !isSame(ofBlock.get(block) ?? [], saidOfBlock.get(block) ?? []))
    const unproven = blocks.filter((block) => !proofs.has(block) && !differing.includes(block))
    for (const block of [...differing.slice(0, judgedMax), ...unproven.slice(0, provedMax)]) {
      const wasRight = await decide(turn, block)
      if (!differing.includes(block)) continue
      if (wasRight) deps.distrust?.(place)
      if (wasRight === undefined && (open.has(block) || open.size < openMax)) open.set(block, 0)
    }
    for (const [block, agreed] of open) {
      if (block < from || block > last || differing.includes(block)) continue
      if (agreed + 1 >= agreedMin * nodes.length) open.delete(block)
      else open.set(block, agreed + 1)
    }
    // The rest is compared again, of the next node.
    return differing.length > judgedMax ? undefined : last
  }

  const readRound = async (turn: Turn, { block: target, decimals }: Mark): Promise<void> => {
    const last = await compare(turn, { from: next, to: Math.min(target, next + deps.spanMax - 1) })
    if (last === undefined) return
    next = last + 1
    if (next <= target) return
    ;[next, roundDueAtMs] = [startBlock, nowMs() + roundRestMs]
    const now = turn.ledger.end.decimals
    const wrong = [...proofs.decimalsBefore(target + 1)].filter(
      ([token, proved]) => decimals.get(token) !== proved && decimals.get(token) === now.get(token),
    )
    if (wrong.length === 0) return
    await turn.ledger.correctDecimals(new Map(wrong))
    repairs += 1
    deps.log.warn({ tokens: wrong.map(([token]) => token) }, 'Corrected decimals of payment tokens that differed from the chain')
  }

  const read = async (turn: Turn, target: Mark): Promise<void> => {
    for (const block of [...open.keys()].slice(0, judgedMax)) await decide(turn, block)
    const since = (markOf(recentMs)?.block ?? startBlock - 1) + 1
    const from = Math.max(startBlock, since, target.block - deps.spanMax + 1)
    if (from <= target.block) await compare(turn, { from, to: target.block })
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
      resets += 1
      open.clear()
      proofs.clear()
      marks = []
      next = startBlock
      roundDueAtMs = 0
    },
    doubts: () => open.size,
    repairs: () => repairs,
  }
}

/** What receipts have decided. */
function createProofs() {
  const proven = new Set<number>()
  /** Logs of decimals, in the order of the chain. */
  let decimalLogs: readonly ChainLog[] = []
  return {
    has: (block: number) => proven.has(block),
    add(block: number, logs: readonly ChainLog[]) {
      proven.add(block)
      for (const oldest of proven) {
        if (proven.size <= provenMax) break
        proven.delete(oldest)
      }
      const others = decimalLogs.filter(({ blockNumber }) => blockNumber !== block)
      decimalLogs = [...others, ...logs.filter(saysDecimals)].sort(byPlace)
    },
    clear() {
      proven.clear()
      decimalLogs = []
    },
    /** Decimals of payment tokens as the contract took them before a block. */
    decimalsBefore(block: number): Decimals {
      const before = decimalLogs.filter(({ blockNumber }) => blockNumber < block)
      return decodeBoostLogs(before, new Map()).decimals
    },
  }
}

/** Whether payments are the same: times only where a header said them, decimals only where a log did. */
function isSame(stored: readonly LoggedPayment[], said: readonly LoggedPayment[], withTimes = false): boolean {
  const toText = (row: LoggedPayment, decimals: number | undefined) =>
    [
      ...[row.blockNumber, row.logIndex, row.token, row.payer, row.paymentToken, row.amountRaw, row.expiresAtSeconds, row.txHash],
      ...[withTimes && row.timestampSeconds, decimals ?? ''],
    ].join()
  return (
    stored.length === said.length &&
    said.every((row, i) => {
      const own = stored[i]
      return own && toText(own, row.decimals === undefined ? undefined : own.decimals) === toText(row, row.decimals)
    })
  )
}

function byPlace(a: ChainLog, b: ChainLog): number {
  return a.blockNumber - b.blockNumber || a.logIndex - b.logIndex
}
