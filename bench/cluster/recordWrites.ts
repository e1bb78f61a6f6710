import type { Client } from 'pg'
import { readNumber } from './servers.ts'

/** What a leader alone may write. */
const tables = [
  'sync_cursor',
  'swaps',
  'pool_events',
  'pools',
  'tokens',
  'blocks',
  'board_steps',
  'board_status',
  'credits',
  'boost_cursor',
]

/** Notes who writes what a leader alone may, and in which epoch; and who began which epoch: the database itself knows. */
export async function recordWrites(client: Client): Promise<void> {
  await client.query('create table trial_writes (who text not null, epoch bigint not null)')
  await client.query('create table trial_leaders (holder text not null, epoch bigint not null)')
  await client.query(
    `create function note_write() returns trigger language plpgsql as $$ begin
      insert into trial_writes select current_setting('application_name'), epoch from leadership; return null; end $$`,
  )
  await client.query(
    `create function note_leader() returns trigger language plpgsql as $$ begin
      insert into trial_leaders values (new.holder, new.epoch); return null; end $$`,
  )
  for (const table of tables)
    await client.query(
      `create trigger note_write after insert or update or delete on ${table} for each statement execute function note_write()`,
    )
  await client.query('create trigger note_leader after update on leadership for each row execute function note_leader()')
}

/** How often a server wrote what a leader may, in an epoch after this one. */
export function countWritesAfter(client: Client, name: string, epoch: number): Promise<number> {
  return readNumber(client, 'select count(*) from trial_writes where who = $1 and epoch > $2', [name, epoch])
}
