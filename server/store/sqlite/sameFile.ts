import { type Stats, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { Failure, findErrorCode } from '@chainboard/core'
import { lockName } from '../lockFolder.ts'

/** SQLite keeps them beside a file that is open: what was written lately is in the first alone. */
const besides = ['-wal', '-shm']
const lostSqliteText = 'the server exits to keep what it wrote. Restart it'
const lostLockText = 'the server exits before a second one starts on the new file. Restart it'

/**
 * Looks whether a path still leads to the file that it leads to now. SQLite writes on into files that were moved or deleted, and nobody
 * finds there what is written from then on.
 * @param onLost called once when a file beside it is gone: only closing the database saves what SQLite has there, and without
 * the lock's file others may write
 * @returns to be called before each write; throws Failure `store-unavailable` while it does not
 */
export function createSameFile(file: string, onLost: (failure: Failure) => void): () => void {
  const opened = find(file)
  const paths = [
    ...besides.map((end) => [`${file}${end}`, lostSqliteText] as const),
    [join(dirname(file), lockName), lostLockText] as const,
  ]
  const beside = new Map<string, Stats>()
  let lost: Failure | undefined
  return () => {
    if (!isSame(find(file), opened))
      throw new Failure(
        'store-unavailable',
        'The database file was moved or deleted: put it back, or stop the server and restore a backup',
        { retryable: true, detail: { retryAfterSeconds: 5 } },
      )
    for (const [path, text] of paths) {
      const now = find(path)
      const before = beside.get(path)
      if (!before && now) beside.set(path, now)
      if (!before || isSame(now, before) || lost) continue
      lost = new Failure('store-unavailable', `The file ${basename(path)} of the database was moved or deleted: ${text}`, {
        retryable: true,
        detail: { retryAfterSeconds: 5 },
      })
      onLost(lost)
    }
    if (lost) throw lost
  }
}

const isSame = (a: Stats | undefined, b: Stats | undefined) => a !== undefined && a.dev === b?.dev && a.ino === b.ino

/** @throws Failure `store-unavailable` for a folder that may not be entered, and a disk that does not answer: nobody knows then */
function find(file: string): Stats | undefined {
  try {
    return statSync(file, { throwIfNoEntry: false })
  } catch (error) {
    throw new Failure(
      'store-unavailable',
      `The database file cannot be reached (${findErrorCode(error)}): the server's user must be able to enter its folder`,
      { retryable: true, detail: { retryAfterSeconds: 5 }, cause: error },
    )
  }
}
