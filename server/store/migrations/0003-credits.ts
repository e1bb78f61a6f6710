import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Store } from '../store.ts'

/** What paid services were asked for in a month: it outlives restarts, and no reorg takes it back. */
export function createCreditsTable(engine: Store['engine']): Migration {
  const whole = engine === 'postgres' ? 'bigint' : 'integer'
  return {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('credits')
        .addColumn('service', 'text', (c) => c.notNull())
        .addColumn('month', 'text', (c) => c.notNull())
        .addColumn('spent', whole, (c) => c.notNull())
        .addPrimaryKeyConstraint('credits_pk', ['service', 'month'])
        .execute()
    },
  }
}
