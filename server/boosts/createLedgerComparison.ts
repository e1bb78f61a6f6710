import type { BlockHash, Chain } from '../chain/chain.ts'
import { rangeEnds } from '../chain/rangeEnds.ts'
import { listBoostPaymentsIn } from '../store/boostPayments.ts'
import type { Store } from '../store/store.ts'
import type { BoostLedger } from './boostLedger.ts'
import { createProofs } from './createProofs.ts'
import { createRangeReader, type RangeReader } from './createRangeReader.ts'
import { type Decimals, decodeBoostLogs, type LoggedPayment, saysDecimals } from './decodeBoostLogs.ts'
import { type JudgeDeps, judgePayments } from './judgePayments.ts'

/** Blocks that receipts decide about in one range: of those that differ, and of those that do not and were never judged. */
const judgedMax = 16
const provedMax = 2
/** Where nothing decides, a difference is over when each node has agreed with the ledger so often since. */
const agreedMin = 2
/** Blocks without a decision that are remembered. */
const openMax = 1_000

export type ComparisonDeps = JudgeDeps & {
  readonly store: Store
  readonly spanMax: number
  readonly distrust?: ((place: number) => void) | undefined
  readonly log: { warn(facts: object, text: string): void }
}

/** One comparison: the ledger, its last settled block, and the node that is asked, by its place. */
export type Turn = { readonly ledger: BoostLedger; readonly settled: BlockHash; readonly place: number }
export type Span = { readonly from: number; readonly to: number }

/** Compares settled payments with what nodes say of them, and corrects what receipts contradict. */
export type LedgerComparison = {
  /**
   * Compares a span, as far as the node answers at once.
   * @returns the last block that was compared; undefined when the node is on another chain, or more blocks differ than are decided about
   * at once
   * @throws Failure of the codes `rpc-…`, or of the store
   */
  compare(turn: Turn, span: Span): Promise<number | undefined>
  /** Tries again to decide about blocks that differ. @throws Failure of the codes `rpc-…`, or of the store */
  decideOpen(turn: Turn): Promise<void>
  /**
   * Corrects decimals of payment tokens that were other ones at a block by its receipts, and are not other ones since.
   * @param at the ledger's decimals after the block
   * @throws Failure of the store
   */
  correctDecimals(ledger: BoostLedger, at: { readonly block: number; readonly decimals: Decimals }): Promise<void>
  /** The ledger starts again from its first block. */
  reset(): void
  /** Blocks that differ and that nothing decides about. */
  doubts(): number
  repairs(): number
}

/** What receipts have decided is kept in memory: a start decides once more. */
export function createLedgerComparison(deps: ComparisonDeps): LedgerComparison {
  const { nodes, store, log } = deps
  const readers = nodes.map((node) => ({ node, read: createRangeReader(node, deps.contract, deps.spanMax) }))
  const proofs = createProofs()
  const open = createOpenBlocks(agreedMin * nodes.length)
  let [repairs, resets] = [0, 0]

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
    open.close(block)
    if (wasRight) return true
    repairs += 1
    log.warn({ block, stored: stored.length, now: payments.length }, 'Corrected boosts of a block that differed from the chain')
    return false
  }

  /** Judges blocks of a span: those that differ, and some that were never judged. */
  const judge = async (turn: Turn, blocks: readonly number[], differing: ReadonlySet<number>): Promise<void> => {
    const unproven = blocks.filter((block) => !proofs.has(block) && !differing.has(block))
    for (const block of [...[...differing].slice(0, judgedMax), ...unproven.slice(0, provedMax)]) {
      const wasRight = await decide(turn, block)
      if (!differing.has(block)) continue
      if (wasRight) deps.distrust?.(turn.place)
      if (wasRight === undefined) open.add(block)
    }
  }

  return {
    async compare(turn, span) {
      const since = resets
      const reader = readers[turn.place]
      if (!reader) throw new RangeError(`There is no node ${turn.place}`)
      const read = await readBlocks(reader, store, {
        ...span,
        settled: turn.settled,
        decimals: () => proofs.decimalsBefore(span.from),
      })
      if (!read || since !== resets) return undefined
      await judge(turn, read.blocks, read.differing)
      open.agree((block) => block >= span.from && block <= read.last && !read.differing.has(block))
      // The rest is compared again, of the next node.
      return read.differing.size > judgedMax ? undefined : read.last
    },
    async decideOpen(turn) {
      for (const block of open.list().slice(0, judgedMax)) await decide(turn, block)
    },
    async correctDecimals(ledger, at) {
      const wrong = listWrongDecimals(proofs.decimalsBefore(at.block + 1), at.decimals, ledger.end.decimals)
      if (wrong.length === 0) return
      await ledger.correctDecimals(new Map(wrong))
      repairs += 1
      log.warn({ tokens: wrong.map(([token]) => token) }, 'Corrected decimals of payment tokens that differed from the chain')
    },
    reset() {
      resets += 1
      open.clear()
      proofs.clear()
    },
    doubts: open.size,
    repairs: () => repairs,
  }
}

/** Proved decimals that the ledger had otherwise then, and still has. */
function listWrongDecimals(proved: Decimals, then: Decimals, now: Decimals) {
  return [...proved].filter(([token, decimals]) => then.get(token) !== decimals && then.get(token) === now.get(token))
}

type Reader = { readonly node: Chain; readonly read: RangeReader }
type Wanted = Span & { readonly settled: BlockHash; readonly decimals: () => Decimals }

/**
 * Blocks of a span with payments, and those of them that the ledger has otherwise than the node, up to where it answers at once.
 * @returns undefined when the node is on another chain
 */
async function readBlocks({ node, read }: Reader, store: Store, { from, to, settled, decimals }: Wanted) {
  const [range, end] = await Promise.all([read(from, to), node.readHeader(settled.number)])
  if (end?.hash !== settled.hash) return undefined
  const last = rangeEnds(range)[1].number
  const { payments } = decodeBoostLogs(range.logs, decimals())
  const stored = await listBoostPaymentsIn(store.read, { from, to: last })
  const ofBlock = Map.groupBy(stored, ({ blockNumber }) => blockNumber)
  const saidOfBlock = Map.groupBy(payments, ({ blockNumber }) => blockNumber)
  const told = range.logs.filter(saysDecimals).map(({ blockNumber }) => blockNumber)
  const blocks = [...new Set([...ofBlock.keys(), ...saidOfBlock.keys(), ...told])]
  const differing = new Set(blocks.filter((block) => !isSame(ofBlock.get(block) ?? [], saidOfBlock.get(block) ?? [])))
  return { last, blocks, differing }
}

/** Blocks that differ and that nothing decides about, with how often later readings agreed with the ledger there. */
function createOpenBlocks(agreedEnough: number) {
  const open = new Map<number, number>()
  return {
    add(block: number) {
      if (open.has(block) || open.size < openMax) open.set(block, 0)
    },
    close: (block: number) => void open.delete(block),
    /** A reading agrees with the ledger about these. */
    agree(isAgreed: (block: number) => boolean) {
      for (const [block, agreed] of open) {
        if (!isAgreed(block)) continue
        if (agreed + 1 >= agreedEnough) open.delete(block)
        else open.set(block, agreed + 1)
      }
    },
    list: () => [...open.keys()],
    size: () => open.size,
    clear: () => open.clear(),
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
