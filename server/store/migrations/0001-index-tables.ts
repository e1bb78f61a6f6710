import type { CreateTableBuilder, Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Store } from '../store.ts'

type Db = Kysely<unknown>

/** How an engine calls whole numbers of any size, and those of up to 53 bits. */
type Types = { readonly exact: 'numeric(78, 0)' | 'text'; readonly whole: 'bigint' | 'integer' }

/** The chain's index: cursor, block references, tokens, pools, their events, and the hours and days folded from them. */
export function createIndexTables(engine: Store['engine']): Migration {
  const types: Types = engine === 'postgres' ? { exact: 'numeric(78, 0)', whole: 'bigint' } : { exact: 'text', whole: 'integer' }
  return {
    async up(db: Db) {
      await createBlockTables(db, types)
      await createPoolTables(db, types)
      await createEventTables(db, types)
      await periodTable(db, 'pool_hours', types).execute()
      await periodTable(db, 'pool_days', types).execute()
      await createIndexes(db)
    },
  }
}

async function createBlockTables(db: Db, { whole }: Types): Promise<void> {
  await db.schema
    .createTable('sync_cursor')
    .addColumn('id', 'integer', (c) => c.primaryKey())
    .addColumn('identity', 'text', (c) => c.notNull())
    .addColumn('block_number', whole)
    .addColumn('block_hash', 'text')
    .addColumn('block_timestamp', whole)
    .execute()
  await db.schema
    .createTable('blocks')
    .addColumn('number', whole, (c) => c.primaryKey())
    .addColumn('hash', 'text', (c) => c.notNull())
    .addColumn('timestamp', whole, (c) => c.notNull())
    .execute()
}

async function createPoolTables(db: Db, types: Types): Promise<void> {
  const { whole } = types
  await db.schema
    .createTable('tokens')
    .addColumn('address', 'text', (c) => c.primaryKey())
    .addColumn('symbol', 'text', (c) => c.notNull())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('decimals', 'integer')
    .execute()
  const pools = db.schema
    .createTable('pools')
    .addColumn('address', 'text', (c) => c.primaryKey())
    .addColumn('token0', 'text', (c) => c.notNull())
    .addColumn('token1', 'text', (c) => c.notNull())
    .addColumn('fee', 'integer', (c) => c.notNull())
    .addColumn('tick_spacing', 'integer', (c) => c.notNull())
    .addColumn('created_block', whole, (c) => c.notNull())
    .addColumn('created_timestamp', whole, (c) => c.notNull())
    .addColumn('last_swap_at', whole)
  await addPoolState(pools, types).execute()
}

async function createEventTables(db: Db, types: Types): Promise<void> {
  const { exact } = types
  await eventTable(db, 'swaps', types)
    .addColumn('sender', 'text', (c) => c.notNull())
    .addColumn('recipient', 'text', (c) => c.notNull())
    .addColumn('amount0', exact, (c) => c.notNull())
    .addColumn('amount1', exact, (c) => c.notNull())
    .addColumn('sqrt_price_x96', exact, (c) => c.notNull())
    .addColumn('liquidity', exact, (c) => c.notNull())
    .addColumn('tick', 'integer', (c) => c.notNull())
    .execute()
  await eventTable(db, 'pool_events', types)
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('owner', 'text')
    .addColumn('tick_lower', 'integer')
    .addColumn('tick_upper', 'integer')
    .addColumn('amount', exact)
    .addColumn('amount0', exact)
    .addColumn('amount1', exact)
    .addColumn('sqrt_price_x96', exact)
    .addColumn('tick', 'integer')
    .execute()
}

function eventTable(db: Db, name: string, { whole }: Types) {
  return db.schema
    .createTable(name)
    .addColumn('block_number', whole, (c) => c.notNull())
    .addColumn('log_index', 'integer', (c) => c.notNull())
    .addColumn('pool', 'text', (c) => c.notNull())
    .addColumn('tx_hash', 'text', (c) => c.notNull())
    .addColumn('timestamp', whole, (c) => c.notNull())
    .addPrimaryKeyConstraint(`${name}_pk`, ['block_number', 'log_index'])
}

function periodTable(db: Db, name: string, types: Types) {
  const { exact, whole } = types
  const begun = db.schema
    .createTable(name)
    .addColumn('pool', 'text', (c) => c.notNull())
    .addColumn('start', whole, (c) => c.notNull())
  return addPoolState(begun, types)
    .addColumn('open', exact, (c) => c.notNull())
    .addColumn('high', exact, (c) => c.notNull())
    .addColumn('low', exact, (c) => c.notNull())
    .addColumn('volume0', exact, (c) => c.notNull())
    .addColumn('volume1', exact, (c) => c.notNull())
    .addColumn('swap_count', 'integer', (c) => c.notNull())
    .addColumn('event_count', 'integer', (c) => c.notNull())
    .addPrimaryKeyConstraint(`${name}_pk`, ['pool', 'start'])
}

function addPoolState<T extends string, C extends string>(table: CreateTableBuilder<T, C>, { exact }: Types) {
  return table
    .addColumn('sqrt_price_x96', exact, (c) => c.notNull())
    .addColumn('tick', 'integer')
    .addColumn('liquidity', exact, (c) => c.notNull())
    .addColumn('reserve0', exact, (c) => c.notNull())
    .addColumn('reserve1', exact, (c) => c.notNull())
}

async function createIndexes(db: Db): Promise<void> {
  for (const table of ['swaps', 'pool_events']) {
    await db.schema
      .createIndex(`${table}_by_pool`)
      .on(table)
      .columns(['pool', 'timestamp', 'block_number', 'log_index'])
      .execute()
  }
  await db.schema.createIndex('pool_hours_by_start').on('pool_hours').column('start').execute()
  await db.schema.createIndex('pools_by_creation').on('pools').column('created_block').execute()
}
