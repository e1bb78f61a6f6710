import { setTimeout } from 'node:timers/promises'
import type { Client } from 'pg'
import {
  connectForLocks,
  endConnection,
  type Holder,
  inUse,
  leadKey,
  makeSessionName,
  presenceKey,
  tryLock,
} from './lockConnection.ts'
import { type LockOptions, lockRetryMs, lockWaitMs, type StoreLock } from './lockFolder.ts'

const retakeEveryMs = 1_000
/** How often the lock's connection is asked whether it is there: a way that forgets idle connections tells neither end. */
const beatEveryMs = 5_000

/**
 * For a tool: makes this process the only one that writes the index of a PostgreSQL database, by an advisory lock on a connection of its
 * own. When that connection is lost, it is made again and the lock is taken back. Servers elect their leader by the same lock
 * (`electLeader.ts`).
 * @param isAlone whether no server may run at all meanwhile, not even one that only serves
 * @param onLost called when another process has the lock by then
 * @throws Failure `store-in-use` when another process has it
 */
export async function lockDatabase(databaseUrl: string, { isAlone, onLost }: LockOptions): Promise<StoreLock> {
  const name = makeSessionName()
  const ending = new AbortController()
  let client: Client | undefined
  let retaking: Promise<void> | undefined

  const take = async (): Promise<Holder | undefined> => {
    const next = await connectForLocks(databaseUrl, name)
    const holder = await tryLocks(next, isAlone ? [leadKey, presenceKey] : [leadKey]).catch(async (error: unknown) => {
      await endConnection(next)
      throw error
    })
    if (holder) {
      // Our own lost connection, which the database has not noticed yet.
      if (holder.name === name) await next.query('select pg_terminate_backend($1)', [holder.pid]).catch(() => undefined)
      await endConnection(next)
      return holder
    }
    client = next
    const gone = new AbortController()
    next.once('end', () => {
      gone.abort()
      client = undefined
      if (!ending.signal.aborted) retaking = retake()
    })
    void beat(next, AbortSignal.any([gone.signal, ending.signal]))
    return undefined
  }
  const beat = async (held: Client, signal: AbortSignal) => {
    while (!signal.aborted) {
      await setTimeout(beatEveryMs, undefined, { signal }).catch(() => undefined)
      if (!signal.aborted) await held.query('select 1').catch(() => endConnection(held))
    }
  }
  const retake = async () => {
    while (!ending.signal.aborted) {
      const holder = await take().catch(() => 'away' as const)
      if (holder === undefined) return
      if (holder !== 'away' && holder.name !== name) return onLost(inUse(databaseUrl, holder))
      await setTimeout(retakeEveryMs, undefined, { signal: ending.signal }).catch(() => undefined)
    }
  }

  const until = performance.now() + lockWaitMs
  for (let holder = await take(); holder; holder = await take()) {
    if (performance.now() > until) throw inUse(databaseUrl, holder)
    await setTimeout(lockRetryMs)
  }
  return {
    release: async () => {
      ending.abort()
      await retaking
      if (client) await endConnection(client)
    },
  }
}

async function tryLocks(client: Client, keys: readonly string[]): Promise<Holder | undefined> {
  for (const key of keys) {
    const holder = await tryLock(client, key)
    if (holder) return holder
  }
  return undefined
}
