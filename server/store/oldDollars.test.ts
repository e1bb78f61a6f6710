import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { createTempStores, engines } from '../testing/tempStores.ts'
import { addOldDollars } from './migrations/0013-old-dollars.ts'
import { askAgain, deleteOldDollarsAfter, describeOldDollars, findAsked, keepAsked, listOldDollars } from './oldDollars.ts'
import type { Store } from './store.ts'
import { setCursor } from './syncCursor.ts'

const stores = createTempStores()

type Span = readonly [from: number, to: number, method: number]

const put = (store: Store, spans: readonly Span[]) =>
  store.write(async (tx) => {
    await tx.deleteFrom('old_dollars').execute()
    for (const [from_block, to_block, method] of spans)
      await tx.insertInto('old_dollars').values({ from_block, to_block, method }).execute()
  })

const list = async ({ read }: Store): Promise<Span[]> =>
  (await read.selectFrom('old_dollars').selectAll().orderBy('from_block').execute()).map((row) => [
    row.from_block,
    row.to_block,
    row.method,
  ])

describe.each(engines)('old dollars (%s)', (engine) => {
  it('go with the blocks that a reorg takes', async () => {
    const store = await stores.openNew(engine)
    const spans = [
      [0, 99, 1],
      [100, 200, 0],
    ] as const
    for (const [ancestor, left] of [
      [200, spans],
      [150, [spans[0], [100, 150, 0]]],
      [100, [spans[0], [100, 100, 0]]],
      [99, [spans[0]]],
      [40, [[0, 40, 1]]],
    ] as const) {
      await put(store, spans)
      await store.write((tx) => deleteOldDollarsAfter(tx, ancestor))
      expect(await list(store)).toEqual(left)
    }
  })

  it('that are asked for end with the newest block, and take in what comes after them', async () => {
    const store = await stores.openNew(engine)
    await put(store, [
      [0, 50, 1],
      [60, 80, 1],
    ])
    expect(await store.write((tx) => askAgain(tx, 40, 100))).toBe(40)
    expect(await list(store)).toEqual([
      [0, 39, 1],
      [40, 100, 0],
    ])
    // One that begins later is in it already; one that begins earlier begins again.
    expect(await store.write((tx) => askAgain(tx, 70, 110))).toBe(40)
    expect(await list(store)).toEqual([
      [0, 39, 1],
      [40, 110, 0],
    ])
    expect(await store.write((tx) => askAgain(tx, 0, 110))).toBe(0)
    expect(await list(store)).toEqual([[0, 110, 0]])
    await store.write((tx) => keepAsked(tx, { fromBlock: 30, toBlock: 112, isWrong: false }))
    expect(await findAsked(store.read)).toEqual({ fromBlock: 30, toBlock: 112, method: undefined, isWrong: false })
    await store.write((tx) => keepAsked(tx, undefined))
    expect(await listOldDollars(store.read)).toEqual([])
  })

  it('stay marked as wrong until they are valued again, also when somebody else asks for that', async () => {
    const store = await stores.openNew(engine)
    await store.write((tx) => askAgain(tx, 40, 100, true))
    await store.write((tx) => askAgain(tx, 20, 110))
    expect(await findAsked(store.read)).toEqual({ fromBlock: 20, toBlock: 110, method: undefined, isWrong: true })
    await store.write((tx) => askAgain(tx, 60, 110))
    await store.write((tx) => deleteOldDollarsAfter(tx, 105))
    await store.write((tx) => keepAsked(tx, { fromBlock: 50, toBlock: 105, isWrong: true }))
    expect(await findAsked(store.read)).toEqual({ fromBlock: 50, toBlock: 105, method: undefined, isWrong: true })
    await store.write((tx) => keepAsked(tx, undefined))
    expect(await list(store)).toEqual([])
  })

  it('are all those of an index made before there were methods', async () => {
    const store = await stores.openNew(engine)
    const upgrade = () =>
      store.write(async (tx) => {
        await sql`drop table old_dollars`.execute(tx)
        await addOldDollars(engine).up(tx)
      })
    await upgrade()
    expect(await list(store)).toEqual([])
    await store.write((tx) => setCursor(tx, { identity: 'mine', block: undefined }))
    await upgrade()
    expect(await list(store)).toEqual([])
    await store.write((tx) => setCursor(tx, { identity: 'mine', block: { number: 812, hash: '0xab', timestampSeconds: 9 } }))
    await upgrade()
    expect(await list(store)).toEqual([[0, 812, 1]])
    expect(describeOldDollars(await listOldDollars(store.read))).toBe(
      'The stored dollars of blocks 0 to 812 use an older method than this version (method 8). To revalue them, run: npm run revalue',
    )
  })
})

it('that are being valued again are no news to the operator', () => {
  expect(describeOldDollars([{ fromBlock: 0, toBlock: 9, method: undefined, isWrong: false }])).toBeUndefined()
})
