import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { findForm, packedTables, typeOf } from '../sqlite/packedColumns.ts'
import type { Store } from '../store.ts'

type Db = Kysely<unknown>

/** Bytes of a transaction's hash that its indexes have in SQLite: as good as all of them, in a quarter of the space. */
const hashHead = 'substr(tx_hash, 1, 6)'

/** Of the tables that SQLite makes anew, with what the indexes of before were on. */
const indexes: Readonly<Record<string, readonly [table: string, columns: string]>> = {
  swaps_by_pool: ['swaps', 'pool, timestamp, block_number, log_index'],
  swaps_by_time: ['swaps', 'timestamp'],
  swaps_by_transaction: ['swaps', hashHead],
  pool_events_by_pool: ['pool_events', 'pool, timestamp, block_number, log_index'],
  pool_events_by_pool_and_kind: ['pool_events', 'pool, kind, timestamp'],
  pool_events_by_kind: ['pool_events', 'kind, timestamp'],
  pool_events_by_time: ['pool_events', 'timestamp'],
  pool_events_by_transaction: ['pool_events', `kind, ${hashHead}`],
  pool_events_by_hash: ['pool_events', hashHead],
  pool_hours_by_start: ['pool_hours', 'start'],
  pool_days_by_start: ['pool_days', 'start'],
  token_hours_by_start: ['token_hours', 'start'],
  token_days_by_start: ['token_days', 'start'],
}

/**
 * The big tables in a third of the space. In SQLite numbers are bytes instead of decimal digits, addresses the numbers of rows of a table,
 * hashes bytes. In both databases a transaction is what its events say: it has no row of its own.
 */
export function makeRowsSmaller(engine: Store['engine']): Migration {
  return {
    async up(db: Db) {
      await db.schema.dropTable('transactions').execute()
      if (engine === 'postgres') {
        await db.schema.createIndex('pool_events_by_time').on('pool_events').column('timestamp').execute()
        await db.schema.createIndex('pool_events_by_hash').on('pool_events').column('tx_hash').execute()
        return
      }
      await db.schema
        .createTable('addresses')
        .addColumn('id', 'integer', (c) => c.primaryKey())
        .addColumn('address', 'text', (c) => c.notNull().unique())
        .execute()
      for (const table of packedTables) await packTable(db, table)
      for (const [name, [table, columns]] of Object.entries(indexes))
        await sql.raw(`create index ${name} on ${table} (${columns})`).execute(db)
    },
  }
}

type Column = {
  readonly name: string
  readonly type: string
  readonly notnull: number
  readonly default: string | null
  readonly pk: number
}

/** Rows of one statement: what it gives to functions of ours is in memory until it ends. */
const rowsAtOnce = 2_000

/** All in the transaction of the migration: a kill leaves the table of before. */
async function packTable(db: Db, table: string): Promise<void> {
  const { rows: columns } = await sql<Column>`
    select name, type, "notnull", dflt_value as "default", pk from pragma_table_info(${table}) order by cid`.execute(db)
  const key = columns.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk)
  const before = `${table}_before`
  await sql.raw(`alter table ${table} rename to ${before}`).execute(db)
  const keyNames = key.map(({ name }) => name).join(', ')
  const lines = [...columns.map((column) => define(table, column)), `constraint ${table}_pk primary key (${keyNames})`]
  await sql.raw(`create table ${table} (${lines.join(', ')})`).execute(db)
  const names = columns.map(({ name }) => name)
  for (const name of names.filter((each) => findForm(table, each) === 'address'))
    await sql
      .raw(`insert or ignore into addresses (address) select distinct ${name} from ${before} where ${name} is not null`)
      .execute(db)
  const values = names.map((name) => pack(table, name)).join(', ')
  for (let after = Number.MIN_SAFE_INTEGER; ; ) {
    const { rows } = await sql<{ last: number | null }>`select max(place) as last from
      (select rowid as place from ${sql.table(before)} where rowid > ${after} order by rowid limit ${sql.lit(rowsAtOnce)})`.execute(
      db,
    )
    const last = rows[0]?.last
    if (last === null || last === undefined) break
    await sql`insert into ${sql.table(table)} (${sql.raw(names.join(', '))}) select ${sql.raw(values)}
      from ${sql.table(before)} as b where rowid > ${after} and rowid <= ${last} order by rowid`.execute(db)
    after = last
  }
  await sql.raw(`drop table ${before}`).execute(db)
}

function define(table: string, { name, type, notnull, default: value }: Column): string {
  const { sqlType, sameAs } = typeOf(table, name) ?? { sqlType: type, sameAs: undefined }
  const rule = notnull === 1 && sameAs === undefined ? ' not null' : ''
  return `${name} ${sqlType}${rule}${value === null ? '' : ` default ${value}`}`
}

/** A column's value as `packedRows.ts` stores it. */
function pack(table: string, name: string): string {
  const found = typeOf(table, name)
  if (!found) return `b.${name}`
  if (found.form === 'address') return `(select id from addresses where address = b.${name})`
  if (found.form === 'hash') return `coalesce(unhex(substr(b.${name}, 3)), b.${name})`
  return `pack_number(${found.sameAs === undefined ? `b.${name}` : `nullif(b.${name}, b.${found.sameAs})`})`
}
