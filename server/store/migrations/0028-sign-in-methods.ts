import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Store } from '../store.ts'

/** Passkeys and wallets that sign their users in beside the PIN. Each is one user's alone. */
export function createSignInMethodTables(engine: Store['engine']): Migration {
  const whole = engine === 'postgres' ? 'bigint' : 'integer'
  const methodTable = (db: Kysely<unknown>, name: string, key: string) =>
    db.schema
      .createTable(name)
      .addColumn(key, 'text', (c) => c.primaryKey())
      .addColumn('user_id', 'text', (c) => c.notNull())
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('created_at', whole, (c) => c.notNull())
      .addColumn('last_used_at', whole)

  return {
    async up(db: Kysely<unknown>) {
      await methodTable(db, 'passkeys', 'id')
        .addColumn('credential_id', 'text', (c) => c.notNull().unique())
        .addColumn('public_key', 'text', (c) => c.notNull())
        .addColumn('sign_count', whole, (c) => c.notNull())
        .addColumn('transports', 'text', (c) => c.notNull())
        .execute()
      await methodTable(db, 'sign_in_wallets', 'address').execute()
      for (const table of ['passkeys', 'sign_in_wallets'])
        await db.schema.createIndex(`${table}_by_user`).on(table).column('user_id').execute()
    },
  }
}
