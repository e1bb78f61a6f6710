import type { Selectable } from 'kysely'
import type { PinFailuresTable } from './accountSchema.ts'
import type { Db, Tx } from './store.ts'

/** Failed PINs of one subject: when all of them will be forgotten, and until when it has to wait. */
export type PinCounter = { readonly emptyAtSeconds: number; readonly blockedUntilSeconds: number }

/** Counters by subject; a subject without failures is not in it. */
export type PinCounters = ReadonlyMap<string, PinCounter>

/** Reads without holding: another transaction may change them at once. */
export async function readPinCounters(db: Db | Tx, subjects: readonly string[]): Promise<PinCounters> {
  return toCounters(await db.selectFrom('pin_failures').selectAll().where('subject', 'in', subjects).execute())
}

/** Reads counters and holds them until the transaction ends: concurrent attempts read them after it. */
export async function claimPinCounters(tx: Tx, subjects: readonly string[]): Promise<PinCounters> {
  const rows: Selectable<PinFailuresTable>[] = []
  // One after the other and in order, so that two transactions never wait for each other.
  for (const subject of [...subjects].sort()) {
    const row = await tx
      .insertInto('pin_failures')
      .values({ subject, empty_at: 0, blocked_until: 0 })
      .onConflict((c) => c.column('subject').doUpdateSet((e) => ({ subject: e.ref('excluded.subject') })))
      .returningAll()
      .executeTakeFirstOrThrow()
    rows.push(row)
  }
  return toCounters(rows)
}

/** Writes counters that this transaction has claimed. */
export async function savePinCounters(tx: Tx, counters: PinCounters): Promise<void> {
  const rows = [...counters].map(([subject, { emptyAtSeconds, blockedUntilSeconds }]) => ({
    subject,
    empty_at: emptyAtSeconds,
    blocked_until: blockedUntilSeconds,
  }))
  await tx
    .insertInto('pin_failures')
    .values(rows)
    .onConflict((c) =>
      c
        .column('subject')
        .doUpdateSet((e) => ({ empty_at: e.ref('excluded.empty_at'), blocked_until: e.ref('excluded.blocked_until') })),
    )
    .execute()
}

/** Forgets up to `limit` counters that are as if they had never been. Says how many. */
export async function deleteEmptyPinCounters(tx: Tx, nowSeconds: number, limit: number): Promise<number> {
  const rows = await tx
    .selectFrom('pin_failures')
    .select('subject')
    .where('empty_at', '<=', nowSeconds)
    .where('blocked_until', '<=', nowSeconds)
    .limit(limit)
    .execute()
  // In order, as they are claimed.
  for (const subject of rows.map((row) => row.subject).sort()) {
    await tx
      .deleteFrom('pin_failures')
      .where('subject', '=', subject)
      .where('empty_at', '<=', nowSeconds)
      .where('blocked_until', '<=', nowSeconds)
      .execute()
  }
  return rows.length
}

function toCounters(rows: readonly Selectable<PinFailuresTable>[]): PinCounters {
  return new Map(rows.map((row) => [row.subject, { emptyAtSeconds: row.empty_at, blockedUntilSeconds: row.blocked_until }]))
}
