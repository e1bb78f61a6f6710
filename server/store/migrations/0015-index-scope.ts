import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** A name of before: chain, genesis, factory and start, then the tokens whose pools are kept or `all`, then the settings of the dollars. */
const partsOfName = 6
const tokensPerInsert = 100

/**
 * What an index holds and how its dollars are valued is data: both were parts of its name, so that another token list or another stable
 * coin made the whole index begin again.
 */
export function addIndexScope(): Migration {
  return {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('index_scope')
        .addColumn('id', 'integer', (c) => c.primaryKey())
        .addColumn('dollars', 'text', (c) => c.notNull())
        .addColumn('all_pools', 'integer', (c) => c.notNull())
        .execute()
      await db.schema
        .createTable('scope_tokens')
        .addColumn('token', 'text', (c) => c.primaryKey())
        .addColumn('is_valued', 'integer', (c) => c.notNull())
        .execute()
      const { rows } = await sql<{ identity: string }>`select identity from sync_cursor`.execute(db)
      for (const { identity } of rows) {
        const parts = identity.split(':')
        const [pools, dollars] = parts.slice(partsOfName - 2)
        // Any other name is no index of this program's: the next start sets it aside.
        if (parts.length !== partsOfName || !pools || !dollars) continue
        await sql`update sync_cursor set identity = ${parts.slice(0, partsOfName - 2).join(':')}`.execute(db)
        await sql`insert into index_scope (id, dollars, all_pools) values (1, ${dollars}, ${pools === 'all' ? 1 : 0})`.execute(db)
        if (pools !== 'all') await putTokens(db, pools.split(','))
      }
    },
  }
}

async function putTokens(db: Kysely<unknown>, tokens: readonly string[]): Promise<void> {
  for (let i = 0; i < tokens.length; i += tokensPerInsert) {
    const values = tokens.slice(i, i + tokensPerInsert).map((token) => sql`(${token}, 1)`)
    await sql`insert into scope_tokens (token, is_valued) values ${sql.join(values)}`.execute(db)
  }
}
