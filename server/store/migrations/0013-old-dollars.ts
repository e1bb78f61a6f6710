import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Store } from '../store.ts'

/** The blocks whose dollars an older method made, or that are to be valued again. All blocks of an index made before are of method 1. */
export function addOldDollars(engine: Store['engine']): Migration {
  const whole = engine === 'sqlite' ? 'integer' : 'bigint'
  return {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('old_dollars')
        .addColumn('from_block', whole, (c) => c.primaryKey())
        .addColumn('to_block', whole, (c) => c.notNull())
        .addColumn('method', 'integer', (c) => c.notNull())
        .execute()
      await sql`insert into old_dollars (from_block, to_block, method)
        select 0, block_number, 1 from sync_cursor where block_number is not null`.execute(db)
    },
  }
}
