import { findFirstRevaluable } from './keptSince.ts'
import type { Db, Tx } from './store.ts'

/** How this program values events (docs/prices/dollar-values.md). A change of it comes with a migration that writes the number before into `old_dollars`. */
const dollarMethod = 8
/** In place of a method: these blocks are to be valued again, as somebody wishes it, or as what is stored is wrong. */
const asked = 0
const askedAsWrong = -1

/** Blocks, both ends included, whose stored dollars are not by this program's method. */
export type OldDollars = {
  readonly fromBlock: number
  readonly toBlock: number
  /** Undefined where they are to be valued again. */
  readonly method: number | undefined
  /** Whether what is stored is wrong, and not only by other rules. */
  readonly isWrong: boolean
}

/** By block. No two have a block in common. */
export async function listOldDollars(db: Db | Tx): Promise<OldDollars[]> {
  const rows = await db.selectFrom('old_dollars').selectAll().orderBy('from_block').execute()
  return rows.map(({ from_block, to_block, method }) => ({
    fromBlock: from_block,
    toBlock: to_block,
    method: method <= asked ? undefined : method,
    isWrong: method === askedAsWrong,
  }))
}

/** The blocks that are to be valued again, as far as they are not yet: they end with the newest block. Undefined when there are none. */
export async function findAsked(db: Db | Tx): Promise<OldDollars | undefined> {
  return (await listOldDollars(db)).find(({ method }) => method === undefined)
}

/**
 * Marks a block and all after it to be valued again. Totals run on, so there is one such span at most: one that begins earlier
 * has these blocks in it already.
 * Blocks whose events are no longer kept are left as they are.
 * @param newest the last block of the index
 * @param isWrong whether what is stored is wrong
 * @returns the first block that is to be valued again
 */
export async function askAgain(tx: Tx, fromBlock: number, newest: number, isWrong = false): Promise<number> {
  const before = await findAsked(tx)
  const from = Math.max(Math.min(fromBlock, before?.fromBlock ?? fromBlock), await findFirstRevaluable(tx))
  if (from > newest) return from
  await deleteOldDollarsAfter(tx, from - 1)
  await insertAsked(tx, { fromBlock: from, toBlock: newest, isWrong: isWrong || (before?.isWrong ?? false) })
  return from
}

/** Writes how far the blocks have been valued again. @param span what is left; undefined: nothing */
export async function keepAsked(tx: Tx, span: AskedSpan | undefined): Promise<void> {
  await tx.deleteFrom('old_dollars').where('method', '<=', asked).execute()
  if (span) await insertAsked(tx, span)
}

type AskedSpan = Omit<OldDollars, 'method'>

async function insertAsked(tx: Tx, { fromBlock, toBlock, isWrong }: AskedSpan): Promise<void> {
  const method = isWrong ? askedAsWrong : asked
  await tx.insertInto('old_dollars').values({ from_block: fromBlock, to_block: toBlock, method }).execute()
}

/** Forgets the blocks after one: whatever comes there next is valued by this program. */
export async function deleteOldDollarsAfter(tx: Tx, blockNumber: number): Promise<void> {
  await tx.deleteFrom('old_dollars').where('from_block', '>', blockNumber).execute()
  await tx.updateTable('old_dollars').set({ to_block: blockNumber }).where('to_block', '>', blockNumber).execute()
}

/**
 * One sentence for the operator; undefined when no method is old.
 * @param firstRevaluable blocks before it stay as they are: their events are no longer kept
 */
export function describeOldDollars(spans: readonly OldDollars[], firstRevaluable = 0): string | undefined {
  const old = spans
    .filter(({ method, toBlock }) => method !== undefined && toBlock >= firstRevaluable)
    .map((span) => ({ ...span, fromBlock: Math.max(span.fromBlock, firstRevaluable) }))
  if (old.length === 0) return undefined
  const blocks = old.map(({ fromBlock, toBlock }) => `${fromBlock} to ${toBlock}`).join(', ')
  return `The stored dollars of blocks ${blocks} use an older method than this version (method ${dollarMethod}). To revalue them, run: npm run revalue`
}
