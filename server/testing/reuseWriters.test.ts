import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { expect, it, vi } from 'vitest'
import { startWriter } from '../store/sqlite/writerThread.ts'
import { createTempStores } from './tempStores.ts'

const stores = createTempStores()
const numberOf = async (writer: ReturnType<typeof startWriter>) => (await writer.execute('select n from told', [])).rows

it('writes each file by a thread that knows nothing of the file before', async () => {
  const files = ['first.db', 'second.db'].map((name) => join(stores.dir, name))
  for (const [n, file] of files.entries()) {
    const writer = startWriter(file, 1_000)
    await writer.execute('create table told (n integer)', [])
    await writer.execute(`insert into told values (${n})`, [])
    expect(await numberOf(writer)).toEqual([{ n }])
    await writer.close()
  }
  expect(Worker).toHaveProperty('reusesWriters', true)
})

it('starts no thread for a store that is opened after another was closed', async () => {
  const started = vi.fn()
  process.on('worker', started)
  for (const name of ['third.db', 'fourth.db', 'fifth.db']) {
    const writer = startWriter(join(stores.dir, name), 1_000)
    await writer.execute('create table told (n integer)', [])
    await writer.close()
  }
  process.off('worker', started)
  expect(started.mock.calls.length).toBeLessThanOrEqual(1)
})
