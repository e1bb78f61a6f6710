import { readdir, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { explained, lockStore, openBackupReader } from '../store/openStore.ts'
import type { RestoreOptions } from './fillTables.ts'
import type { OnProgress } from './progress.ts'
import { type Restored, restoreBackup } from './restoreBackup.ts'
import { writeBackup } from './writeBackup.ts'

export type MoveOptions = Omit<RestoreOptions, 'location'> & {
  /** The SQLite file. It stays as it is. */
  readonly from: string
  readonly databaseUrl: string
  /** While rows are read. */
  readonly onRead: OnProgress
}

/**
 * Moves all rows of a SQLite file to a PostgreSQL, by a backup beside the file that is removed afterwards. No server may run on either:
 * what it wrote meanwhile would be missing.
 * @throws Failure like `restoreBackup`; nothing is moved then
 */
export async function moveToPostgres({ from, databaseUrl, onRead, ...options }: MoveOptions): Promise<Restored> {
  const source = { file: from }
  const lock = await lockStore(source, { isAlone: true, onLost: () => undefined })
  const file = `${from}.moving`
  try {
    const store = await openBackupReader(source)
    const { network, nowMs, signal } = options
    await removeCopies(file)
    const writing = writeBackup(store, file, { network, nowMs, signal, withIndex: true, overwrite: true, onProgress: onRead })
    await explained(source, () => writing).finally(() => store.close())
    return await restoreBackup(file, { ...options, location: { databaseUrl } })
  } finally {
    await removeCopies(file).finally(lock.release)
  }
}

/** Also what runs that were killed have left, whole or not: each is as large as the data. The lock says that there is no other run. */
async function removeCopies(file: string): Promise<void> {
  const start = basename(file)
  for (const name of await readdir(dirname(file)))
    if (name === start || (name.startsWith(`${start}.`) && name.endsWith('.partial'))) await rm(join(dirname(file), name))
}
