import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Store } from '../store.ts'

/** API keys, the permits that are taken out of their days, used signatures, and the operators' acts. */
export function createKeyTables(engine: Store['engine']): Migration {
  const whole = engine === 'postgres' ? 'bigint' : 'integer'
  return {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('api_keys')
        .addColumn('id', 'text', (c) => c.primaryKey())
        .addColumn('hash', 'text', (c) => c.notNull().unique())
        .addColumn('last4', 'text', (c) => c.notNull())
        .addColumn('tier', 'text', (c) => c.notNull())
        .addColumn('status', 'text', (c) => c.notNull())
        .addColumn('email', 'text', (c) => c.notNull())
        .addColumn('note', 'text', (c) => c.notNull())
        .addColumn('requests_per_day', whole, (c) => c.notNull())
        .addColumn('created_at', whole, (c) => c.notNull())
        .addColumn('expires_at', whole)
        .addColumn('last_used_at', whole)
        .addColumn('tx_hash', 'text')
        .addColumn('payment', 'text')
        .addColumn('wallet', 'text', (c) => c.unique())
        .execute()
      await db.schema
        .createTable('key_changes')
        .addColumn('id', 'integer', (c) => c.primaryKey())
        .addColumn('changes', whole, (c) => c.notNull())
        .execute()
      await db.schema
        .createTable('quota_days')
        .addColumn('principal', 'text', (c) => c.notNull())
        .addColumn('day', 'integer', (c) => c.notNull())
        .addColumn('taken', whole, (c) => c.notNull())
        .addPrimaryKeyConstraint('quota_days_pk', ['principal', 'day'])
        .execute()
      await db.schema
        .createTable('quota_totals')
        .addColumn('day', 'integer', (c) => c.notNull())
        .addColumn('kind', 'text', (c) => c.notNull())
        .addColumn('taken', whole, (c) => c.notNull())
        .addColumn('principals', whole, (c) => c.notNull())
        .addPrimaryKeyConstraint('quota_totals_pk', ['day', 'kind'])
        .execute()
      await db.schema
        .createTable('spent_messages')
        .addColumn('digest', 'text', (c) => c.primaryKey())
        .addColumn('expires_at', whole, (c) => c.notNull())
        .execute()
      await db.schema
        .createTable('admin_acts')
        .addColumn('id', 'text', (c) => c.primaryKey())
        .addColumn('at', whole, (c) => c.notNull())
        .addColumn('wallet', 'text', (c) => c.notNull())
        .addColumn('act', 'text', (c) => c.notNull())
        .addColumn('key_id', 'text')
        .addColumn('changes', 'text', (c) => c.notNull())
        .execute()
      const indexes: [string, string, string[]][] = [
        ['api_keys_by_creation', 'api_keys', ['created_at', 'id']],
        ['quota_days_by_day', 'quota_days', ['day']],
        ['spent_messages_by_expiry', 'spent_messages', ['expires_at']],
      ]
      for (const [name, table, columns] of indexes) await db.schema.createIndex(name).on(table).columns(columns).execute()
    },
  }
}
