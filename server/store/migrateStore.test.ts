import { fork } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createTempStores, engines } from '../testing/tempStores.ts'
import { findForeignMigration } from './migrateStore.ts'
import { openServerStore } from './openStore.ts'
import type { StoreLocation } from './storeLocation.ts'
import { listTables } from './tableRows.ts'

const stores = createTempStores()
const script = resolve(import.meta.dirname, '../testing/halfMigration.ts')

async function killInTheMiddle(location: StoreLocation): Promise<void> {
  const child = fork(script, [JSON.stringify(location)])
  await once(child, 'message')
  child.kill('SIGKILL')
  await once(child, 'exit')
}

describe.each(engines)('migrations on %s killed in the middle', (engine) => {
  it('leave an empty database empty; the next start makes all tables', async () => {
    const location = await stores.locate(engine)
    await killInTheMiddle(location)
    const store = await openServerStore(location, () => undefined)
    const tables = await listTables(store.read, engine)
    await store.close()
    expect(tables.has('half_made')).toBe(false)
    // SQLite has a table more, which shortens addresses.
    expect(tables.size).toBe(engine === 'sqlite' ? 62 : 61)
  })

  it('leave the rows of before as they were', async () => {
    const location = await stores.locate(engine)
    const before = await stores.open(location)
    const ann = { id: '1', key: 'ann', username: 'Ann', pin_hash: 'x', created_at: 1 }
    await before.write((tx) => tx.insertInto('users').values(ann).execute())
    await before.close()
    await killInTheMiddle(location)
    const store = await openServerStore(location, () => undefined)
    const users = await store.read.selectFrom('users').selectAll().execute()
    await store.close()
    expect(users).toEqual([ann])
  })
})

it.each([
  [[], undefined],
  [['1', '2'], undefined],
  [['1', '2', '3'], undefined],
  [['1', '2', '3', '4'], 'written by a newer version of Chainboard (migration 4)'],
  [['1', '9'], 'written by a newer version of Chainboard (migration 9)'],
  [['1', '3'], 'lacks 2'],
  [['2'], 'lacks 1'],
])('after migrations %j of 1, 2 and 3: %s', (done, words) => {
  const failure = findForeignMigration(done, ['1', '2', '3'])
  if (words) expect(failure?.message).toContain(words)
  else expect(failure).toBeUndefined()
})
