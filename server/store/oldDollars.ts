import type { Db, Tx } from './store.ts'

/** How this program values events (docs/prices.md). A change of it comes with a migration that writes the number before into `old_dollars`. */
const dollarMethod = 5
/** In place of a method: these blocks are to be valued again. */
const asked = 0

/** Blocks, both ends included, whose stored dollars are not by this program's method. */
export type OldDollars = {
  readonly fromBlock: number
  readonly toBlock: number
  /** Undefined where they are to be valued again. */
  readonly method: number | undefined
}

/** By block. No two have a block in common. */
export async function listOldDollars(db: Db | Tx): Promise<OldDollars[]> {
  const rows = await db.selectFrom('old_dollars').selectAll().orderBy('from_block').execute()
  return rows.map(({ from_block, to_block, method }) => ({
    fromBlock: from_block,
    toBlock: to_block,
    method: method === asked ? undefined : method,
  }))
}

/** The blocks that are to be valued again, as far as they are not yet: they end with the newest block. Undefined when there are none. */
export async function findAsked(db: Db | Tx): Promise<OldDollars | undefined> {
  return (await listOldDollars(db)).find(({ method }) => method === undefined)
}

/**
 * Marks a block and all after it to be valued again. Totals run on, so there is one such span at most: one that begins earlier
 * has these blocks in it already.
 * @param newest the last block of the index
 * @returns the first block that is to be valued again
 */
export async function askAgain(tx: Tx, fromBlock: number, newest: number): Promise<number> {
  const from = Math.min(fromBlock, (await findAsked(tx))?.fromBlock ?? fromBlock)
  await deleteOldDollarsAfter(tx, from - 1)
  await tx.insertInto('old_dollars').values({ from_block: from, to_block: newest, method: asked }).execute()
  return from
}

/** Writes how far the blocks have been valued again. @param span what is left; undefined: nothing */
export async function keepAsked(
  tx: Tx,
  span: { readonly fromBlock: number; readonly toBlock: number } | undefined,
): Promise<void> {
  await tx.deleteFrom('old_dollars').where('method', '=', asked).execute()
  if (!span) return
  await tx.insertInto('old_dollars').values({ from_block: span.fromBlock, to_block: span.toBlock, method: asked }).execute()
}

/** Forgets the blocks after one: whatever comes there next is valued by this program. */
export async function deleteOldDollarsAfter(tx: Tx, blockNumber: number): Promise<void> {
  await tx.deleteFrom('old_dollars').where('from_block', '>', blockNumber).execute()
  await tx.updateTable('old_dollars').set({ to_block: blockNumber }).where('to_block', '>', blockNumber).execute()
}

/** One sentence for the operator; undefined when no method is old. */
export function describeOldDollars(spans: readonly OldDollars[]): string | undefined {
  const old = spans.filter(({ method }) => method !== undefined)
  if (old.length === 0) return undefined
  const blocks = old.map(({ fromBlock, toBlock }) => `${fromBlock} to ${toBlock}`).join(', ')
  return `The stored dollars of blocks ${blocks} are by an older method than this version's, which is number ${dollarMethod}. To value them again, run: npm run revalue`
}
