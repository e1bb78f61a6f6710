import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * How far a token's price could be trusted at the least in an hour or a day. Rows of before do not know. Which pools count has changed,
 * too: all dollars of an index made before are of an older method.
 */
export function addLeastTrust(): Migration {
  return {
    async up(db: Kysely<unknown>) {
      for (const table of ['token_hours', 'token_days']) await db.schema.alterTable(table).addColumn('trust', 'integer').execute()
      // Blocks that an even older method valued, or that are to be valued again, stay what they are.
      await sql`insert into old_dollars (from_block, to_block, method)
        select coalesce((select max(to_block) + 1 from old_dollars), 0), block_number, 2 from sync_cursor
        where block_number is not null and block_number > coalesce((select max(to_block) from old_dollars), -1)`.execute(db)
    },
  }
}
