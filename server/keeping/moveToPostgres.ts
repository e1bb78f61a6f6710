import { rm } from 'node:fs/promises'
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
    // One that was left by a killed run is replaced.
    const writing = writeBackup(store, file, { network, nowMs, signal, withIndex: true, overwrite: true, onProgress: onRead })
    await explained(source, () => writing).finally(() => store.close())
    return await restoreBackup(file, { ...options, location: { databaseUrl } })
  } finally {
    await rm(file, { force: true })
    await lock.release()
  }
}
