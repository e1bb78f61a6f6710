import { randomBytes } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Store } from '../store.ts'

/**
 * What several servers on one PostgreSQL agree by: who leads, and what the leader last published. A board is written again with every
 * block and read again by nobody after a crash, so PostgreSQL keeps it out of its log.
 */
export function addSeveralServers(engine: Store['engine']): Migration {
  const whole = engine === 'sqlite' ? 'integer' : 'bigint'
  const bytes = engine === 'sqlite' ? 'blob' : 'bytea'
  return {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('leadership')
        .addColumn('id', 'integer', (c) => c.primaryKey())
        .addColumn('epoch', whole, (c) => c.notNull())
        .addColumn('holder', 'text', (c) => c.notNull())
        .addColumn('since', whole, (c) => c.notNull())
        .addColumn('run', 'text', (c) => c.notNull())
        .execute()
      const run = randomBytes(4).toString('hex')
      await sql`insert into leadership (id, epoch, holder, since, run) values (1, 0, '', 0, ${run})`.execute(db)
      await db.schema
        .createTable('board_steps')
        .addColumn('seq', whole, (c) => c.primaryKey())
        .addColumn('epoch', whole, (c) => c.notNull())
        .addColumn('written_at', whole, (c) => c.notNull())
        .addColumn('last_place', whole, (c) => c.notNull())
        .addColumn('events', bytes)
        .execute()
      await db.schema
        .createTable('stream_counts')
        .addColumn('server', 'text', (c) => c.primaryKey())
        .addColumn('number', whole, (c) => c.notNull())
        .addColumn('written_at_ms', whole, (c) => c.notNull())
        .addColumn('counts', 'text', (c) => c.notNull())
        .execute()
      if (engine === 'postgres') await sql`alter table stream_counts set unlogged`.execute(db)
      for (const table of ['board', 'board_status']) {
        await db.schema
          .createTable(table)
          .addColumn('id', 'integer', (c) => c.primaryKey())
          .addColumn('epoch', whole, (c) => c.notNull())
          .addColumn('number', whole, (c) => c.notNull())
          .addColumn('written_at_ms', whole, (c) => c.notNull())
          .addColumn('form', 'integer', (c) => c.notNull())
          .addColumn('body', bytes, (c) => c.notNull())
          .execute()
        if (engine === 'postgres') await sql`alter table ${sql.table(table)} set unlogged`.execute(db)
      }
    },
  }
}
