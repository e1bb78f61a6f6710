import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Store } from '../store.ts'

/**
 * What the index says in US dollars, and what it says of tokens, the exchange, ticks and transactions. The rows of before
 * have no dollars: they go, and the chain is read again.
 */
export function addDollarsAndTokens(engine: Store['engine']): Migration {
  const exact = sql.raw(engine === 'postgres' ? 'numeric(78, 0)' : 'text') as ReturnType<typeof sql<string>>
  const whole = sql.raw(engine === 'postgres' ? 'bigint' : 'integer') as ReturnType<typeof sql<number>>

  const addExact = async (db: Kysely<unknown>, table: string, names: readonly string[]) => {
    for (const name of names) {
      await db.schema
        .alterTable(table)
        .addColumn(name, exact, (c) => c.notNull().defaultTo('0'))
        .execute()
    }
  }
  const addNullable = async (db: Kysely<unknown>, table: string, names: readonly string[], type: 'text' | typeof exact) => {
    for (const name of names) await db.schema.alterTable(table).addColumn(name, type).execute()
  }

  const tokenPeriodTable = (db: Kysely<unknown>, name: string) =>
    db.schema
      .createTable(name)
      .addColumn('token', 'text', (c) => c.notNull())
      .addColumn('start', whole, (c) => c.notNull())
      .addColumn('reserve', exact, (c) => c.notNull())
      .addColumn('total_volume', exact, (c) => c.notNull())
      .addColumn('total_volume_usd', exact, (c) => c.notNull())
      .addColumn('total_fees_usd', exact, (c) => c.notNull())
      .addColumn('tx_count', whole, (c) => c.notNull())
      .addColumn('price_usd', exact, (c) => c.notNull())
      .addColumn('open', exact, (c) => c.notNull())
      .addColumn('high', exact, (c) => c.notNull())
      .addColumn('low', exact, (c) => c.notNull())
      .addColumn('volume', exact, (c) => c.notNull())
      .addColumn('volume_usd', exact, (c) => c.notNull())
      .addColumn('fees_usd', exact, (c) => c.notNull())
      .addPrimaryKeyConstraint(`${name}_pk`, ['token', 'start'])

  const exchangePeriodTable = (db: Kysely<unknown>, name: string) =>
    db.schema
      .createTable(name)
      .addColumn('start', whole, (c) => c.primaryKey())
      .addColumn('tvl_usd', exact, (c) => c.notNull())
      .addColumn('native_usd', exact, (c) => c.notNull())
      .addColumn('volume_usd', exact, (c) => c.notNull())
      .addColumn('fees_usd', exact, (c) => c.notNull())
      .addColumn('tx_count', whole, (c) => c.notNull())

  return {
    async up(db: Kysely<unknown>) {
      for (const table of ['sync_cursor', 'blocks', 'tokens', 'pools', 'swaps', 'pool_events', 'pool_hours', 'pool_days']) {
        await sql`delete from ${sql.table(table)}`.execute(db)
      }
      const poolTotals = ['total_volume0', 'total_volume1', 'total_volume_usd', 'total_fees_usd', 'collected0', 'collected1']
      for (const table of ['pools', 'pool_hours', 'pool_days']) {
        await addExact(db, table, [...poolTotals, 'collected_usd', 'tvl_usd'])
        await db.schema
          .alterTable(table)
          .addColumn('tx_count', whole, (c) => c.notNull().defaultTo(0))
          .execute()
      }
      for (const table of ['pool_hours', 'pool_days']) await addExact(db, table, ['volume_usd', 'fees_usd'])
      await addExact(db, 'tokens', ['total_supply', 'reserve', 'total_volume', 'total_volume_usd', 'total_fees_usd', 'price_usd'])
      await db.schema
        .alterTable('tokens')
        .addColumn('tx_count', whole, (c) => c.notNull().defaultTo(0))
        .execute()
      await addExact(db, 'swaps', ['amount_usd'])
      await addExact(db, 'pool_events', ['amount_usd'])
      await addNullable(db, 'pool_events', ['sender', 'recipient'], 'text')
      await addNullable(db, 'pool_events', ['paid0', 'paid1'], exact)

      for (const name of ['token_hours', 'token_days']) await tokenPeriodTable(db, name).execute()
      for (const name of ['exchange_hours', 'exchange_days']) await exchangePeriodTable(db, name).execute()
      await db.schema
        .createTable('ticks')
        .addColumn('pool', 'text', (c) => c.notNull())
        .addColumn('tick', 'integer', (c) => c.notNull())
        .addColumn('liquidity_gross', exact, (c) => c.notNull())
        .addColumn('liquidity_net', exact, (c) => c.notNull())
        .addColumn('created_block', whole, (c) => c.notNull())
        .addColumn('created_timestamp', whole, (c) => c.notNull())
        .addPrimaryKeyConstraint('ticks_pk', ['pool', 'tick'])
        .execute()
      await db.schema
        .createTable('transactions')
        .addColumn('hash', 'text', (c) => c.primaryKey())
        .addColumn('block_number', whole, (c) => c.notNull())
        .addColumn('log_index', 'integer', (c) => c.notNull())
        .addColumn('timestamp', whole, (c) => c.notNull())
        .execute()
      const indexes: [string, string, string[]][] = [
        ['transactions_by_time', 'transactions', ['timestamp']],
        ['transactions_by_place', 'transactions', ['block_number', 'log_index']],
        ['swaps_by_transaction', 'swaps', ['tx_hash']],
        ['swaps_by_time', 'swaps', ['timestamp']],
        ['pool_events_by_transaction', 'pool_events', ['kind', 'tx_hash']],
        ['pool_events_by_pool_and_kind', 'pool_events', ['pool', 'kind', 'timestamp']],
        ['pool_events_by_kind', 'pool_events', ['kind', 'timestamp']],
        ['pool_days_by_start', 'pool_days', ['start']],
        ['token_hours_by_start', 'token_hours', ['start']],
        ['token_days_by_start', 'token_days', ['start']],
      ]
      for (const [name, table, columns] of indexes) await db.schema.createIndex(name).on(table).columns(columns).execute()
    },
  }
}
