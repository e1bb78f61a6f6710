import { createHash } from 'node:crypto'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { Failure } from '@chainboard/core'
import { findForeignMigration, knownMigrations, readMigrations } from '../store/migrateStore.ts'
import { findPepperMark } from '../store/pepperMark.ts'
import type { StoreReader, Tx } from '../store/store.ts'
import { findCursor } from '../store/syncCursor.ts'
import { countRows, listTables, readRows } from '../store/tableRows.ts'
import { type TableKind, tableKinds } from '../store/tables.ts'
import { type BackupEnd, type BackupHeader, type BackupTable, encodeRow, formatVersion } from './backupFormat.ts'
import { makeNewFile } from './newFile.ts'
import type { OnProgress } from './progress.ts'

/** By the names that a database has: those of other programs are none of ours. */
const kindOf: Readonly<Record<string, TableKind | undefined>> = tableKinds

/** Lines are handed on in pieces of about this size. */
const pieceLength = 64 * 1024

export type BackupOptions = {
  readonly network: string
  /** Without it the file has what exists nowhere else, and the chain is read again after a restore. */
  readonly withIndex: boolean
  /** Replaces a file of that name. */
  readonly overwrite: boolean
  readonly nowMs: number
  readonly onProgress: OnProgress
  readonly signal: AbortSignal
}

/**
 * Writes all rows of one moment to a file, while others go on writing. Memory stays the same whatever the size.
 * @returns the header of the file
 * @throws Failure `conflict` when the file is there, `store-foreign` for data of a newer version
 */
export async function writeBackup(store: StoreReader, file: string, options: BackupOptions): Promise<BackupHeader> {
  return makeNewFile(file, options.overwrite, (handle) =>
    store.readConsistently(async (tx) => {
      const header = await readHeader(tx, store.engine, options)
      const lines = writeLines(tx, store.engine, header, options)
      await pipeline(lines, createGzip(), (packed) => handle.writeFile(packed), { signal: options.signal })
      return header
    }),
  )
}

async function readHeader(tx: Tx, engine: StoreReader['engine'], options: BackupOptions): Promise<BackupHeader> {
  const migrations = await readMigrations(tx, engine)
  const foreign = findForeignMigration(migrations, knownMigrations)
  if (foreign) throw foreign
  if (migrations.length === 0) throw new Failure('store-foreign', 'The database is empty: there is nothing to back up.')
  const tables: BackupTable[] = []
  for (const [name, columns] of await listTables(tx, engine)) {
    const kind = kindOf[name]
    if (kind === 'kept' || (kind === 'index' && options.withIndex))
      tables.push({ name, columns, rows: await countRows(tx, name) })
  }
  const has = (table: string) => tables.some(({ name }) => name === table)
  const cursor = has('sync_cursor') ? await findCursor(tx) : undefined
  return {
    format: 'chainboard-backup',
    version: formatVersion,
    createdAt: new Date(options.nowMs).toISOString(),
    network: options.network,
    engine,
    migrations,
    withIndex: options.withIndex,
    index: cursor ? { identity: cursor.identity, block: cursor.block?.number ?? null } : null,
    pepperMark: (has('pepper_mark') && (await findPepperMark(tx))) || null,
    users: tables.find(({ name }) => name === 'users')?.rows ?? 0,
    tables,
  }
}

async function* writeLines(
  tx: Tx,
  engine: StoreReader['engine'],
  header: BackupHeader,
  { onProgress }: BackupOptions,
): AsyncGenerator<string> {
  const hash = createHash('sha256')
  const rowsTotal = header.tables.reduce((sum, { rows }) => sum + rows, 0)
  let rows = 0
  let piece = `${JSON.stringify(header)}\n`
  const take = () => {
    const taken = piece
    hash.update(taken)
    piece = ''
    return taken
  }
  for (const table of header.tables) {
    for await (const batch of readRows(tx, engine, table.name)) {
      for (const row of batch) {
        piece += `${encodeRow(row, table)}\n`
        if (piece.length >= pieceLength) yield take()
      }
      rows += batch.length
      onProgress({ table: table.name, rows, rowsTotal })
    }
  }
  yield take()
  yield `${JSON.stringify({ end: true, rows, sha256: hash.digest('hex') } satisfies BackupEnd)}\n`
}
