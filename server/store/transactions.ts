import { noEnd } from './rows.ts'
import type { Db, Tx } from './store.ts'

// When and where anything happened to a pool: a transaction is what its events say.

/** Where an event of a pool is. */
type When = { readonly block_number: number; readonly timestamp: number }

/** Events of either kind. */
const eventTables = ['swaps', 'pool_events'] as const

/** Time of the last event until a block; undefined when there was none. */
export async function findLastEventTime(db: Db | Tx, blockNumber: number): Promise<number | undefined> {
  const last = await findOfBoth((table) =>
    db
      .selectFrom(table)
      .select(['block_number', 'timestamp'])
      .where('block_number', '<=', blockNumber)
      .orderBy('block_number', 'desc')
      .limit(1)
      .executeTakeFirst(),
  )
  return last.at(-1)?.timestamp
}

/** The first event after a block; undefined when there is none. */
export async function findNextEvent(
  db: Db | Tx,
  blockNumber: number,
): Promise<{ blockNumber: number; timestampSeconds: number } | undefined> {
  const [next] = await findOfBoth((table) =>
    db
      .selectFrom(table)
      .select(['block_number', 'timestamp'])
      .where('block_number', '>', blockNumber)
      .where('block_number', '<', noEnd)
      .orderBy('block_number')
      .limit(1)
      .executeTakeFirst(),
  )
  return next && { blockNumber: next.block_number, timestampSeconds: next.timestamp }
}

/** The last block with an event before a moment; undefined when there is none. */
export async function findLastBlockBefore(db: Db | Tx, beforeSeconds: number): Promise<number | undefined> {
  const last = await findOfBoth((table) =>
    db
      .selectFrom(table)
      .select(['block_number', 'timestamp'])
      .where('timestamp', '<', beforeSeconds)
      .orderBy('timestamp', 'desc')
      .orderBy('block_number', 'desc')
      .limit(1)
      .executeTakeFirst(),
  )
  return last.at(-1)?.block_number
}

/** What there is of each kind, in the order of the chain. */
async function findOfBoth(find: (table: (typeof eventTables)[number]) => Promise<When | undefined>): Promise<When[]> {
  const found: When[] = []
  for (const table of eventTables) found.push(...[await find(table)].flatMap((row) => row ?? []))
  return found.sort((a, b) => a.block_number - b.block_number)
}
