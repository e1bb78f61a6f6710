import type { Address, Hex } from '@chainboard/core'
import type { Chain, ChainLog } from '../chain/chain.ts'
import { findFirstKept } from '../store/keptSince.ts'
import type { Db } from '../store/store.ts'
import { findCursor } from '../store/syncCursor.ts'
import { eventText } from './eventText.ts'
import { failureOfNode } from './failureOfNode.ts'
import type { Backing } from './judgeRepair.ts'
import { listSuspects } from './listSuspects.ts'
import { pickEvidence, type Verdict } from './pickEvidence.ts'
import type { ReceiptTraits } from './proof/receiptTraits.ts'
import { readEvidence } from './readEvidence.ts'
import { type AnyEvent, listEventsIn } from './spanEvents.ts'

const spanFirst = 2_000
/** One pool's logs are few, so ranges grow until a node refuses. */
const spanWidest = 100_000
/** Ranges that one search reads of each node; a search that needs more ends without a find. */
const piecesMax = 400
/** A span this short is read receipt by receipt when no node's logs differ. */
const receiptBlocksMax = 48
/** Of a longer one, headers of so many of the newest blocks are read. */
const suspectedBlocksMax = 2_000

export type HoleDeps = {
  readonly nodes: readonly Chain[]
  readonly read: Db
  readonly topics: readonly Hex[]
  /** What the chain's receipts prove. */
  readonly receipts: ReceiptTraits
  /** A pool's event from a log; undefined for any other log. */
  readonly decode: (log: ChainLog) => AnyEvent | undefined
}

export type Span = { readonly pool: Address; readonly fromBlock: number; readonly toBlock: number }

/** The first block of a span whose events in the index are not those of the chain, the nodes that left them out, and what says so. */
export type Hole = { readonly block: number; readonly liars: readonly number[]; readonly backing: Backing }

/**
 * Looks for what the index lacks of a pool, or has too much: the pool's logs of every node against the rows, then, where no
 * node differs, the receipts of all blocks of a short span, or of those since the pool's event before that its bloom is in: some nodes
 * leave out logs of ranges alone. A difference counts when the block's receipts confirm it. Times make no event fit or not, and are
 * settled elsewhere (`settleTimes.ts`, the second reading).
 * @returns undefined when every node agrees with the index
 */
export async function findHole(deps: HoleDeps, { pool, fromBlock, toBlock }: Span): Promise<Hole | undefined> {
  // What is no longer kept is not missing.
  const first = Math.max(fromBlock, await findFirstKept(deps.read))
  if (first > toBlock) return undefined
  let from = first
  let [span, spanMax] = [spanFirst, spanWidest]
  for (let piece = 0; piece < piecesMax && from <= toBlock; piece += 1) {
    const to = Math.min(toBlock, from + span - 1)
    const found = await comparePiece(deps, { pool, fromBlock: from, toBlock: to })
    if (found === 'too wide') {
      spanMax = Math.max(1, Math.floor((to - from + 1) / 2))
      span = spanMax
      continue
    }
    if (found) return found
    from = to + 1
    span = Math.min(spanMax, span * 2)
  }
  if (toBlock - first < receiptBlocksMax)
    return compareReceipts(deps, { pool, fromBlock: first, toBlock }, listBlocks(first, toBlock))
  const near = { pool, fromBlock: Math.max(first, toBlock - suspectedBlocksMax + 1), toBlock }
  const before = (await listRows(deps, near)).findLast(({ blockNumber }) => blockNumber < toBlock)
  const open = { ...near, fromBlock: before?.blockNumber ?? near.fromBlock }
  for (const node of deps.nodes) {
    const found = await compareReceipts(deps, open, await listSuspects(node, open))
    if (found) return found
  }
  return undefined
}

const listBlocks = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i)

