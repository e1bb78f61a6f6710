import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { restoreBackup } from '../keeping/restoreBackup.ts'
import { dumpRows } from '../testing/keptRows.ts'
import { createTempStores, engines } from '../testing/tempStores.ts'
import { openServerStore } from './openStore.ts'
import type { StoreLocation } from './storeLocation.ts'
import { droppedColumns, droppedTables } from './tables.ts'

const stores = createTempStores()
const folder = resolve(import.meta.dirname, '../testing/releases')
const versions = readdirSync(folder).flatMap((name) => /^(.*)\.rows\.json$/.exec(name)?.[1] ?? [])
const nobody = () => undefined

type Rows = Readonly<Record<string, readonly object[]>>

/** Every row of then is there, whatever columns and tables were added since. */
async function findsEverything(location: StoreLocation, version: string): Promise<void> {
  const store = await openServerStore(location, nobody)
  const found = await dumpRows(store)
  await store.close()
  const wanted = JSON.parse(readFileSync(join(folder, `${version}.rows.json`), 'utf8')) as Rows
  for (const [table, rows] of Object.entries(wanted)) {
    if (droppedTables.some((dropped) => dropped === table)) continue
    expect(found[table], table).toHaveLength(rows.length)
    expect(found[table], table).toEqual(
      expect.arrayContaining(rows.map((row) => expect.objectContaining(withoutDropped(table, row)))),
    )
  }
}

function withoutDropped(table: string, row: object): object {
  const dropped = droppedColumns[table] ?? []
  return Object.fromEntries(Object.entries(row).filter(([name]) => !dropped.includes(name)))
}

it('there is a store of the first release', () => {
  expect(versions).toContain('0.1.0')
})

describe.each(versions)('data of version %s', (version) => {
  it('is opened and upgraded by today’s program, and nothing of it is lost', async () => {
    const file = join(stores.dir, version, 'chainboard.db')
    mkdirSync(join(stores.dir, version))
    writeFileSync(file, gunzipSync(readFileSync(join(folder, `${version}.db.gz`))))
    await findsEverything({ file }, version)
  })

  it.each(engines)('as a backup is restored on %s, and nothing of it is lost', async (engine) => {
    const location = await stores.locate(engine)
    const signal = new AbortController().signal
    await restoreBackup(join(folder, `${version}.backup`), {
      location,
      network: 'devnet',
      replace: false,
      pepper: 'unchecked',
      nowMs: 0,
      onCheck: nobody,
      onProgress: nobody,
      signal,
    })
    await findsEverything(location, version)
  })
})
