import { createHash } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Store } from '../store.ts'

type OldAct = { id: string; at: number; wallet: string; act: string; key_id: string | null; changes: string }

/** The newest acts, which no statement removes. `trimAdminActs` keeps as many. */
const actsKept = 100_000

/**
 * Operators' sessions, the places they act from, deletions that wait for a second owner, and what operators have the site show in place
 * of its files. Acts become a chain: each has the hash of
 * the one before it, and the database refuses to change one or to remove a newer one. Acts of before have no place in the chain; its
 * first entry has their digest.
 */
export function addOperators(engine: Store['engine']): Migration {
  const whole = engine === 'postgres' ? 'bigint' : 'integer'
  return {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('admin_sessions')
        .addColumn('id', 'text', (c) => c.primaryKey())
        .addColumn('token_hash', 'text', (c) => c.notNull().unique())
        .addColumn('wallet', 'text', (c) => c.notNull())
        .addColumn('agent', 'text', (c) => c.notNull())
        .addColumn('created_at', whole, (c) => c.notNull())
        .addColumn('used_at', whole, (c) => c.notNull())
        .execute()
      await db.schema
        .createTable('admin_places')
        .addColumn('wallet', 'text', (c) => c.notNull())
        .addColumn('kind', 'text', (c) => c.notNull())
        .addColumn('value', 'text', (c) => c.notNull())
        .addColumn('seen_at', whole, (c) => c.notNull())
        .addPrimaryKeyConstraint('admin_places_pk', ['wallet', 'kind', 'value'])
        .execute()
      await db.schema
        .createTable('key_deletions')
        .addColumn('key_id', 'text', (c) => c.primaryKey())
        .addColumn('wallet', 'text', (c) => c.notNull())
        .addColumn('asked_at', whole, (c) => c.notNull())
        .execute()
      await db.schema
        .createTable('site_edits')
        .addColumn('kind', 'text', (c) => c.primaryKey())
        .addColumn('body', 'text', (c) => c.notNull())
        .addColumn('wallet', 'text', (c) => c.notNull())
        .addColumn('at', whole, (c) => c.notNull())
        .execute()
      await chainActs(db, whole)
      await db.schema.createIndex('admin_sessions_by_wallet').on('admin_sessions').column('wallet').execute()
      for (const statement of guards[engine]) await sql.raw(statement).execute(db)
    },
  }
}

async function chainActs(db: Kysely<unknown>, whole: 'bigint' | 'integer'): Promise<void> {
  await db.schema
    .createTable('admin_chain')
    .addColumn('id', 'integer', (c) => c.primaryKey())
    .addColumn('seq', whole, (c) => c.notNull())
    .addColumn('hash', 'text', (c) => c.notNull())
    .execute()
  await db.schema.alterTable('admin_acts').addColumn('seq', whole).execute()
  for (const column of ['role', 'via', 'alerts', 'previous', 'hash'])
    await db.schema.alterTable('admin_acts').addColumn(column, 'text').execute()
  await db.schema.createIndex('admin_acts_by_seq').on('admin_acts').column('seq').unique().execute()
  await db.schema.createIndex('admin_acts_by_time').on('admin_acts').column('at').execute()
  const { rows } = await sql<OldAct>`select id, at, wallet, act, key_id, changes from admin_acts`.execute(db)
  if (rows.length === 0) return
  const lines = rows.map(({ id, at, wallet, act, key_id, changes }) =>
    JSON.stringify([id, Number(at), wallet, act, key_id, changes]),
  )
  const digest = createHash('sha256').update(lines.sort().join('\n')).digest('hex')
  await sql`insert into admin_chain (id, seq, hash) values (1, 0, ${digest})`.execute(db)
}

const refusal = 'admin_acts is append-only'

const guards: Readonly<Record<Store['engine'], readonly string[]>> = {
  sqlite: [
    `create trigger admin_acts_no_update before update on admin_acts
    begin select raise(abort, '${refusal}'); end`,
    `create trigger admin_acts_no_delete before delete on admin_acts
    when coalesce(old.seq, 0) > coalesce((select max(seq) from admin_acts), 0) - ${actsKept}
    begin select raise(abort, '${refusal}'); end`,
  ],
  postgres: [
    `create or replace function refuse_admin_acts_change() returns trigger language plpgsql as $$
    declare newest bigint;
    begin
      if tg_op = 'DELETE' then
        execute format('select coalesce(max(seq), 0) from %I.%I', tg_table_schema, tg_table_name) into newest;
        if coalesce(old.seq, 0) <= newest - ${actsKept} then return old; end if;
      end if;
      raise exception '${refusal}';
    end $$`,
    `create trigger admin_acts_no_change before update or delete on admin_acts
    for each row execute function refuse_admin_acts_change()`,
    `create trigger admin_acts_no_truncate before truncate on admin_acts
    for each statement execute function refuse_admin_acts_change()`,
  ],
}
