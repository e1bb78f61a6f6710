import { type Stats, statSync } from 'node:fs'
import { Failure } from '@chainboard/core'

/**
 * Looks whether a path still leads to the file that it leads to now. SQLite writes on into a file that was moved or deleted, and
 * nobody finds there what is written from then on.
 * @returns to be called before each write; throws Failure `store-unavailable` while it does not
 */
export function createSameFile(file: string): () => void {
  const opened = find(file)
  return () => {
    const now = find(file)
    if (now && now.dev === opened?.dev && now.ino === opened.ino) return
    throw new Failure(
      'store-unavailable',
      'The database file was moved or deleted: put it back, or stop the server and restore a backup',
      { retryable: true, detail: { retryAfterSeconds: 5 } },
    )
  }
}

function find(file: string): Stats | undefined {
  return statSync(file, { throwIfNoEntry: false })
}
