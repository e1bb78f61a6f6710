import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Store } from '../store.ts'

/** Who signed the transactions that organic volume looks at. A table of its own: it does not follow from logs. */
export function createOriginsTable(engine: Store['engine']): Migration {
  const whole = engine === 'postgres' ? 'bigint' : 'integer'
  return {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('origins')
        .addColumn('tx_hash', 'text', (c) => c.primaryKey())
        .addColumn('origin', 'text', (c) => c.notNull())
        .addColumn('timestamp', whole, (c) => c.notNull())
        .addColumn('has_liquidity', 'integer', (c) => c.notNull())
        .execute()
      await db.schema.createIndex('origins_by_time').on('origins').columns(['has_liquidity', 'timestamp']).execute()
    },
  }
}
