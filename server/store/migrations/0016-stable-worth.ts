import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Before the settings of the dollars' next part come the stable coins, with this between them. */
const [partEnd, coinEnd] = ['/', '+']

/**
 * Stable coins but the first count what their pools say where these are off a dollar: of an index with several coins all dollars are of
 * an older method. With one coin nothing has changed.
 */
export function addStableWorth(): Migration {
  return {
    async up(db: Kysely<unknown>) {
      const { rows } = await sql<{ dollars: string }>`select dollars from index_scope`.execute(db)
      if (!rows.some(({ dollars }) => dollars.split(partEnd)[0]?.includes(coinEnd))) return
      // Blocks that an even older method valued, or that are to be valued again, stay what they are.
      await sql`insert into old_dollars (from_block, to_block, method)
        select coalesce((select max(to_block) + 1 from old_dollars), 0), block_number, 3 from sync_cursor
        where block_number is not null and block_number > coalesce((select max(to_block) from old_dollars), -1)`.execute(db)
    },
  }
}
