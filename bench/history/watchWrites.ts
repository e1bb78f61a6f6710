import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import type { StoreLocation } from '../../server/store/storeLocation.ts'

/** How long another writer has to wait for the store of a running server, at most. */
export type WriteWatch = {
  /** Milliseconds since the last call, or since the start. */
  takeLongest(): number
  /** Hash of the block that the index ends with. */
  readCursor(): Promise<string | null>
  stop(): Promise<void>
}

const everyMs = 2
const longestSql = `select coalesce(max(extract(epoch from clock_timestamp() - xact_start)) * 1000, 0) as held
  from pg_stat_activity where datname = current_database() and backend_xid is not null`
const cursorSql = 'select block_hash from sync_cursor'

/** SQLite: how long the lock of its one writer was taken. PostgreSQL: how old a transaction that wrote became. */
export async function watchWrites(location: StoreLocation): Promise<WriteWatch> {
  const probe = 'file' in location ? probeFile(location.file) : await probeDatabase(location.databaseUrl)
  let [longestMs, isStopped] = [0, false]
  const watching = (async () => {
    while (!isStopped) {
      longestMs = Math.max(longestMs, await probe.look())
      await sleep(everyMs)
    }
  })()
  return {
    takeLongest: () => {
      const taken = longestMs
      longestMs = 0
      return taken
    },
    readCursor: probe.readCursor,
    stop: async () => {
      isStopped = true
      await watching
      await probe.close()
    },
  }
}

function probeFile(file: string) {
  const db = new DatabaseSync(file, { timeout: 0 })
  let busySince: number | undefined
  return {
    look: async () => {
      const now = performance.now()
      try {
        db.exec('begin immediate; rollback')
      } catch (error) {
        if (!(error instanceof Error && 'errcode' in error && error.errcode === 5)) throw error
        busySince ??= now
        return now - busySince
      }
      const held = busySince === undefined ? 0 : now - busySince
      busySince = undefined
      return held
    },
    readCursor: async () => {
      const hash = db.prepare(cursorSql).get()?.['block_hash']
      return typeof hash === 'string' ? hash : null
    },
    close: async () => db.close(),
  }
}

async function probeDatabase(databaseUrl: string) {
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  return {
    look: async () => Number((await client.query<{ held: string }>(longestSql)).rows[0]?.held),
    readCursor: async () => (await client.query<{ block_hash: string | null }>(cursorSql)).rows[0]?.block_hash ?? null,
    close: () => client.end(),
  }
}
