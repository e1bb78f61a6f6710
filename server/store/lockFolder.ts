import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout } from 'node:timers/promises'
import { Failure } from '@chainboard/core'

/** What one process at a time has. */
export type StoreLock = { release(): Promise<void> }

/** How long a server waits for one that is about to end. */
export const lockWaitMs = 3_000
export const lockRetryMs = 100
const busyCode = 5

/**
 * Makes this process the only server on a folder. The lock is the operating system's, on the file `server.lock`: it ends with
 * its process, however that ends. `server.pid` only says who has it.
 * @throws Failure `store-in-use` when another process has it
 */
export async function lockFolder(folder: string): Promise<StoreLock> {
  mkdirSync(folder, { recursive: true })
  const pidFile = join(folder, 'server.pid')
  const db = new DatabaseSync(join(folder, 'server.lock'), { timeout: 0 })
  try {
    const until = performance.now() + lockWaitMs
    while (!tryLock(db)) {
      if (performance.now() > until) throw inUse(folder, pidFile)
      await setTimeout(lockRetryMs)
    }
    writeFileSync(pidFile, `pid ${process.pid} on ${hostname()}, since ${new Date().toISOString()}\n`, { mode: 0o600 })
  } catch (error) {
    db.close()
    throw error
  }
  let held = true
  return {
    release: async () => {
      if (!held) return
      held = false
      // Before the lock: afterwards it may be the next server's.
      rmSync(pidFile, { force: true })
      db.close()
    },
  }
}

/** A transaction that never writes: SQLite lets one process at a time begin it. */
function tryLock(db: DatabaseSync): boolean {
  try {
    db.exec('begin immediate')
    return true
  } catch (error) {
    if ((error as { errcode?: number }).errcode === busyCode) return false
    throw error
  }
}

function inUse(folder: string, pidFile: string): Failure {
  let holder = 'its pid is unknown'
  try {
    holder = readFileSync(pidFile, 'utf8').trim() || holder
  } catch {
    // It has only just begun, or is about to end.
  }
  return new Failure(
    'store-in-use',
    `Another Chainboard server uses the folder ${folder} (${holder}). Stop that one, or give this one a DATA_DIR of its own.`,
  )
}
