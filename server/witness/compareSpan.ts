import { findBlock } from '../store/blocks.ts'
import { type CompareDeps, findFault, type Left, stands, toWrong, type WrongBlock } from './findFault.ts'
import { judgeBlock } from './judgeBlock.ts'
import { nodeOf } from './nodeOf.ts'
import { readLines } from './readLines.ts'
import { type CreatedBlockOf, hasMore, isSameLines, linesOf, listDifferingBlocks, listLines, timesOf } from './spanEvents.ts'

/** Blocks that receipts decide about in one span. */
const judgedMax = 16

/** Who is asked about a span: a node, by its place. */
export type Asked = { readonly place: number; readonly createdBlockOf: CreatedBlockOf }
export type Span = { readonly fromBlock: number; readonly toBlock: number }

/** What comparing a span of the index with a node has found. */
export type Compared = {
  readonly wrong: WrongBlock | undefined
  /** Blocks that are wrong in the index and may not be repaired yet. */
  readonly left: ReadonlyMap<number, Left>
  /** Whether the node's answer was another one than the receipts. */
  readonly lied: boolean
  /** Blocks about which nothing decided, though the node has more of them than the index, or receipts contradict each other. */
  readonly undecided: readonly number[]
  /** Blocks of which the node has something else than the index. */
  readonly differing: ReadonlySet<number>
  /** Whether every difference was decided. */
  readonly complete: boolean
  readonly lines: number
}

/**
 * Compares what the index has of a span with a node's logs and times. Receipts decide about each block that differs, up to the first that
 * may be repaired.
 * @returns `elsewhere` when the node does not have the last block as the index does
 * @throws Failure of the codes `rpc-…`, or of the store
 */
export async function compareSpan(
  deps: CompareDeps,
  { place, createdBlockOf }: Asked,
  span: Span,
): Promise<Compared | 'elsewhere'> {
  const { nodes, store } = deps
  const node = nodeOf(nodes, place)
  // They travel together: a node that has the last block answers for all of them.
  const rows = await listLines(store.read, span)
  const wanted = { ...span, createdBlockOf, known: timesOf(rows) }
  const [header, theirs] = await Promise.all([node.readHeader(span.toBlock), readLines(deps, node, wanted)])
  const ref = await findBlock(store.read, span.toBlock)
  if (!header || (ref && ref.hash !== header.hash)) return 'elsewhere'
  const isRetimed = ref && ref.timestampSeconds !== header.timestampSeconds
  const differing = [...new Set([...listDifferingBlocks(rows, theirs), ...(isRetimed ? [span.toBlock] : [])])]
  const left = new Map<number, Left>()
  const undecided = differing.slice(judgedMax).filter((block) => hasMore(theirs, rows, block))
  const found = { left, undecided, differing: new Set(differing), lines: rows.size }
  let lied = false
  let complete = differing.length <= judgedMax
  for (const block of differing.slice(0, judgedMax)) {
    const truth = await judgeBlock(deps, block, createdBlockOf)
    if (!truth || truth === 'tied') {
      complete = false
      if (truth === 'tied' || hasMore(theirs, rows, block)) undecided.push(block)
      continue
    }
    if (!isSameLines(linesOf(theirs, block), truth.lines)) lied = true
    const fault = await findFault(deps, block, { truth: truth.lines, from: span.fromBlock })
    if (!fault) continue
    const mayRepair = stands(deps.claims, fault) && deps.mayRepair(fault.block)
    const wrong = mayRepair ? await toWrong(deps, block, { truth, fault, createdBlockOf }) : undefined
    if (wrong) return { ...found, wrong, lied, complete }
    left.set(fault.seenAt, { isUndecided: false, from: span.fromBlock })
  }
  return { ...found, wrong: undefined, lied, complete }
}
