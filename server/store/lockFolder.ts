import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout } from 'node:timers/promises'
import { Failure } from '@chainboard/core'
import { openRemedy } from './describeOpenTrouble.ts'
import { makeFolder } from './makeFolder.ts'
import { findErrcode } from './sqlite/sqliteFault.ts'

/** What one process at a time has. */
export type StoreLock = { release(): Promise<void> }

export type LockOptions = {
  /** Whether no server at all may run on the database meanwhile; on a file none may in any case. */
  readonly isAlone: boolean
  /** Called when another process has the lock by then. */
  readonly onLost: (failure: Failure) => void
}

/** How long a server waits for one that is about to end. */
export const lockWaitMs = 3_000
/** Milliseconds between two tries for the lock. */
export const lockRetryMs = 100
/** A second server may begin as soon as it leads to another file. */
export const lockName = 'server.lock'
const busyCode = 5
const rubbish = 'stop the server that uses this folder, if any, and delete the file'
/** By SQLite's primary result codes. */
const lockRemedies: Readonly<Record<number, string>> = {
  11: rubbish,
  14: openRemedy,
  26: rubbish,
}

/**
 * Makes this process the only server on a folder. The lock is the operating system's, on the file `server.lock`: it ends with
 * its process, however that ends. `server.pid` only says who has it.
 * @throws Failure `store-in-use` when another process has it
 */
export async function lockFolder(folder: string): Promise<StoreLock> {
  makeFolder(folder)
  const pidFile = join(folder, 'server.pid')
  const lockFile = join(folder, lockName)
  const db = openLock(lockFile)
  try {
    const until = performance.now() + lockWaitMs
    while (!tryLock(db)) {
      if (performance.now() > until) throw inUse(folder, pidFile)
      await setTimeout(lockRetryMs)
    }
  } catch (error) {
    db.close()
    throw toLockFailure(error, lockFile)
  }
  writePid(pidFile)
  let held = true
  return {
    release: async () => {
      if (!held) return
      held = false
      // Before the lock: afterwards it may be the next server's.
      removePid(pidFile)
      db.close()
    },
  }
}

function openLock(lockFile: string): DatabaseSync {
  try {
    return new DatabaseSync(lockFile, { timeout: 0 })
  } catch (error) {
    throw toLockFailure(error, lockFile)
  }
}

/** What is wrong with the lock's own file; of a disk that is full or read-only, the error itself. */
function toLockFailure(error: unknown, lockFile: string): unknown {
  const remedy = lockRemedies[(findErrcode(error) ?? 0) & 0xff]
  if (!remedy || !(error instanceof Error)) return error
  const text = `The lock file ${lockFile} cannot be used (${error.message}): ${remedy}.`
  return new Failure('store-unavailable', text, { cause: error })
}

/** Without it the lock holds as well: whatever is in the way of it stays. */
function writePid(pidFile: string): void {
  try {
    writeFileSync(pidFile, `pid ${process.pid} on ${hostname()}, since ${new Date().toISOString()}\n`, { mode: 0o600 })
  } catch {
    // Another server then hears that the pid is unknown.
  }
}

function removePid(pidFile: string): void {
  try {
    rmSync(pidFile, { force: true })
  } catch {
    // It was not ours.
  }
}

/** A transaction that never writes: SQLite lets one process at a time begin it. */
function tryLock(db: DatabaseSync): boolean {
  try {
    db.exec('begin immediate')
    return true
  } catch (error) {
    if (findErrcode(error) === busyCode) return false
    throw error
  }
}

function inUse(folder: string, pidFile: string): Failure {
  let holder = 'its pid is unknown'
  try {
    holder = /^pid \d+ on \S+, since \S+$/.exec(readFileSync(pidFile, 'utf8').trim())?.[0] ?? holder
  } catch {
    // It has only just begun, or is about to end.
  }
  return new Failure(
    'store-in-use',
    `Another Chainboard server uses the folder ${folder} (${holder}). Stop that one, or set another DATA_DIR for this one.`,
  )
}
