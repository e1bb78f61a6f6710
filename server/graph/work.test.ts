import { beforeAll, describe, expect, it } from 'vitest'
import type { Store } from '../store/store.ts'
import { hash, insertRows, openTestGraph, rows } from '../testing/graphFixture.ts'
import { alphaPool, wrappedPool } from '../testing/market.ts'
import { createTempStores, engines } from '../testing/tempStores.ts'
import { isNestedTooDeep } from './checkDocument.ts'

const stores = createTempStores()
const tooMuch = 'The query would scan too much: query fewer lists, use fewer conditions and orders, or filter by id, pool or time'
const repeat = (count: number, make: (i: number) => string) => Array.from({ length: count }, (_, i) => make(i)).join(' ')

/** 3,000 more pools and 1,000 swaps in the first one, each of a transaction of its own. */
const fill = async (store: Store) => {
  const [pool, swap] = [rows.pools?.[0], rows.swaps?.[0]]
  await insertRows(store, {
    ...rows,
    pools: [
      ...(rows.pools ?? []),
      ...Array.from({ length: 3_000 }, (_, i) => ({
        ...(pool as NonNullable<typeof pool>),
        address: `0x${(i + 1).toString(16).padStart(40, '0')}` as const,
      })),
    ],
    swaps: Array.from({ length: 1_000 }, (_, i) => ({
      ...(swap as NonNullable<typeof swap>),
      pool: wrappedPool,
      block_number: i,
      log_index: i,
      tx_hash: `0x${i.toString(16).padStart(64, '0')}` as const,
    })),
  })
}

describe('what a list may look through', () => {
  let store: Store
  beforeAll(async () => {
    store = await stores.openNew('sqlite')
    await fill(store)
  })
  const open = () => openTestGraph(store, { lookedThroughMax: 1_000 })
  const swaps = (count: number, condition: string) =>
    `{ swaps(first: 1, where: { or: [${repeat(count, () => `{ ${condition} }`)}] }, orderBy: timestamp) { id } }`

  it('gets less with every condition that no index serves', async () => {
    expect(await open().errorsOf(swaps(1, 'amount0_gt: "1e40"'))).toEqual([])
    // 2,000 / (1 + 3) rows, of 1,000.
    expect((await open().errorsOf(swaps(3, 'amount0_gt: "1e40"')))[0]).toContain('more than 500 rows')
    expect((await open().errorsOf(swaps(199, 'tick: 7')))[0]).toContain('more than 10 rows')
  })

  it('gets less with every condition on the children of pools, and on known transactions', async () => {
    const or = `or: [${repeat(4, () => '{ tick: 7 }')}]`
    // Four conditions and the order: 2,000 / 6.
    expect(
      (
        await open().errorsOf(`{ pools(where: { id: "${wrappedPool}" }) { swaps(where: { ${or} }, orderBy: amount0) { id } } }`)
      )[0],
    ).toContain('more than 333 rows')
    const ids = Array.from({ length: 1_000 }, (_, i) => `0x${i.toString(16).padStart(64, '0')}`)
    const query = `query ($ids: [String!]) { swaps(where: { transaction_in: $ids, ${or} }) { id } }`
    expect((await open().errorsOf(query, { ids }))[0]).toContain('more than 400 rows')
  })

  it('is one sum for all lists of a query, in the database and in memory', async () => {
    const graph = openTestGraph(store)
    const pools = (count: number) => `pools(where: { or: [${repeat(count, () => '{ volumeUSD_gt: "1e40" }')}] }) { id }`
    expect(await graph.errorsOf(`{ ${pools(100)} }`)).toEqual([])
    // 3,002 pools x 8 units x (198 conditions, the order and the row itself) in each of two lists.
    expect(await graph.errorsOf(`{ ${pools(198)} }`)).toEqual([])
    expect(await graph.errorsOf(`{ a: ${pools(198)} b: ${pools(198)} }`)).toEqual([tooMuch])
    expect(await graph.errorsOf(`{ ${repeat(150, (i) => `p${i}: pools(orderBy: volumeUSD) { id }`)} }`)).toEqual([tooMuch])
    const byPool = repeat(99, () => '{ pool_: { volumeUSD_gt: "1e40" } }')
    expect(await graph.errorsOf(`{ a: swaps(where: { or: [${byPool}] }) { id } b: ${pools(198)} }`)).toEqual([tooMuch])
  })

  it('does not multiply where lists of pools and tokens are nested', async () => {
    const inner = '{ token0_: { whitelistPools_: { token0_: { whitelistPools_: { feeTier: 7 } } } } }'
    // Each of 3,000 pools leads by its token to the same 3,000, and these again.
    expect(await openTestGraph(store).ask(`{ pools(where: ${inner}) { id } }`)).toEqual({ pools: [] })
  })
})