async function comparePiece(deps: HoleDeps, span: Span): Promise<Hole | 'too wide' | undefined> {
  const rows = await listRows(deps, span)
  const answers = await Promise.all(deps.nodes.map((node) => readLogs(node, deps, span).catch(whyNot)))
  if (answers.some((answer) => answer === 'too wide') && span.fromBlock < span.toBlock) return 'too wide'
  const logs = answers.map((answer) => (Array.isArray(answer) ? answer : undefined))
  const blocks = logs.flatMap((events) => (events ? listDifferences(rows, events) : []))
  for (const block of [...new Set(blocks)].sort((a, b) => a - b)) {
    const truth = await judge(deps, span.pool, block)
    if (!truth) continue
    const has = rows.filter(({ blockNumber }) => blockNumber === block)
    if (isSame(has, truth.items) || !(await isStillWrong(deps, { pool: span.pool, fromBlock: block, toBlock: block }))) continue
    const liars = logs.flatMap((events, place) =>
      events &&
      !isSame(
        events.filter((event) => event.blockNumber === block),
        truth.items,
      )
        ? [place]
        : [],
    )
    return { block, liars, backing: toBacking(truth, has) }
  }
  return undefined
}

function listRows({ read }: HoleDeps, span: Span): Promise<AnyEvent[]> {
  return listEventsIn(read, span)
}

async function readLogs(node: Chain, { topics, decode }: HoleDeps, { pool, fromBlock, toBlock }: Span): Promise<AnyEvent[]> {
  const { logs } = await node.readRange({ from: fromBlock, to: toBlock, topics, address: pool, everyHeader: false })
  return logs.flatMap((log) => decode(log) ?? [])
}

function whyNot(error: unknown): 'too wide' | 'no answer' {
  return failureOfNode(error).code === 'rpc-range-too-wide' ? 'too wide' : 'no answer'
}

/** Blocks at which two lists of events are not the same. */
function listDifferences(rows: readonly AnyEvent[], events: readonly AnyEvent[]): number[] {
  const [ours, theirs] = [toMap(rows), toMap(events)]
  const open = [...[...ours].filter(([text]) => !theirs.has(text)), ...[...theirs].filter(([text]) => !ours.has(text))]
  return open.map(([, { blockNumber }]) => blockNumber)
}

function toMap(events: readonly AnyEvent[]): Map<string, AnyEvent> {
  return new Map(events.map((event) => [eventText(event), event]))
}

function isSame(a: readonly AnyEvent[], b: readonly AnyEvent[]): boolean {
  const [left, right] = [a.map(eventText).sort(), b.map(eventText).sort()]
  return left.length === right.length && left.every((text, i) => text === right[i])
}

/** A pool's events of a block of the index by its receipts; undefined when no node gives any that count, or they contradict each other. */
async function judge(deps: HoleDeps, pool: Address, block: number): Promise<Verdict<AnyEvent> | undefined> {
  const answers = await readEvidence(deps, deps.nodes, block)
  const voices = answers.map(({ logs, isProven }) => ({
    items: logs.flatMap((log) => (log.address === pool ? (deps.decode(log) ?? []) : [])),
    isProven,
  }))
  const verdict = pickEvidence(voices, eventText)
  return verdict === 'tied' ? undefined : verdict
}

function toBacking({ items, ...weight }: Verdict<AnyEvent>, has: readonly AnyEvent[]): Backing {
  const [said, known] = [items.map(eventText), new Set(has.map(eventText))]
  return { ...weight, claim: said.join('\n'), isLoss: said.every((text) => known.has(text)) }
}

/** The index may have been rolled back meanwhile, or the chain: only what differs twice is wrong. */
async function isStillWrong(deps: HoleDeps, span: Span): Promise<boolean> {
  const truth = await judge(deps, span.pool, span.fromBlock)
  const end = (await findCursor(deps.read))?.block
  if (!end || end.number < span.toBlock) return false
  return truth !== undefined && !isSame(await listRows(deps, span), truth.items)
}

async function compareReceipts(
  deps: HoleDeps,
  { pool, fromBlock, toBlock }: Span,
  blocks: readonly number[],
): Promise<Hole | undefined> {
  const rows = blocks.length > 0 ? await listRows(deps, { pool, fromBlock, toBlock }) : []
  for (const block of blocks) {
    const truth = await judge(deps, pool, block)
    const has = rows.filter(({ blockNumber }) => blockNumber === block)
    if (!truth || isSame(has, truth.items)) continue
    if (await isStillWrong(deps, { pool, fromBlock: block, toBlock: block }))
      return { block, liars: deps.nodes.map((_, place) => place), backing: toBacking(truth, has) }
  }
  return undefined
}
