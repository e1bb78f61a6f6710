import { sql } from 'kysely'
import { createInsert } from './rows.ts'
import type { Db, Tx } from './store.ts'
import type { BlockRef } from './syncCursor.ts'

/** Blocks under the newest whose every reference is kept; older ones thin out to one in each stripe. */
const referencesKept = 4_096
const stripe = 1_024

const upsertBlocks = createInsert({ table: 'blocks', key: ['number'], replace: ['hash', 'timestamp'] })

/** Remembers which block was at a height. A height that is known already gets the new hash. */
export async function insertBlocks(tx: Tx, blocks: readonly BlockRef[]): Promise<void> {
  const rows = blocks.map(({ number, hash, timestampSeconds }) => ({ number, hash, timestamp: timestampSeconds }))
  await upsertBlocks(tx, rows)
}

/** Undefined for a height that was never stored, or was thinned out. */
export async function findBlock(db: Db | Tx, number: number): Promise<BlockRef | undefined> {
  const row = await db.selectFrom('blocks').selectAll().where('number', '=', number).executeTakeFirst()
  return row && { number: row.number, hash: row.hash, timestampSeconds: row.timestamp }
}

/** Newest first, at or below `atMost`. */
export async function listBlocksDown(db: Db | Tx, atMost: number, limit: number): Promise<BlockRef[]> {
  const rows = await db
    .selectFrom('blocks')
    .selectAll()
    .where('number', '<=', atMost)
    .orderBy('number', 'desc')
    .limit(limit)
    .execute()
  return rows.map((row) => ({ number: row.number, hash: row.hash, timestampSeconds: row.timestamp }))
}

/** Forgets the dead branch of a reorg: all references above a height. */
export async function deleteBlocksAfter(tx: Tx, number: number): Promise<void> {
  await tx.deleteFrom('blocks').where('number', '>', number).execute()
}

/** Keeps the table small: of the references far below `newest`, the first of each stripe stays. */
export async function thinBlocks(tx: Tx, newest: number): Promise<void> {
  const below = newest - referencesKept
  if (below <= 0) return
  const stripes = tx
    .selectFrom('blocks')
    .select((e) => e.fn.min('number').as('number'))
    .groupBy(sql`number / ${sql.lit(stripe)}`)
  await tx.deleteFrom('blocks').where('number', '<', below).where('number', 'not in', stripes).execute()
}
