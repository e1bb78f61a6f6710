import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * A depth counts when it was there for half of the window, a swap without a quote of the network is worth the less of its sides, and no
 * amount counts for more than 300 times the depth behind its price: all dollars of an index made before are of an older method.
 */
export function markHeldDepth(): Migration {
  return markOldDollars(4)
}

/** Records that the dollars of all blocks of an index made before are by this method. */
export function markOldDollars(method: number): Migration {
  return {
    async up(db: Kysely<unknown>) {
      // Blocks that an even older method valued, or that are to be valued again, stay what they are.
      await sql`insert into old_dollars (from_block, to_block, method)
        select coalesce((select max(to_block) + 1 from old_dollars), 0), block_number, ${sql.lit(method)} from sync_cursor
        where block_number is not null and block_number > coalesce((select max(to_block) from old_dollars), -1)`.execute(db)
    },
  }
}
