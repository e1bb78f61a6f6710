import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Store } from '../store.ts'

/** Where a free key was made, as hashes, and when its wallet signed for it last. */
export function addSleepingKeys(engine: Store['engine']): Migration {
  const whole = engine === 'postgres' ? 'bigint' : 'integer'
  return {
    async up(db: Kysely<unknown>) {
      await db.schema.alterTable('api_keys').addColumn('made_at_address', 'text').execute()
      await db.schema.alterTable('api_keys').addColumn('made_at_network', 'text').execute()
      await db.schema.alterTable('api_keys').addColumn('signed_at', whole).execute()
      for (const column of ['made_at_address', 'made_at_network'])
        await db.schema.createIndex(`api_keys_${column}`).on('api_keys').column(column).execute()
    },
  }
}
