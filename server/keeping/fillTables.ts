import { Failure } from '@chainboard/core'
import { migrationsFor } from '../store/migrations/index.ts'
import type { Db, Store, Tx } from '../store/store.ts'
import type { StoreLocation } from '../store/storeLocation.ts'
import { countRows, insertRows, listTables } from '../store/tableRows.ts'
import type { BackupHeader } from './backupFormat.ts'
import type { OnProgress } from './progress.ts'
import { readBackup } from './readBackup.ts'

export type RestoreOptions = {
  /** Where the rows go to. */
  readonly location: StoreLocation
  readonly network: string
  /** Sets aside what is there; without it, a database that has rows is left alone. */
  readonly replace: boolean
  /** By what the pepper of the place is recognised; undefined when it has none, `unchecked` to restore whatever it is. */
  readonly pepper: { readonly mark: string | undefined; readonly place: string } | 'unchecked'
  readonly nowMs: number
  readonly onProgress: OnProgress
  readonly onCheck: OnProgress
  readonly signal: AbortSignal
}

/** The migrations that the tables of a backup were made with. */
export function migrationsOf(header: BackupHeader, engine: Store['engine']) {
  return Object.fromEntries(Object.entries(migrationsFor(engine)).filter(([name]) => header.migrations.includes(name)))
}

/**
 * Writes the rows of a backup into its tables, which are empty and have the columns of its time.
 * @param write runs one batch in a transaction
 * @throws Failure `request-invalid` when a table has other columns
 */
export async function fillTables(
  file: string,
  header: BackupHeader,
  write: (work: (tx: Tx) => Promise<void>) => Promise<void>,
  { onProgress, signal }: Pick<RestoreOptions, 'onProgress' | 'signal'>,
): Promise<void> {
  const rowsTotal = header.tables.reduce((sum, table) => sum + table.rows, 0)
  let rows = 0
  await readBackup(file, async (table, batch) => {
    signal.throwIfAborted()
    await write((tx) => insertRows(tx, table.name, batch))
    rows += batch.length
    onProgress({ table: table.name, rows, rowsTotal })
  })
}

/** @throws Failure `request-invalid` when the backup has tables or columns that its migrations do not make */
export async function checkColumns(db: Db | Tx, engine: Store['engine'], header: BackupHeader): Promise<void> {
  const found = await listTables(db, engine)
  for (const { name, columns } of header.tables) {
    const there = found.get(name) ?? []
    const unknown = columns.find((column) => !there.includes(column))
    if (unknown === undefined && there.length === columns.length) continue
    throw new Failure(
      'request-invalid',
      `The backup does not match its own version: table ${name} has the columns ${columns.join(', ')}, expected ${there.join(', ') || 'none'}.`,
    )
  }
}

/** Rows are not there that were written: a bug, as the database says that they are. */
export class LostRows extends Error {}

/** @throws LostRows when not all rows are there */
export async function checkCounts(db: Db | Tx, header: BackupHeader): Promise<void> {
  for (const { name, rows } of header.tables) {
    const found = await countRows(db, name)
    if (found !== rows) throw new LostRows(`table ${name} has ${found} rows after the restore, expected ${rows}`)
  }
}
