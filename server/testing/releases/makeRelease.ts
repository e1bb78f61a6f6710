// `node server/testing/releases/makeRelease.ts`: keeps a small store of the schema as it is, for the version in package.json, as
// an SQLite file, a backup and the rows as JSON. Run it once for each release, on the released commit; never for a released one again.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { gzipSync } from 'node:zlib'
import { writeBackup } from '../../keeping/writeBackup.ts'
import { openStore } from '../../store/openStore.ts'
import { rows as indexRows, insertRows } from '../graphFixture.ts'
import { dumpRows, keptRows } from '../keptRows.ts'

const { version } = JSON.parse(readFileSync(resolve(import.meta.dirname, '../../../package.json'), 'utf8')) as { version: string }
const place = resolve(import.meta.dirname, version)
if (existsSync(`${place}.rows.json`)) throw new Error(`${version} is there already`)

const draft = `${place}.draft.db`
const store = await openStore({ file: draft })
await insertRows(store, { ...keptRows, ...indexRows })
await writeBackup(store, `${place}.backup`, {
  network: 'devnet',
  withIndex: true,
  overwrite: false,
  nowMs: Date.now(),
  onProgress: () => undefined,
  signal: new AbortController().signal,
})
writeFileSync(`${place}.rows.json`, `${JSON.stringify(await dumpRows(store))}\n`)
await store.close()
const db = new DatabaseSync(draft)
db.exec('pragma journal_mode = delete; pragma page_size = 512; vacuum')
db.close()
// Mostly empty pages: packed, it is a tenth.
writeFileSync(`${place}.db.gz`, gzipSync(readFileSync(draft), { level: 9 }))
rmSync(draft)