describe('children in the order of their pools', () => {
  it('sort all pools once, however many the parents are', async () => {
    const store = await stores.openNew('sqlite')
    await fill(store)
    const graph = openTestGraph(store)
    await graph.ask('{ pools(first: 1) { id } }')
    const query = '{ transactions(first: 1000) { swaps(orderBy: pool__volumeUSD, where: { pool_: { feeTier_gt: 1 } }) { id } } }'
    expect(await graph.ask(query)).toHaveProperty('transactions.999.swaps.0.id')
  })
})

describe.each(engines)('transactions of many pools on %s', (engine) => {
  it('sort their swaps by a figure of the pool, each with a page of its own', async () => {
    const store = await stores.openNew(engine)
    const swaps = ([wrappedPool, alphaPool, wrappedPool, alphaPool] as const).map((pool, i) => ({
      ...(rows.swaps?.[0] as NonNullable<typeof rows.swaps>[number]),
      pool,
      tx_hash: hash('c1'),
      log_index: 40 + i,
    }))
    await insertRows(store, { ...rows, swaps })
    const graph = openTestGraph(store)
    const all = await graph.ask(`{ transactions { swaps(orderBy: pool__feeTier) { id } } }`)
    const second = await graph.ask(
      `{ transactions { swaps(orderBy: pool__feeTier, orderDirection: desc, first: 1, skip: 1) { id } } }`,
    )
    // Fees 3,000 and 10,000; of two alike the id decides.
    const ids = (...logs: number[]) => logs.map((log) => `${hash('c1')}-${log}`)
    const idsOf = (answer: typeof all) =>
      (answer['transactions'] as unknown as { swaps: { id: string }[] }[]).map(({ swaps: found }) => found.map(({ id }) => id))
    expect(idsOf(all)).toContainEqual(ids(40, 42, 41, 43))
    expect(idsOf(second)).toContainEqual(ids(41))
  })

  it('refuses texts that a database cannot hold', async () => {
    const store = await stores.openNew(engine)
    await insertRows(store, rows)
    const graph = openTestGraph(store)
    const refused = (type: string) => [`Failed to decode \`${type}\` value: \`text with a NUL or half of a surrogate pair\``]
    for (const text of ['a\0b', 'a\ud800'])
      expect(await graph.errorsOf('query ($t: ID!) { swap(id: $t) { id } }', { t: text })).toEqual(refused('ID'))
    expect(await graph.errorsOf('{ swaps(where: { id_gt: "\\u0000" }) { id } }')).toEqual(refused('ID'))
    expect(await graph.errorsOf('{ swaps(where: { pool_contains: "\\u0000" }) { id } }')).toEqual(refused('Bytes'))
    expect((await graph.errorsOf('{ pools(block: { hash: "\\u0000" }) { id } }'))[0]).toContain('Failed to decode `Bytes`')
    expect(graph.bugs).toEqual([])
  })
})

describe('a query of many earlier blocks', () => {
  it('is refused from the third on', async () => {
    const store = await stores.openNew('sqlite')
    const blocks = [117, 118].map((number) => ({ number, hash: hash(`${number}`.slice(1)), timestamp: 1 }))
    await insertRows(store, { ...rows, blocks: [...(rows.blocks ?? []), ...blocks] })
    const graph = openTestGraph(store)
    const at = (number: number) => `b${number}: bundles(block: { number: ${number} }) { id }`
    expect(await graph.errorsOf(`{ ${at(119)} ${at(118)} c: ${at(119).slice(6)} bundles { id } }`)).toEqual([])
    expect(await graph.errorsOf(`{ ${at(119)} ${at(118)} ${at(117)} }`)).toEqual([
      'A query may use at most 2 earlier blocks: send one query for each',
    ])
  })
})

describe('brackets within brackets', () => {
  // Looked at twice for each quote, a million of them would outlast the test's time.
  it('are counted in one pass, however many quotes stay open', () => {
    expect(isNestedTooDeep(`"${'\\"'.repeat(1_000_000)}`)).toBe(false)
    expect(isNestedTooDeep(`"\n${'"\\'.repeat(1_000_000)}`)).toBe(false)
  })

  it.each([
    ['[[', true],
    ['"[["', false],
    ['"\\"[["', false],
    ['# [[', false],
    ['# \n[[', true],
    ['"""\n[[ \\""" "[["""', false],
    ['""" \\\\""" [[', false],
    ['"" [[', true],
    ['[][][]', false],
  ])('%s', (text, tooDeep) => {
    expect(isNestedTooDeep(text, 1)).toBe(tooDeep)
  })
})
