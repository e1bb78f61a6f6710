import { daySeconds, toNameSkeleton } from '@chainboard/core'
import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { AccountSchema } from '../accountSchema.ts'
import type { Store } from '../store.ts'

/** How long sessions lived that are there already. */
const sessionSeconds = 30 * daySeconds
const rowsPerInsert = 500

/** How names look; what is known of sessions and browsers, so that users can tell them apart; recovery codes; what happened to accounts. */
export function addAccountCare(engine: Store['engine']): Migration {
  const whole = engine === 'postgres' ? 'bigint' : 'integer'
  return {
    async up(db: Kysely<AccountSchema>) {
      await db.schema
        .createTable('name_skeletons')
        .addColumn('skeleton', 'text', (c) => c.primaryKey())
        .addColumn('users', whole, (c) => c.notNull())
        .execute()
      await fillSkeletons(db)
      await db.schema
        .alterTable('sessions')
        .addColumn('started_at', whole, (c) => c.notNull().defaultTo(0))
        .execute()
      await db.schema
        .alterTable('sessions')
        .addColumn('browser_name', 'text', (c) => c.notNull().defaultTo(''))
        .execute()
      await db.schema.alterTable('sessions').addColumn('browser_hash', 'text').execute()
      await db
        .updateTable('sessions')
        .set({ started_at: sql<number>`expires_at - ${sessionSeconds}` })
        .execute()
      await db.schema
        .alterTable('devices')
        .addColumn('name', 'text', (c) => c.notNull().defaultTo(''))
        .execute()
      await db.schema
        .createTable('recovery_codes')
        .addColumn('code_hash', 'text', (c) => c.primaryKey())
        .addColumn('user_id', 'text', (c) => c.notNull())
        .execute()
      await db.schema.createIndex('recovery_codes_by_user').on('recovery_codes').column('user_id').execute()
      await db.schema
        .createTable('account_notices')
        .addColumn('id', 'text', (c) => c.primaryKey())
        .addColumn('user_id', 'text', (c) => c.notNull())
        .addColumn('at', whole, (c) => c.notNull())
        .addColumn('kind', 'text', (c) => c.notNull())
        .addColumn('browser_name', 'text', (c) => c.notNull())
        .addColumn('session_hash', 'text', (c) => c.notNull())
        .execute()
      await db.schema.createIndex('account_notices_by_user').on('account_notices').columns(['user_id', 'at']).execute()
      await db.schema.createIndex('account_notices_by_time').on('account_notices').column('at').execute()
    },
  }
}

/** Users whose names look alike already keep them. */
async function fillSkeletons(db: Kysely<AccountSchema>): Promise<void> {
  const counts = new Map<string, number>()
  for (const { username } of await db.selectFrom('users').select('username').execute()) {
    const skeleton = toNameSkeleton(username)
    counts.set(skeleton, (counts.get(skeleton) ?? 0) + 1)
  }
  const rows = [...counts].map(([skeleton, users]) => ({ skeleton, users }))
  for (let from = 0; from < rows.length; from += rowsPerInsert)
    await db
      .insertInto('name_skeletons')
      .values(rows.slice(from, from + rowsPerInsert))
      .execute()
}
