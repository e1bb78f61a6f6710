import { Failure } from '@chainboard/core'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { dumpIndex } from '../testing/dumpIndex.ts'
import { createTempStores, engines } from '../testing/tempStores.ts'
import { dropAsideIndex, listAsideIndexes, putIndexBack, setIndexAside } from './asideIndexes.ts'
import { insertBlocks } from './blocks.ts'
import type { Store } from './store.ts'
import { setCursor } from './syncCursor.ts'

const stores = createTempStores()

const blockOf = (number: number) => ({ number, hash: `0x${number}` as const, timestampSeconds: 1_700_000_000 + number })

async function fill(store: Store, identity: string, blocks: readonly number[]): Promise<void> {
  await store.write(async (tx) => {
    await insertBlocks(tx, blocks.map(blockOf))
    await setCursor(tx, { identity, block: blockOf(blocks.at(-1) as number) })
  })
}

/** The statements that make all indexes, by name, as the database has them. */
async function listDatabaseIndexes(store: Store): Promise<unknown> {
  const query =
    store.engine === 'sqlite'
      ? sql`select name, sql from sqlite_master where type = 'index' order by name`
      : sql`select indexname, indexdef from pg_indexes where schemaname = current_schema() order by indexname`
  return (await query.execute(store.read)).rows
}

describe.each(engines)('an index that is set aside (%s)', (engine) => {
  it('leaves an empty one, and comes back as it was, in exchange for the one in its place', async () => {
    const store = await stores.openNew(engine)
    const indexesBefore = await listDatabaseIndexes(store)
    await fill(store, 'celo', [1, 2, 3])
    const celo = await dumpIndex(store)
    expect(await store.write((tx) => setIndexAside(store, tx, 1_800_000_000))).toBe(1)
    expect((await dumpIndex(store)).cursor).toEqual([])
    await fill(store, 'other', [7])
    const other = await dumpIndex(store)
    expect(await listAsideIndexes(store.read)).toEqual([
      { number: 1, identity: 'celo', block: 3, setAsideAtSeconds: 1_800_000_000 },
    ])

    expect(await putIndexBack(store, 1, 1_800_000_100)).toBe(2)
    expect(await dumpIndex(store)).toEqual(celo)
    expect(await listAsideIndexes(store.read)).toEqual([
      { number: 2, identity: 'other', block: 7, setAsideAtSeconds: 1_800_000_100 },
    ])
    expect(await putIndexBack(store, 2, 1_800_000_200)).toBe(3)
    expect(await dumpIndex(store)).toEqual(other)

    await dropAsideIndex(store, 3)
    expect(await listAsideIndexes(store.read)).toEqual([])
    expect(await listDatabaseIndexes(store)).toEqual(indexesBefore)
  })

  it('is whole or not there: a failure in the middle leaves everything in its place', async () => {
    const store = await stores.openNew(engine)
    await fill(store, 'celo', [1, 2, 3])
    const celo = await dumpIndex(store)
    const write = store.write(async (tx) => {
      await setIndexAside(store, tx, 1_800_000_000)
      throw new Error('killed')
    })
    await expect(write).rejects.toThrow('killed')
    expect(await dumpIndex(store)).toEqual(celo)
  })

  it('an empty index is not set aside, and a number that no index has is named', async () => {
    const store = await stores.openNew(engine)
    expect(await store.write((tx) => setIndexAside(store, tx, 1_800_000_000))).toBe(undefined)
    await expect(putIndexBack(store, 4, 1_800_000_000)).rejects.toThrow(
      new Failure('not-found', 'No index was set aside under the number 4'),
    )
  })
})
