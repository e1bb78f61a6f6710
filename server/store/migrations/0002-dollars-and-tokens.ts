import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Store } from '../store.ts'

type Db = Kysely<unknown>

/** How an engine calls whole numbers of any size, and those of up to 53 bits. */
type Types = { readonly exact: 'numeric(78, 0)' | 'text'; readonly whole: 'bigint' | 'integer' }

const oldTables = ['sync_cursor', 'blocks', 'tokens', 'pools', 'swaps', 'pool_events', 'pool_hours', 'pool_days'] as const
const poolTotals = ['total_volume0', 'total_volume1', 'total_volume_usd', 'total_fees_usd', 'collected0', 'collected1']
const tokenTotals = ['total_supply', 'reserve', 'total_volume', 'total_volume_usd', 'total_fees_usd', 'price_usd']

const indexes: readonly (readonly [name: string, table: string, columns: readonly string[]])[] = [
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

/**
 * What the index says in US dollars, and what it says of tokens, the exchange, ticks and transactions. The rows of before
 * have no dollars: they go, and the chain is read again.
 */
export function addDollarsAndTokens(engine: Store['engine']): Migration {
  const types: Types = engine === 'postgres' ? { exact: 'numeric(78, 0)', whole: 'bigint' } : { exact: 'text', whole: 'integer' }
  return {
    async up(db: Db) {
      for (const table of oldTables) await sql`delete from ${sql.table(table)}`.execute(db)
      await widenTables(db, types)
      for (const name of ['token_hours', 'token_days']) await createTokenPeriods(db, name, types)
      for (const name of ['exchange_hours', 'exchange_days']) await createExchangePeriods(db, name, types)
      await createTicks(db, types)
      await createTransactions(db, types)
      for (const [name, table, columns] of indexes)
        await db.schema
          .createIndex(name)
          .on(table)
          .columns([...columns])
          .execute()
    },
  }
}

async function widenTables(db: Db, types: Types): Promise<void> {
  for (const table of ['pools', 'pool_hours', 'pool_days']) {
    await addExact(db, table, [...poolTotals, 'collected_usd', 'tvl_usd'], types)
    await addTxCount(db, table, types)
  }
  for (const table of ['pool_hours', 'pool_days']) await addExact(db, table, ['volume_usd', 'fees_usd'], types)
  await addExact(db, 'tokens', tokenTotals, types)
  await addTxCount(db, 'tokens', types)
  await addExact(db, 'swaps', ['amount_usd'], types)
  await addExact(db, 'pool_events', ['amount_usd'], types)
  await addNullable(db, 'pool_events', ['sender', 'recipient'], 'text')
  await addNullable(db, 'pool_events', ['paid0', 'paid1'], types.exact)
}

async function addExact(db: Db, table: string, names: readonly string[], { exact }: Types): Promise<void> {
  for (const name of names) {
    await db.schema
      .alterTable(table)
      .addColumn(name, exact, (c) => c.notNull().defaultTo('0'))
      .execute()
  }
}

async function addTxCount(db: Db, table: string, { whole }: Types): Promise<void> {
  await db.schema
    .alterTable(table)
    .addColumn('tx_count', whole, (c) => c.notNull().defaultTo(0))
    .execute()
}

async function addNullable(db: Db, table: string, names: readonly string[], type: 'text' | Types['exact']): Promise<void> {
  for (const name of names) await db.schema.alterTable(table).addColumn(name, type).execute()
}

async function createTokenPeriods(db: Db, name: string, { exact, whole }: Types): Promise<void> {
  await db.schema
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
    .execute()
}

async function createExchangePeriods(db: Db, name: string, { exact, whole }: Types): Promise<void> {
  await db.schema
    .createTable(name)
    .addColumn('start', whole, (c) => c.primaryKey())
    .addColumn('tvl_usd', exact, (c) => c.notNull())
    .addColumn('native_usd', exact, (c) => c.notNull())
    .addColumn('volume_usd', exact, (c) => c.notNull())
    .addColumn('fees_usd', exact, (c) => c.notNull())
    .addColumn('tx_count', whole, (c) => c.notNull())
    .execute()
}

async function createTicks(db: Db, { exact, whole }: Types): Promise<void> {
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
}

async function createTransactions(db: Db, { whole }: Types): Promise<void> {
  await db.schema
    .createTable('transactions')
    .addColumn('hash', 'text', (c) => c.primaryKey())
    .addColumn('block_number', whole, (c) => c.notNull())
    .addColumn('log_index', 'integer', (c) => c.notNull())
    .addColumn('timestamp', whole, (c) => c.notNull())
    .execute()
}
