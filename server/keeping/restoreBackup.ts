import { Failure } from '@chainboard/core'
import { findForeignMigration, knownMigrations } from '../store/migrateStore.ts'
import { explained, lockStore } from '../store/openStore.ts'
import type { BackupHeader } from './backupFormat.ts'
import type { RestoreOptions } from './fillTables.ts'
import { readBackup, readHeader } from './readBackup.ts'
import { restoreToFile } from './restoreToFile.ts'
import { restoreToPostgres } from './restoreToPostgres.ts'

export type Restored = {
  readonly header: BackupHeader
  /** Where what was there before is now: a file, or a schema of the database. */
  readonly setAside: string | undefined
}

/**
 * Puts the rows of a backup into a database of either engine, all of them or none: whatever ends the process before the last
 * step leaves what was there.
 * @throws Failure `request-invalid` for a file that is not whole or of another network, `store-foreign` for one of a newer
 *   version, `config-invalid` for a pepper that does not fit, `store-in-use`, and `conflict` when there are rows already
 */
export async function restoreBackup(file: string, wanted: RestoreOptions): Promise<Restored> {
  const header = await readHeader(file)
  const refusal = findRefusal(header, wanted)
  if (refusal) throw refusal
  const lost = new AbortController()
  const options = { ...wanted, signal: AbortSignal.any([wanted.signal, lost.signal]) }
  const lock = await lockStore(options.location, { isAlone: true, onLost: (failure) => lost.abort(failure) })
  try {
    await checkBackup(file, header, options)
    const setAside = await explained(options.location, async () => {
      if ('file' in options.location) return restoreToFile(options.location.file, file, header, options)
      return restoreToPostgres(options.location.databaseUrl, file, header, options)
    })
    return { header, setAside }
  } finally {
    await lock.release()
  }
}

/** What speaks against restoring this backup here, before anything is touched. */
function findRefusal(header: BackupHeader, { network, pepper }: RestoreOptions): Failure | undefined {
  const foreign = findForeignMigration(header.migrations, knownMigrations)
  if (foreign)
    return new Failure(
      'store-foreign',
      `The backup was made by a newer version of Chainboard (migration ${header.migrations.at(-1)}): restore it with that version.`,
    )
  if (header.network !== network)
    return new Failure(
      'request-invalid',
      `The backup is of the network ${header.network}, and this is ${network}: set NETWORK=${header.network}.`,
    )
  if (pepper === 'unchecked' || header.users === 0 || pepper.mark === header.pepperMark) return undefined
  const why = pepper.mark === undefined ? 'it is missing' : 'it is a different one'
  return new Failure(
    'config-invalid',
    `The backup has ${header.users} users, and their PINs need the pepper they were made with, but ${why} (${pepper.place}). Put the right one there or into PIN_PEPPER first. --without-pepper restores everything, but then no user can sign in.`,
  )
}

/** Reads all of the file once, so that a damaged one changes nothing. */
async function checkBackup(file: string, header: BackupHeader, { onCheck, signal }: RestoreOptions): Promise<void> {
  const rowsTotal = header.tables.reduce((sum, table) => sum + table.rows, 0)
  let rows = 0
  await readBackup(file, async (table, batch) => {
    signal.throwIfAborted()
    rows += batch.length
    onCheck({ table: table.name, rows, rowsTotal })
  })
}
