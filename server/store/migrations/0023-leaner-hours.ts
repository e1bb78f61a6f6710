import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Store } from '../store.ts'

type Db = Kysely<unknown>

/** What is said twice: sums by days and the hours since, the rest of a day's state by its last hour. */
export const repeatedColumns: Readonly<Record<string, readonly string[]>> = {
  pool_hours: ['total_volume0', 'total_volume1', 'total_volume_usd', 'total_fees_usd'],
  pool_days: ['reserve0', 'reserve1', 'collected0', 'collected1', 'collected_usd', 'tx_count', 'fee_growth0', 'fee_growth1'],
  token_hours: ['total_volume', 'total_volume_usd', 'total_fees_usd'],
  token_days: ['tx_count'],
}

/**
 * Tables of SQLite that lie in the order of time, so that no index has to say it. Charts read a pool's hours by their rows' ids, which is
 * faster than by their key: these stay as they are.
 */
const inOrderOfTime = ['pool_days', 'token_hours', 'token_days']

/** Bytes of a transaction's hash that its indexes have in SQLite: a handful of rows of a large index share them. */
const hashHead = 'substr(tx_hash, 1, 3)'

/** Indexes of SQLite that do with less: what they had more is in the row that they lead to. */
const indexes: Readonly<Record<string, readonly [table: string, columns: string]>> = {
  swaps_by_pool: ['swaps', 'pool, timestamp'],
  swaps_by_transaction: ['swaps', hashHead],
  pool_events_by_pool: ['pool_events', 'pool, timestamp'],
  pool_events_by_transaction: ['pool_events', `kind, ${hashHead}`],
  pool_events_by_hash: ['pool_events', hashHead],
}

/** Takes out of hours and days what is said twice, in both databases, and makes some tables and indexes of SQLite shorter. */
export function makeHoursLeaner(engine: Store['engine']): Migration {
  return {
    async up(db: Db) {
      if (engine === 'postgres') {
        for (const [table, columns] of Object.entries(repeatedColumns))
          for (const column of columns) await db.schema.alterTable(table).dropColumn(column).execute()
        return
      }
      for (const [table, columns] of Object.entries(repeatedColumns)) await makeWithout(db, table, columns)
      for (const [name, [table, columns]] of Object.entries(indexes)) {
        await db.schema.dropIndex(name).execute()
        await sql.raw(`create index ${name} on ${table} (${columns})`).execute(db)
      }
    },
  }
}

type Column = { readonly name: string; readonly type: string; readonly notnull: number; readonly default: string | null }

/**
 * Copies a table of SQLite without some columns. Dropping them would leave gaps in its pages that new rows do not fill.
 * All in the transaction of the migration: a kill leaves the table of before.
 */
async function makeWithout(db: Db, table: string, without: readonly string[]): Promise<void> {
  const { rows } = await sql<Column>`
    select name, type, "notnull", dflt_value as "default" from pragma_table_info(${table}) order by cid`.execute(db)
  const columns = rows.filter(({ name }) => !without.includes(name))
  const before = `${table}_before`
  const subject = table.startsWith('pool') ? 'pool' : 'token'
  const isInOrder = inOrderOfTime.includes(table)
  const key = isInOrder ? ['start', subject] : [subject, 'start']
  await sql.raw(`alter table ${table} rename to ${before}`).execute(db)
  const lines = [...columns.map(define), `constraint ${table}_pk primary key (${key.join(', ')})`]
  await sql.raw(`create table ${table} (${lines.join(', ')})${isInOrder ? ' without rowid' : ''}`).execute(db)
  const names = columns.map(({ name }) => name).join(', ')
  const order = isInOrder ? key.join(', ') : 'rowid'
  await sql.raw(`insert into ${table} (${names}) select ${names} from ${before} order by ${order}`).execute(db)
  await sql.raw(`drop table ${before}`).execute(db)
  const index = isInOrder ? `${table}_by_${subject} on ${table} (${subject}, start)` : `${table}_by_start on ${table} (start)`
  await sql.raw(`create index ${index}`).execute(db)
}

function define({ name, type, notnull, default: value }: Column): string {
  return `${name} ${type}${notnull === 1 ? ' not null' : ''}${value === null ? '' : ` default ${value}`}`
}
