import { Failure } from '@chainboard/core'
import { continueEpochs, readEpoch } from '../store/leadership.ts'
import { migrateStore, recordTables } from '../store/migrateStore.ts'
import type { Tx } from '../store/store.ts'
import { hasRows, listTables, moveTables } from '../store/tableRows.ts'
import { tableKinds } from '../store/tables.ts'
import type { BackupHeader } from './backupFormat.ts'
import { checkColumns, checkCounts, fillTables, migrationsOf, type RestoreOptions } from './fillTables.ts'
import { isOwnRow } from './targetRows.ts'

/**
 * Does everything in one transaction of the database.
 * @returns the schema where the tables of before are now, when they had rows
 */
export async function restoreToPostgres(
  databaseUrl: string,
  file: string,
  header: BackupHeader,
  options: RestoreOptions,
): Promise<string | undefined> {
  const { openPostgres } = await import('../store/openPostgres.ts')
  const store = openPostgres(databaseUrl)
  try {
    return await store.write(async (tx) => {
      const { aside, epoch } = await clear(tx, options)
      await migrateStore(tx, 'postgres', migrationsOf(header, 'postgres'))
      await checkColumns(tx, 'postgres', header)
      await fillTables(file, header, (work) => work(tx), options)
      await checkCounts(tx, header)
      await migrateStore(tx, 'postgres')
      await continueEpochs(tx, epoch)
      options.signal.throwIfAborted()
      return aside
    })
  } finally {
    await store.close()
  }
}

/** Takes our tables out of the way; those of others stay. @returns the schema that they are in now, and the epoch of the newest leader */
async function clear(
  tx: Tx,
  { replace, nowMs }: RestoreOptions,
): Promise<{ readonly aside: string | undefined; readonly epoch: number }> {
  const ours = [...(await listTables(tx, 'postgres')).keys()].filter((name) => name in tableKinds || recordTables.includes(name))
  let filled: string | undefined
  for (const table of ours) if (!isOwnRow(table) && (await hasRows(tx, table))) filled ??= table
  if (filled && !replace)
    throw new Failure(
      'conflict',
      `The database has data already, in table ${filled}: use an empty database, or add --replace, which moves it to another schema.`,
    )
  const aside = filled ? `chainboard_before_${new Date(nowMs).toISOString().replaceAll(/\D/g, '').slice(0, 14)}` : undefined
  const epoch = ours.includes('leadership') ? await readEpoch(tx) : 0
  await moveTables(tx, ours, aside)
  return { aside, epoch }
}
