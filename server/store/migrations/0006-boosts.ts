import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Store } from '../store.ts'

/** Payments for boosts, and how far the boost contract's events are read. */
export function createBoostTables(engine: Store['engine']): Migration {
  const exact = engine === 'postgres' ? 'numeric(78, 0)' : 'text'
  const whole = engine === 'postgres' ? 'bigint' : 'integer'
  return {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('boost_payments')
        .addColumn('block_number', whole, (c) => c.notNull())
        .addColumn('log_index', 'integer', (c) => c.notNull())
        .addColumn('token', 'text', (c) => c.notNull())
        .addColumn('payer', 'text', (c) => c.notNull())
        .addColumn('payment_token', 'text', (c) => c.notNull())
        .addColumn('amount', exact, (c) => c.notNull())
        .addColumn('decimals', 'integer', (c) => c.notNull())
        .addColumn('expires_at', whole, (c) => c.notNull())
        .addColumn('tx_hash', 'text', (c) => c.notNull())
        .addColumn('timestamp', whole, (c) => c.notNull())
        .addPrimaryKeyConstraint('boost_payments_pk', ['block_number', 'log_index'])
        .execute()
      await db.schema
        .createIndex('boost_payments_by_token')
        .on('boost_payments')
        .columns(['token', 'block_number', 'log_index'])
        .execute()
      await db.schema
        .createTable('boost_cursor')
        .addColumn('id', 'integer', (c) => c.primaryKey())
        .addColumn('contract', 'text', (c) => c.notNull())
        .addColumn('start_block', whole, (c) => c.notNull())
        .addColumn('chain', 'text')
        .addColumn('block_number', whole)
        .addColumn('block_hash', 'text')
        .addColumn('decimals', 'text', (c) => c.notNull())
        .execute()
    },
  }
}
