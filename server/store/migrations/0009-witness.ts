import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Store } from '../store.ts'

/**
 * What the index needs to check its node: fee growth as the events make it, the protocol's shares, what was checked and what is in
 * doubt. Pools indexed before have no fee growth: theirs is not checked.
 */
export function addWitness(engine: Store['engine']): Migration {
  const exact = engine === 'postgres' ? 'numeric(78, 0)' : 'text'
  const whole = engine === 'postgres' ? 'bigint' : 'integer'
  return {
    async up(db: Kysely<unknown>) {
      for (const table of ['pools', 'pool_hours', 'pool_days']) {
        for (const column of ['fee_growth0', 'fee_growth1']) await db.schema.alterTable(table).addColumn(column, exact).execute()
      }
      await db.schema
        .createTable('fee_protocols')
        .addColumn('block_number', whole, (c) => c.notNull())
        .addColumn('log_index', 'integer', (c) => c.notNull())
        .addColumn('timestamp', whole, (c) => c.notNull())
        .addColumn('pool', 'text', (c) => c.notNull())
        .addColumn('fee_protocol', 'integer', (c) => c.notNull())
        .addPrimaryKeyConstraint('fee_protocols_pk', ['block_number', 'log_index'])
        .execute()
      await db.schema
        .createTable('pool_checks')
        .addColumn('pool', 'text', (c) => c.primaryKey())
        .addColumn('block_number', whole, (c) => c.notNull())
        .addColumn('checked_at', whole, (c) => c.notNull())
        .execute()
      await db.schema
        .createTable('doubts')
        .addColumn('pool', 'text', (c) => c.notNull())
        .addColumn('block_number', whole, (c) => c.notNull())
        .addColumn('what', 'text', (c) => c.notNull())
        .addColumn('since', whole, (c) => c.notNull())
        .addPrimaryKeyConstraint('doubts_pk', ['pool', 'block_number'])
        .execute()
    },
  }
}
