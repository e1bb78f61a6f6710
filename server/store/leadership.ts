import { Failure } from '@chainboard/core'
import { sql } from 'kysely'
import type { Client } from 'pg'
import type { Db, Store, Tx } from './store.ts'

// Of several servers on one PostgreSQL one leads. Its number, the epoch, is one above that of the leader before it.

const theOnlyRow = 1
/** A leader's transaction that lasts longer than this after another server has the lock is of a process that hangs. */
const patienceMs = 1_000

/**
 * Makes the session that has the leader's lock the leader. From then on nothing is written in an earlier epoch: transactions of the leader
 * before, which may hang, are ended.
 * @param client the connection that has the lock
 * @returns the epoch
 */
export async function takeEpoch(client: Client, store: Store, holder: string): Promise<number> {
  const clearing = setInterval(() => void endBlockers(store.read, client).catch(() => undefined), patienceMs)
  try {
    const { rows } = await client.query<{ epoch: string }>(
      `update leadership set epoch = epoch + 1, holder = $1, since = extract(epoch from now())::bigint where id = ${theOnlyRow} returning epoch`,
      [holder],
    )
    return Number(rows[0]?.epoch)
  } finally {
    clearInterval(clearing)
  }
}

async function endBlockers(db: Db, client: Client): Promise<void> {
  const session = 'processID' in client ? Number(client.processID) : 0
  await sql`select pg_terminate_backend(blocker) from unnest(pg_blocking_pids(${session}::int)) as blocker`.execute(db)
}

/** For a tool that has the leader's lock: from then on nothing is written by a leader before. @returns its epoch, as that of a leader */
export async function passEpoch(tx: Tx): Promise<number> {
  const { epoch } = await tx
    .updateTable('leadership')
    .set((e) => ({ epoch: e('epoch', '+', 1), holder: 'a tool' }))
    .where('id', '=', theOnlyRow)
    .returning('epoch')
    .executeTakeFirstOrThrow()
  return epoch
}

/** For a restore: a leader of before, which may hang, writes nothing into recreated tables. @param epoch of the newest one */
export async function continueEpochs(tx: Tx, epoch: number): Promise<void> {
  await tx
    .updateTable('leadership')
    .set({ epoch: epoch + 1, holder: 'a restore' })
    .where('id', '=', theOnlyRow)
    .execute()
}

/** The epoch of the newest leader; 0 before the first. */
export async function readEpoch(db: Db | Tx): Promise<number> {
  const { epoch } = await db.selectFrom('leadership').select('epoch').where('id', '=', theOnlyRow).executeTakeFirstOrThrow()
  return epoch
}

/**
 * The fence of every transaction of a leader. It holds the epoch until the transaction ends: who leads next waits for that.
 * @throws Failure `store-in-use` when another server leads
 */
export async function holdEpoch(tx: Tx, epoch: number): Promise<void> {
  const row = await tx.selectFrom('leadership').select('epoch').where('id', '=', theOnlyRow).forShare().executeTakeFirst()
  if (row?.epoch !== epoch) throw new Failure('store-in-use', 'Another server leads now', { retryable: true, detail: { epoch } })
}

/** The name of the row of all price events of this database, in 8 hexadecimal digits: the same for every server. */
export async function readRun(db: Db | Tx): Promise<string> {
  const { run } = await db.selectFrom('leadership').select('run').where('id', '=', theOnlyRow).executeTakeFirstOrThrow()
  return run
}

/**
 * The store as a leader may use it: whatever it writes is written in its epoch, or not at all.
 * @param onLost called when something was not
 */
export function toLeadStore(store: Store, epoch: number, onLost: () => void): Store {
  const fenced =
    (own: Store): Store['write'] =>
    (work) =>
      own.write(async (tx) => {
        await holdEpoch(tx, epoch).catch((error: unknown) => {
          if (error instanceof Failure && error.code === 'store-in-use') onLost()
          throw error
        })
        return work(tx)
      })
  const { forRequests } = store
  return { ...store, write: fenced(store), ...(forRequests && { forRequests: { ...forRequests, write: fenced(forRequests) } }) }
}
