import { existsSync, readdirSync } from 'node:fs'
import { copyFile, link, open, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { Failure } from '@chainboard/core'
import { migrateStore } from '../store/migrateStore.ts'
import { openStore } from '../store/openStore.ts'
import { openSqlite } from '../store/sqlite/openSqlite.ts'
import type { Db } from '../store/store.ts'
import { emptyWal, hasRows, listTables } from '../store/tableRows.ts'
import type { BackupHeader } from './backupFormat.ts'
import { checkColumns, checkCounts, fillTables, migrationsOf, type RestoreOptions } from './fillTables.ts'
import { syncFolder } from './newFile.ts'
import { isOwnRow } from './targetRows.ts'

const draftEnd = '.restoring'

/**
 * Makes a database beside the one that is there, and gives it the name at the end, in one step.
 * @returns where the old one is now, when it had rows
 */
export async function restoreToFile(
  target: string,
  file: string,
  header: BackupHeader,
  options: RestoreOptions,
): Promise<string | undefined> {
  const filled = await isFilled(target)
  if (filled && !options.replace) throw isThere(target)
  const draft = `${target}${draftEnd}`
  await removeDrafts(target)
  try {
    await fillDraft(draft, file, header, options)
    options.signal.throwIfAborted()
    const aside = filled ? `${target}.before-${new Date(options.nowMs).toISOString().replaceAll(/[-:]|\..*/g, '')}Z` : undefined
    await swap(draft, target, aside)
    return aside
  } finally {
    await removeDrafts(target)
  }
}

async function fillDraft(draft: string, file: string, header: BackupHeader, options: RestoreOptions): Promise<void> {
  const store = await openSqlite(draft, (db) => migrateStore(db, 'sqlite', migrationsOf(header, 'sqlite')))
  try {
    await checkColumns(store.read, 'sqlite', header)
    await fillTables(file, header, store.write, options)
    await checkCounts(store.read, header)
  } finally {
    await store.close()
  }
  await (await openStore({ file: draft })).close()
  const handle = await open(draft, 'r+')
  await handle.sync().finally(() => handle.close())
}

/**
 * Whether there is a database with rows that would be missed; a damaged one counts as such. It is opened, so that what is in
 * its WAL is in the file afterwards.
 * @throws Failure `store-in-use` when something else has it open
 */
async function isFilled(target: string): Promise<boolean> {
  if (!existsSync(target)) return false
  const store = await openSqlite(target, emptyWal).catch(() => undefined)
  if (!store) return true
  const filled = await hasMissedRows(store.read).finally(store.close)
  if (existsSync(`${target}-wal`)) throw new Failure('store-in-use', `Another program has ${target} open: close it first.`)
  return filled
}

async function hasMissedRows(db: Db): Promise<boolean> {
  for (const table of (await listTables(db, 'sqlite')).keys()) {
    if (!isOwnRow(table) && (await hasRows(db, table))) return true
  }
  return false
}

/** The old file keeps its name until the new one takes it, in one step. Of a damaged one, the WAL would spoil the new one. */
async function swap(draft: string, target: string, aside: string | undefined): Promise<void> {
  if (aside && existsSync(target)) await link(target, aside).catch(() => copyFile(target, aside))
  if (existsSync(`${target}-wal`)) await rename(`${target}-wal`, `${aside ?? target}.wal`)
  await rm(`${target}-shm`, { force: true })
  await rename(draft, target)
  await syncFolder(dirname(target))
}

/** Also those of a restore that was killed: the lock says that there is no other. */
async function removeDrafts(target: string): Promise<void> {
  const start = `${basename(target)}${draftEnd}`
  for (const name of readdirSync(dirname(target))) {
    if (name.startsWith(start)) await rm(join(dirname(target), name))
  }
}

function isThere(target: string): Failure {
  return new Failure(
    'conflict',
    `${target} has data already: restore into another DATA_DIR, or add --replace, which keeps it under another name.`,
  )
}
