import { Failure } from '@chainboard/core'
import { sql } from 'kysely'
import { emptyIndex, indexTables } from './emptyIndex.ts'
import { readMigrations } from './migrateStore.ts'
import { moveTable, moveTableBack } from './moveTable.ts'
import type { Db, Store, Tx } from './store.ts'
import { findCursor } from './syncCursor.ts'
import { listTables } from './tableRows.ts'

/** An index that was set aside. `block` is the last one in it; undefined when it had none. */
export type AsideIndex = {
  readonly number: number
  readonly identity: string
  readonly block: number | undefined
  /** Unix seconds. */
  readonly setAsideAtSeconds: number
}

/** Newest first. */
export async function listAsideIndexes(db: Db | Tx): Promise<AsideIndex[]> {
  const rows = await db.selectFrom('aside_indexes').selectAll().orderBy('number', 'desc').execute()
  return rows.map((row) => ({
    number: row.number,
    identity: row.identity,
    block: row.block_number ?? undefined,
    setAsideAtSeconds: row.set_aside_at,
  }))
}

/**
 * Sets the index aside and leaves an empty one. It takes no time and no space that the index does not have already.
 * @returns its number; undefined when there was nothing to set aside
 */
export async function setIndexAside(store: Store, tx: Tx, nowSeconds: number): Promise<number | undefined> {
  const cursor = await findCursor(tx)
  if (!cursor?.block) {
    await emptyIndex(tx)
    return undefined
  }
  const number = await findFreeNumber(store, tx)
  for (const table of indexTables) await moveTable(store.engine, tx, table, nameOf(number, table))
  const row = { number, identity: cursor.identity, block_number: cursor.block.number, set_aside_at: nowSeconds }
  await tx
    .insertInto('aside_indexes')
    .values({ ...row, migration: await findNewestMigration(store, tx) })
    .execute()
  return number
}

/**
 * Puts an index back that was set aside; the one in its place is set aside.
 * @returns the number under which that one is now; undefined when it was empty
 * @throws Failure `not-found` for a number that no index has, `conflict` for one whose tables have an older form
 */
export async function putIndexBack(store: Store, number: number, nowSeconds: number): Promise<number | undefined> {
  return store.write(async (tx) => {
    const row = await tx.selectFrom('aside_indexes').selectAll().where('number', '=', number).executeTakeFirst()
    if (!row) throw new Failure('not-found', `No index was set aside under the number ${number}`)
    if (row.migration !== (await findNewestMigration(store, tx)))
      throw new Failure('conflict', `Index ${number} was set aside by an older version, and only that version can use it`)
    const replaced = await setIndexAside(store, tx, nowSeconds)
    for (const table of indexTables) await moveTableBack(store.engine, tx, nameOf(number, table), table)
    await tx.deleteFrom('aside_indexes').where('number', '=', number).execute()
    return replaced
  })
}

/** Deletes an index that was set aside, for good. @throws Failure `not-found` for a number that no index has */
export async function dropAsideIndex(store: Store, number: number): Promise<void> {
  await store.write(async (tx) => {
    const { numDeletedRows } = await tx.deleteFrom('aside_indexes').where('number', '=', number).executeTakeFirst()
    if (numDeletedRows === 0n) throw new Failure('not-found', `No index was set aside under the number ${number}`)
    // One that an older version has set aside lacks the tables that are newer.
    for (const table of indexTables) await sql`drop table if exists ${sql.id(nameOf(number, table))}`.execute(tx)
  })
}

function nameOf(number: number, table: string): string {
  return `aside${number}_${table}`
}

/** A restored backup has no list of what was set aside before: its tables may still be there. */
async function findFreeNumber({ engine }: Store, tx: Tx): Promise<number> {
  const listed = (await listAsideIndexes(tx)).map(({ number }) => number)
  const named = [...(await listTables(tx, engine)).keys()].map((name) => Number(/^aside(\d+)_/.exec(name)?.[1] ?? 0))
  return Math.max(0, ...listed, ...named) + 1
}

async function findNewestMigration({ engine }: Store, tx: Tx): Promise<string> {
  return (await readMigrations(tx, engine)).at(-1) ?? ''
}
