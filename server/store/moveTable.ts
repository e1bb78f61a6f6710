import { Failure } from '@chainboard/core'
import { sql } from 'kysely'
import type { Store, Tx } from './store.ts'

/** Moves the rows of a table to one of another name, in no time: what is left is an empty table of the same form. */
export function moveTable(engine: Store['engine'], tx: Tx, from: string, to: string): Promise<void> {
  return engine === 'sqlite' ? moveInSqlite(tx, from, to) : moveInPostgres(tx, from, to)
}

/** Puts a moved table back in the place of the empty one. */
export function moveTableBack(engine: Store['engine'], tx: Tx, from: string, to: string): Promise<void> {
  return engine === 'sqlite' ? moveBackInSqlite(tx, from, to) : moveBackInPostgres(tx, from, to)
}

type SqliteForm = { readonly table: string; readonly indexes: readonly { name: string; sql: string }[] }

/** The statements that make a table and its indexes. Those of a primary key have none of their own. */
async function readSqliteForm(tx: Tx, table: string): Promise<SqliteForm> {
  const { rows } = await sql<{ type: string; name: string; sql: string }>`
    select type, name, sql from sqlite_master where tbl_name = ${table} and sql is not null`.execute(tx)
  const made = rows.find(({ type }) => type === 'table')
  if (!made) throw new Failure('store-damaged', `The database has no table ${table}`)
  return { table: made.sql, indexes: rows.filter(({ type }) => type === 'index') }
}

/** An index keeps its name when its table is renamed, so it has to go: the empty table needs the name. */
async function moveInSqlite(tx: Tx, from: string, to: string): Promise<void> {
  const { table, indexes } = await readSqliteForm(tx, from)
  for (const { name } of indexes) await sql`drop index ${sql.id(name)}`.execute(tx)
  await sql`alter table ${sql.id(from)} rename to ${sql.id(to)}`.execute(tx)
  await sql.raw(table).execute(tx)
  for (const index of indexes) await sql.raw(index.sql).execute(tx)
}

async function moveBackInSqlite(tx: Tx, from: string, to: string): Promise<void> {
  const { indexes } = await readSqliteForm(tx, to)
  await sql`drop table ${sql.id(to)}`.execute(tx)
  await sql`alter table ${sql.id(from)} rename to ${sql.id(to)}`.execute(tx)
  for (const index of indexes) await sql.raw(index.sql).execute(tx)
}

type PostgresForm = {
  readonly constraints: readonly { name: string; definition: string }[]
  readonly indexes: readonly { name: string; definition: string }[]
}

async function readPostgresForm(tx: Tx, table: string): Promise<PostgresForm> {
  const { rows: constraints } = await sql<{ name: string; definition: string }>`
    select conname as name, pg_get_constraintdef(oid) as definition from pg_constraint
    where conrelid = ${table}::regclass and contype in ('p', 'u', 'c')`.execute(tx)
  const { rows: indexes } = await sql<{ name: string; definition: string }>`
    select indexname as name, indexdef as definition from pg_indexes
    where schemaname = current_schema() and tablename = ${table}
      and indexname not in (select conname from pg_constraint where conrelid = ${table}::regclass)`.execute(tx)
  return { constraints, indexes }
}

/** Names of indexes and constraints are one for the whole schema: each moves aside under the name of its table. */
async function renameForm(
  tx: Tx,
  table: string,
  { constraints, indexes }: PostgresForm,
  rename: (name: string) => string,
): Promise<void> {
  for (const { name } of constraints)
    await sql`alter table ${sql.id(table)} rename constraint ${sql.id(name)} to ${sql.id(rename(name))}`.execute(tx)
  for (const { name } of indexes) await sql`alter index ${sql.id(name)} rename to ${sql.id(rename(name))}`.execute(tx)
}

async function moveInPostgres(tx: Tx, from: string, to: string): Promise<void> {
  const form = await readPostgresForm(tx, from)
  await renameForm(tx, from, form, (name) => prefixOf(to, from) + name)
  await sql`alter table ${sql.id(from)} rename to ${sql.id(to)}`.execute(tx)
  await sql`create table ${sql.id(from)} (like ${sql.id(to)} including defaults)`.execute(tx)
  for (const { name, definition } of form.constraints)
    await sql`alter table ${sql.id(from)} add constraint ${sql.id(name)} ${sql.raw(definition)}`.execute(tx)
  for (const { definition } of form.indexes) await sql.raw(definition).execute(tx)
}

async function moveBackInPostgres(tx: Tx, from: string, to: string): Promise<void> {
  await sql`drop table ${sql.id(to)}`.execute(tx)
  const prefix = prefixOf(from, to)
  await renameForm(tx, from, await readPostgresForm(tx, from), (name) => name.slice(prefix.length))
  await sql`alter table ${sql.id(from)} rename to ${sql.id(to)}`.execute(tx)
}

function prefixOf(moved: string, original: string): string {
  return moved.slice(0, -original.length)
}
