import { describe, expect, it } from 'vitest'
import { createTempStores, engines } from '../testing/tempStores.ts'
import { createInsert, inSlices } from './rows.ts'

const stores = createTempStores()

const rows = Array.from({ length: 250 }, (_, i) => i)

/** Inserts that end when they are told to. */
function openInserts() {
  const begun: { readonly first: number; readonly end: (error?: Error) => void }[] = []
  const insert = (slice: number[]) =>
    new Promise<void>((resolve, reject) => {
      begun.push({ first: slice[0] as number, end: (error) => (error ? reject(error) : resolve()) })
    })
  const turn = () => new Promise((done) => setImmediate(done))
  return { begun, insert, turn }
}

it('begins a slice while the one before is under way, and no more', async () => {
  const { begun, insert, turn } = openInserts()
  const done = inSlices(rows, insert)
  await turn()
  expect(begun.map(({ first }) => first)).toEqual([0, 100])
  begun[0]?.end()
  await turn()
  expect(begun.map(({ first }) => first)).toEqual([0, 100, 200])
  for (const { end } of begun) end()
  await done
})

it('fails with the first failure, and only when nothing is under way any more', async () => {
  const { begun, insert, turn } = openInserts()
  let failure: unknown
  const done = inSlices(rows, insert).catch((error: unknown) => {
    failure = error
  })
  await turn()
  begun[0]?.end(new Error('the disk is full'))
  await turn()
  expect(failure).toBeUndefined()
  begun[1]?.end(new Error('the transaction is over'))
  await done
  expect(failure).toEqual(new Error('the disk is full'))
  expect(begun).toHaveLength(2)
})

it('fails with the failure of the last slice, too, and inserts nothing of nothing', async () => {
  const insert = async (slice: number[]) => {
    if (slice[0] === 200) throw new Error('the disk is full')
  }
  await expect(inSlices(rows, insert)).rejects.toThrow('the disk is full')
  await inSlices([], () => Promise.reject(new Error('was called')))
})

it('takes few lengths for many rows, where it is told them', async () => {
  const lengthsOf = async (count: number) => {
    const seen: number[] = []
    await inSlices(rows.slice(0, count), async (slice) => void seen.push(slice.length), [100, 50, 20])
    return seen
  }
  expect(await lengthsOf(250)).toEqual([100, 100, 50])
  expect(await lengthsOf(199)).toEqual([100, 50, 20, 20, 9])
  expect(await lengthsOf(19)).toEqual([19])
  expect(await lengthsOf(0)).toEqual([])
})

describe.each(engines)('rows added with a statement that is kept (%s)', (engine) => {
  const add = createInsert({ table: 'blocks', key: ['number'] })
  const replace = createInsert({ table: 'blocks', key: ['number'], replace: ['hash'] })
  const insert = createInsert({ table: 'blocks' })
  const toRows = (hash: string, numbers: readonly number[]) =>
    numbers.map((number) => ({ number, hash: `0x${hash}${number}` as const, timestamp: 1_000 + number }))

  it('are those given, each in its columns, whatever was added before', async () => {
    const store = await stores.openNew(engine)
    const numbers = rows.slice(0, 123)
    await store.write((tx) => insert(tx, toRows('a', numbers)))
    await store.write((tx) => insert(tx, toRows('b', [500, 501, 502])))
    await store.write((tx) => insert(tx, [{ timestamp: 7, hash: '0xc', number: 600 }]))
    // The columns in another order than in the row before.
    await store.write((tx) => insert(tx, [{ number: 601, timestamp: 8, hash: '0xd' }]))
    await store.write((tx) => insert(tx, []))
    const stored = await store.read.selectFrom('blocks').selectAll().orderBy('number').execute()
    expect(stored).toHaveLength(128)
    expect(stored[122]).toEqual({ number: 122, hash: '0xa122', timestamp: 1_122 })
    expect(stored.slice(-3)).toEqual([
      { number: 502, hash: '0xb502', timestamp: 1_502 },
      { number: 600, hash: '0xc', timestamp: 7 },
      { number: 601, hash: '0xd', timestamp: 8 },
    ])
  })

  it('leave or replace what is there, or fail, as the table wants it', async () => {
    const store = await stores.openNew(engine)
    await store.write((tx) => insert(tx, toRows('a', [1, 2])))
    await store.write((tx) => add(tx, toRows('b', [2, 3])))
    const listHashes = async () =>
      (await store.read.selectFrom('blocks').select('hash').orderBy('number').execute()).map(({ hash }) => hash)
    expect(await listHashes()).toEqual(['0xa1', '0xa2', '0xb3'])
    await store.write((tx) => replace(tx, [{ number: 2, hash: '0xc2', timestamp: 0 }]))
    expect(await listHashes()).toEqual(['0xa1', '0xc2', '0xb3'])
    // What is not named stays.
    expect(await store.read.selectFrom('blocks').select('timestamp').where('number', '=', 2).execute()).toEqual([
      { timestamp: 1_002 },
    ])
    await expect(store.write((tx) => insert(tx, toRows('d', [3])))).rejects.toThrow()
  })
})
