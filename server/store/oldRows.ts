// Swaps and hours that are too old to be kept: the rows of before that nothing else follows from.
import type { Address } from '@chainboard/core'
import { sql } from 'kysely'
import { inSlices } from './rows.ts'
import type { Db, Tx } from './store.ts'

/** A swap by its place, and its pool. */
export type OldSwap = { readonly block: number; readonly log: number; readonly pool: Address }

/** The next swaps behind a place, up to a block, in the order of the chain. */
export async function listOldSwaps(
  db: Db | Tx,
  { after, toBlock, limit }: { after: Pick<OldSwap, 'block' | 'log'>; toBlock: number; limit: number },
): Promise<OldSwap[]> {
  return (
    db
      .selectFrom('swaps')
      .select(['block_number as block', 'log_index as log', 'pool'])
      // Follows from what comes next; by itself it is what an index serves.
      .where('block_number', '>=', after.block)
      .where('block_number', '<=', toBlock)
      .where(sql<boolean>`(block_number, log_index) > (${after.block}, ${after.log})`)
      .orderBy('block_number')
      .orderBy('log_index')
      .limit(limit)
      .execute()
  )
}

/** The last swap of a pool before a moment, which stays. */
export async function findLastSwapOf(
  db: Db | Tx,
  pool: Address,
  beforeSeconds: number,
): Promise<Pick<OldSwap, 'block' | 'log'> | undefined> {
  return db
    .selectFrom('swaps')
    .select(['block_number as block', 'log_index as log'])
    .where('pool', '=', pool)
    .where('timestamp', '<', beforeSeconds)
    .orderBy('timestamp', 'desc')
    .orderBy('block_number', 'desc')
    .orderBy('log_index', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** By their places, so that no other swap goes. Those that are gone already are passed over. */
export async function deleteOldSwaps(tx: Tx, swaps: readonly OldSwap[]): Promise<void> {
  await inSlices(swaps, (slice) => {
    const places = sql.join(slice.map(({ block, log }) => sql`(${sql.lit(block)}, ${sql.lit(log)})`))
    return sql`delete from swaps where (block_number, log_index) in (values ${places})`.execute(tx)
  })
}

/** An hour of a pool or of a token. */
export type OldHour = { readonly of: Address; readonly start: number }
export type HourTable = 'pool_hours' | 'token_hours'

const subjects = { pool_hours: 'pool', token_hours: 'token' } as const

/** The next hours behind one, all with one start, before a moment; by what they are of. */
export async function listOldHours(
  db: Db | Tx,
  table: HourTable,
  { after, beforeSeconds, limit }: { after: OldHour; beforeSeconds: number; limit: number },
): Promise<OldHour[]> {
  const startingAt = async (start: number) => {
    const rows = await db.selectFrom(table).select(`${subjects[table]} as of`).where('start', '=', start).execute()
    // SQLite keeps numbers for addresses, in another order.
    return rows.map(({ of }) => ({ of, start })).sort((a, b) => (a.of < b.of ? -1 : 1))
  }
  const here = (await startingAt(after.start)).filter(({ of }) => of > after.of)
  if (here.length > 0) return here.slice(0, limit)
  const next = await db
    .selectFrom(table)
    .select('start')
    .where('start', '>', after.start)
    .where('start', '<', beforeSeconds)
    .orderBy('start')
    .limit(1)
    .executeTakeFirst()
  return next ? (await startingAt(next.start)).slice(0, limit) : []
}

/** Starts of the hours of a pool or token before a moment that stay: the last one, and of tokens the last one with a confidence. */
export async function listLastHoursOf(db: Db | Tx, table: HourTable, of: Address, beforeSeconds: number): Promise<number[]> {
  const last = async (isTrusted: boolean) => {
    const row = await db
      .selectFrom(table)
      .select('start')
      .where(subjects[table], '=', of)
      .where('start', '<', beforeSeconds)
      .$if(isTrusted, (q) => q.where('trust', 'is not', null))
      .orderBy('start', 'desc')
      .limit(1)
      .executeTakeFirst()
    return row ? [row.start] : []
  }
  return [...(await last(false)), ...(table === 'token_hours' ? await last(true) : [])]
}

/** @param hours all with one start */
export async function deleteOldHours(tx: Tx, table: HourTable, hours: readonly OldHour[]): Promise<void> {
  await inSlices(hours, (slice) =>
    tx
      .deleteFrom(table)
      .where('start', '=', slice[0]?.start ?? 0)
      .where(
        subjects[table],
        'in',
        slice.map(({ of }) => of),
      )
      .execute(),
  )
}

/** Deletes the exchange's hours that start before a moment, the oldest first. @returns how many */
export async function deleteOldExchangeHours(tx: Tx, beforeSeconds: number, limit: number): Promise<number> {
  const oldest = tx.selectFrom('exchange_hours').select('start').where('start', '<', beforeSeconds).orderBy('start').limit(limit)
  const { numDeletedRows } = await tx.deleteFrom('exchange_hours').where('start', 'in', oldest).executeTakeFirst()
  return Number(numDeletedRows)
}
