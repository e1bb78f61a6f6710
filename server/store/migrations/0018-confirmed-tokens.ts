import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Tokens whose name and decimals were read a second time. Those of an index made before are read again, in turns. */
export function addConfirmedTokens(): Migration {
  return {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('confirmed_tokens')
        .addColumn('token', 'text', (c) => c.primaryKey())
        .execute()
    },
  }
}
