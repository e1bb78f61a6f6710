import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Store } from '../store.ts'

/** The indexes that were set aside. Each one's rows are in tables of its own, `aside<number>_…`. */
export function createAsideTable(engine: Store['engine']): Migration {
  const whole = engine === 'sqlite' ? 'integer' : 'bigint'
  return {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('aside_indexes')
        .addColumn('number', 'integer', (c) => c.primaryKey())
        .addColumn('identity', 'text', (c) => c.notNull())
        .addColumn('block_number', whole)
        .addColumn('set_aside_at', whole, (c) => c.notNull())
        .addColumn('migration', 'text', (c) => c.notNull())
        .execute()
    },
  }
}
