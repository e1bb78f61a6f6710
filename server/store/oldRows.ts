// Swaps and hours that are too old to be kept: the rows of before that nothing else follows from.
import { sql } from 'kysely'
import { inSlices } from './rows.ts'
import type { Db, Tx } from './store.ts'

const anyKind = ['initialize', 'mint', 'burn', 'collect', 'flash'] as const

/** A swap by its place, and what goes with it. */
export type OldSwap = { readonly block: number; readonly log: number; readonly pool: string; readonly txHash: string }

/** The next swaps behind a place, up to a block, in the order of the chain. */
export async function listOldSwaps(
  db: Db | Tx,
  { after, toBlock, limit }: { after: Pick<OldSwap, 'block' | 'log'>; toBlock: number; limit: number },
): Promise<OldSwap[]> {
  return (
    db
      .selectFrom('swaps')
      .select(['block_number as block', 'log_index as log', 'pool', 'tx_hash as txHash'])
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
  pool: string,
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

/** Deletes swaps, and the transactions of which no other event is left. */
export async function deleteOldSwaps(tx: Tx, swaps: readonly OldSwap[]): Promise<void> {
  await inSlices(swaps, (slice) => {
    const places = sql.join(slice.map(({ block, log }) => sql`(${sql.lit(block)}, ${sql.lit(log)})`))
    return sql`delete from swaps where (block_number, log_index) in (values ${places})`.execute(tx)
  })
  await inSlices([...new Set(swaps.map(({ txHash }) => txHash))], (slice) =>
    tx
      .deleteFrom('transactions')
      .where('hash', 'in', slice)
      .where((e) => e.not(e.exists(e.selectFrom('swaps').select('tx_hash').whereRef('tx_hash', '=', 'transactions.hash'))))
      .where((e) =>
        e.not(
          e.exists(
            e
              .selectFrom('pool_events')
              .select('tx_hash')
              // All of them: named, so that the index by kind and transaction serves.
              .where('kind', 'in', anyKind)
              .whereRef('tx_hash', '=', 'transactions.hash'),
          ),
        ),
      )
      .execute(),
  )
}

/** An hour of a pool or of a token. */
export type OldHour = { readonly of: string; readonly start: number }
export type HourTable = 'pool_hours' | 'token_hours'

const subjects = { pool_hours: 'pool', token_hours: 'token' } as const

/** The next hours behind one, that start before a moment; by their start. */
export async function listOldHours(
  db: Db | Tx,
  table: HourTable,
  { after, beforeSeconds, limit }: { after: OldHour; beforeSeconds: number; limit: number },
): Promise<OldHour[]> {
  const subject = sql.ref<string>(subjects[table])
  const { rows } = await sql<OldHour>`
    select ${subject} as "of", start from ${sql.table(table)}
    where start >= ${after.start} and start < ${beforeSeconds} and (start, ${subject}) > (${after.start}, ${after.of})
    order by start, ${subject} limit ${limit}`.execute(db)
  return rows
}

/** Starts of the hours of a pool or token before a moment that stay: the last one, and of tokens the last one with a confidence. */
export async function listLastHoursOf(db: Db | Tx, table: HourTable, of: string, beforeSeconds: number): Promise<number[]> {
  const last = async (condition: ReturnType<typeof sql>) => {
    const { rows } = await sql<{ start: number | null }>`
      select max(start) as start from ${sql.table(table)}
      where ${sql.ref(subjects[table])} = ${of} and start < ${beforeSeconds} ${condition}`.execute(db)
    return rows.flatMap(({ start }) => (start === null ? [] : [Number(start)]))
  }
  const trusted = table === 'token_hours' ? await last(sql`and trust is not null`) : []
  return [...(await last(sql``)), ...trusted]
}

export async function deleteOldHours(tx: Tx, table: HourTable, hours: readonly OldHour[]): Promise<void> {
  await inSlices(hours, (slice) => {
    const keys = sql.join(slice.map(({ of, start }) => sql`(${of}, ${sql.lit(start)})`))
    return sql`delete from ${sql.table(table)} where (${sql.ref(subjects[table])}, start) in (values ${keys})`.execute(tx)
  })
}

/** Deletes the exchange's hours that start before a moment, the oldest first. @returns how many */
export async function deleteOldExchangeHours(tx: Tx, beforeSeconds: number, limit: number): Promise<number> {
  const oldest = tx.selectFrom('exchange_hours').select('start').where('start', '<', beforeSeconds).orderBy('start').limit(limit)
  const { numDeletedRows } = await tx.deleteFrom('exchange_hours').where('start', 'in', oldest).executeTakeFirst()
  return Number(numDeletedRows)
}
