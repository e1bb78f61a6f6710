import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Store } from '../store.ts'

/** Users, what they keep, where they are signed in, failed PINs, and the sums that statistics read instead of counting rows. */
export function createAccountTables(engine: Store['engine']): Migration {
  const whole = engine === 'postgres' ? 'bigint' : 'integer'
  const expiringTable = (db: Kysely<unknown>, name: string, key: string) =>
    db.schema
      .createTable(name)
      .addColumn(key, 'text', (c) => c.primaryKey())
      .addColumn('user_id', 'text', (c) => c.notNull())
      .addColumn('expires_at', whole, (c) => c.notNull())
  const listTable = (db: Kysely<unknown>, name: string) =>
    db.schema
      .createTable(name)
      .addColumn('user_id', 'text', (c) => c.notNull())
      .addColumn('address', 'text', (c) => c.notNull())
      .addColumn('position', 'integer', (c) => c.notNull())
      .addPrimaryKeyConstraint(`${name}_pk`, ['user_id', 'address'])
  const countTable = (db: Kysely<unknown>, name: string, key: string, count: string) =>
    db.schema
      .createTable(name)
      .addColumn(key, 'text', (c) => c.primaryKey())
      .addColumn(count, whole, (c) => c.notNull())

  return {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('users')
        .addColumn('id', 'text', (c) => c.primaryKey())
        .addColumn('key', 'text', (c) => c.notNull().unique())
        .addColumn('username', 'text', (c) => c.notNull())
        .addColumn('pin_hash', 'text', (c) => c.notNull())
        .addColumn('created_at', whole, (c) => c.notNull())
        .execute()
      await listTable(db, 'user_wallets').execute()
      await listTable(db, 'favorites').execute()
      await countTable(db, 'favorite_counts', 'token', 'users').execute()
      await expiringTable(db, 'sessions', 'token_hash').execute()
      await expiringTable(db, 'sign_in_codes', 'code_hash').execute()
      await db.schema
        .createTable('devices')
        .addColumn('user_id', 'text', (c) => c.notNull())
        .addColumn('kind', 'text', (c) => c.notNull())
        .addColumn('hash', 'text', (c) => c.notNull())
        .addColumn('seen_at', whole, (c) => c.notNull())
        .addPrimaryKeyConstraint('devices_pk', ['user_id', 'kind', 'hash'])
        .execute()
      await db.schema
        .createTable('pin_failures')
        .addColumn('subject', 'text', (c) => c.primaryKey())
        .addColumn('empty_at', whole, (c) => c.notNull())
        .addColumn('blocked_until', whole, (c) => c.notNull())
        .execute()
      await countTable(db, 'registration_days', 'day', 'users').execute()
      await countTable(db, 'account_totals', 'name', 'value').execute()
      await db.schema
        .createTable('pepper_mark')
        .addColumn('id', 'integer', (c) => c.primaryKey())
        .addColumn('mark', 'text', (c) => c.notNull())
        .execute()
      const indexes: [string, string, string[]][] = [
        ['sessions_by_user', 'sessions', ['user_id', 'expires_at']],
        ['sessions_by_expiry', 'sessions', ['expires_at']],
        ['sign_in_codes_by_user', 'sign_in_codes', ['user_id']],
        ['sign_in_codes_by_expiry', 'sign_in_codes', ['expires_at']],
        ['devices_by_hash', 'devices', ['kind', 'hash']],
        ['pin_failures_by_end', 'pin_failures', ['empty_at']],
        ['favorite_counts_by_users', 'favorite_counts', ['users desc', 'token']],
      ]
      for (const [name, table, columns] of indexes) await db.schema.createIndex(name).on(table).columns(columns).execute()
    },
  }
}
