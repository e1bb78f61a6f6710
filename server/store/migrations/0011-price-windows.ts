import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Store } from '../store.ts'

/**
 * How prices and depths changed in the last minutes, and what trades within 10 % of the price. An index made before has no such past:
 * its pools count by what they are now until they change.
 */
export function addPriceWindows(engine: Store['engine']): Migration {
  const exact = engine === 'postgres' ? 'numeric(78, 0)' : 'text'
  const whole = engine === 'postgres' ? 'bigint' : 'integer'
  return {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('pool_spans')
        .addColumn('pool', 'text', (c) => c.notNull())
        .addColumn('until_at', whole, (c) => c.notNull())
        .addColumn('from_at', whole, (c) => c.notNull())
        .addColumn('sqrt_price_x96', exact, (c) => c.notNull())
        .addColumn('depth0', exact, (c) => c.notNull())
        .addColumn('depth1', exact, (c) => c.notNull())
        .addPrimaryKeyConstraint('pool_spans_pk', ['pool', 'until_at'])
        .execute()
      await db.schema.createIndex('pool_spans_until').on('pool_spans').column('until_at').execute()
      for (const column of ['reach0', 'reach1']) await db.schema.alterTable('pools').addColumn(column, exact).execute()
    },
  }
}
