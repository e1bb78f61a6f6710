import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Store } from '../store.ts'

/** From when on the index has all swaps and all hours, where the operator has older ones deleted. */
export function addKeptSince(engine: Store['engine']): Migration {
  const whole = engine === 'sqlite' ? 'integer' : 'bigint'
  return {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('kept_since')
        .addColumn('kind', 'text', (c) => c.primaryKey())
        .addColumn('since', whole, (c) => c.notNull())
        .execute()
    },
  }
}
