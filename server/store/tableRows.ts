// Tables as they are, whatever their columns: for what keeps and moves all of them.
import { type RawBuilder, sql } from 'kysely'
import { inSlices, writeInsert } from './rows.ts'
import type { Db, Store, Tx } from './store.ts'

/** Values as the database hands them out: text, number, null or bytes. */
export type TableRow = Readonly<Record<string, unknown>>

const rowsPerBatch = 1_000
const placeColumn = 'place_of_row'

/** Tables of the current schema with their columns, in the order in which they were made; views are left out. */
export async function listTables(db: Db | Tx, engine: Store['engine']): Promise<ReadonlyMap<string, readonly string[]>> {
  const query =
    engine === 'sqlite'
      ? sql<{ name: string; column: string }>`
          select m.name as "name", c.name as "column" from sqlite_master m join pragma_table_info(m.name) c
          where m.type = 'table' order by m.name, c.cid`
      : sql<{ name: string; column: string }>`
          select c.relname as "name", a.attname as "column" from pg_catalog.pg_class c
          join pg_catalog.pg_namespace n on n.oid = c.relnamespace
          join pg_catalog.pg_attribute a on a.attrelid = c.oid
          where n.nspname = current_schema() and c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped
          order by c.relname, a.attnum`
  const tables = new Map<string, string[]>()
  for (const { name, column } of (await query.execute(db)).rows) {
    const columns = tables.get(name)
    if (columns) columns.push(column)
    else tables.set(name, [column])
  }
  return tables
}

/** By counting: it takes as long as reading the table. */
export async function countRows(db: Db | Tx, table: string): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*) as n from ${sql.table(table)}`.execute(db)
  return rows[0]?.n ?? 0
}

/** Whether a table has any row: unlike a count, it costs the same for every size. */
export async function hasRows(db: Db | Tx, table: string): Promise<boolean> {
  const { rows } = await sql`select 1 from ${sql.table(table)} limit 1`.execute(db)
  return rows.length > 0
}

/** All rows of a table in batches, so that memory stays the same whatever its size. */
export function readRows(tx: Tx, engine: Store['engine'], table: string): AsyncGenerator<readonly TableRow[]> {
  return engine === 'sqlite' ? readInOrder(tx, table) : readByCursor(tx, table)
}

/** What the rows of a table of SQLite lie in the order of: their ids, or their key. */
async function listOrder(db: Db | Tx, table: string): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`select c.name from pragma_table_list(${table}) l
    join pragma_table_info(l.name) c where l.schema = 'main' and l.wr = 1 and c.pk > 0 order by c.pk`.execute(db)
  return rows.length > 0 ? rows.map(({ name }) => name) : ['rowid']
}

/**
 * Rows of a table of SQLite in batches, in the order in which they lie. They have columns more, which say where each row lies.
 * @param only of which rows; absent: all
 */
export async function* readInOrder(
  db: Db | Tx,
  table: string,
  only: RawBuilder<unknown> = sql`true`,
): AsyncGenerator<readonly TableRow[]> {
  const order = await listOrder(db, table)
  const columns = sql.join(order.map((name) => sql.ref(name)))
  // By an expression, which gives the number that is stored.
  const places = sql.join(order.map((name, i) => sql`+${sql.ref(name)} as ${sql.ref(`${placeColumn}${i}`)}`))
  let behind = sql`true`
  for (;;) {
    const { rows } = await sql<Record<string, unknown>>`select ${places}, * from ${sql.table(table)}
      where ${only} and ${behind} order by ${columns} limit ${rowsPerBatch}`.execute(db)
    const last = rows.at(-1)
    if (!last) return
    behind = sql`(${columns}) > (${sql.join(order.map((_, i) => last[`${placeColumn}${i}`]))})`
    yield rows
    if (rows.length < rowsPerBatch) return
  }
}

/** A row of `readInOrder` without the columns that say where it lies. */
export function withoutPlace(row: TableRow): TableRow {
  return Object.fromEntries(Object.entries(row).filter(([name]) => !name.startsWith(placeColumn)))
}

async function* readByCursor(tx: Tx, table: string): AsyncGenerator<readonly TableRow[]> {
  await sql`declare all_rows no scroll cursor for select * from ${sql.table(table)}`.execute(tx)
  for (;;) {
    const { rows } = await sql<Record<string, unknown>>`fetch ${sql.lit(rowsPerBatch)} from all_rows`.execute(tx)
    if (rows.length > 0) yield rows
    if (rows.length < rowsPerBatch) break
  }
  await sql`close all_rows`.execute(tx)
}

/** Adds rows as they are, all with the same columns. @throws when one is there already, or breaks a rule of the table */
export async function insertRows(tx: Tx, table: string, rows: readonly TableRow[]): Promise<void> {
  const columns = Object.keys(rows[0] ?? {})
  await inSlices(rows, (slice) => writeInsert(table, columns, slice).execute(tx))
}

/** SQLite alone: writes what is in the WAL into the file, as far as nobody else still reads from it. */
export async function emptyWal(db: Db): Promise<void> {
  await sql`pragma wal_checkpoint(truncate)`.execute(db)
}

/**
 * PostgreSQL alone: takes tables out of the way, with their rows and indexes.
 * @param schema a new one that they move to; undefined removes them, which is right for empty ones only
 */
export async function moveTables(tx: Tx, tables: readonly string[], schema: string | undefined): Promise<void> {
  if (schema) await tx.schema.createSchema(schema).execute()
  for (const table of tables) {
    if (schema) await sql`alter table ${sql.table(table)} set schema ${sql.ref(schema)}`.execute(tx)
    else await tx.schema.dropTable(table).execute()
  }
}
