import { sql } from 'kysely'
import type { Db, Tx } from './store.ts'

// How many streams each server of a PostgreSQL has open, by subject: what limits the streams of an address or a key on all of them.

const nowMs = sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`
/** A server that has written nothing for so long has ended: its streams are closed. */
const aliveMsMax = 10_000

/** Puts a server's counts in the place of those before. `number` rises with each change. */
export async function saveStreamCounts(
  tx: Tx,
  server: string,
  number: number,
  counts: ReadonlyMap<string, number>,
): Promise<void> {
  const row = { number, written_at_ms: nowMs, counts: JSON.stringify([...counts]) }
  await tx
    .insertInto('stream_counts')
    .values({ server, ...row })
    .onConflict((c) => c.column('server').doUpdateSet(row))
    .execute()
  await tx.deleteFrom('stream_counts').where('written_at_ms', '<', sql<number>`${nowMs} - ${aliveMsMax}::bigint`).execute()
}

/** @returns of each other server that is there the number of its counts */
export async function listStreamServers(db: Db, own: string): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom('stream_counts')
    .select(['server', 'number'])
    .where('server', '<>', own)
    .where('written_at_ms', '>=', sql<number>`${nowMs} - ${aliveMsMax}::bigint`)
    .execute()
  return new Map(rows.map(({ server, number }) => [server, number]))
}

/** A server's counts by subject; none where it is gone. */
export async function readStreamCounts(db: Db, server: string): Promise<ReadonlyMap<string, number>> {
  const row = await db.selectFrom('stream_counts').select('counts').where('server', '=', server).executeTakeFirst()
  const counts: readonly (readonly [string, number])[] = row ? JSON.parse(row.counts) : []
  return new Map(counts)
}

/** To be called when a server ends. */
export async function deleteStreamCounts(tx: Tx, server: string): Promise<void> {
  await tx.deleteFrom('stream_counts').where('server', '=', server).execute()
}
