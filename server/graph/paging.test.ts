import type { KyselyPlugin } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Db, Store } from '../store/store.ts'
import { dayStart, insertRows, openTestGraph, rows, type TestGraph } from '../testing/graphFixture.ts'
import { alphaPool, wrappedPool } from '../testing/market.ts'
import { createTempStores, engines } from '../testing/tempStores.ts'

const stores = createTempStores()
const swap = rows.swaps?.[0] as NonNullable<typeof rows.swaps>[number]
const hour = rows.pool_hours?.[0] as NonNullable<typeof rows.pool_hours>[number]

/** 2,500 swaps in 1,250 transactions of two each, whose hashes come in no order; every third is in ALPHA's pool. */
const swaps = Array.from({ length: 2_500 }, (_, i): typeof swap => {
  const turn = Math.floor(i / 2)
  return {
    ...swap,
    block_number: turn,
    log_index: i % 2 === 0 ? 9 : 10,
    timestamp: dayStart + turn,
    tx_hash: `0x${((turn * 7_919) % 1_250).toString(16).padStart(64, '0')}`,
    pool: i % 3 === 0 ? alphaPool : wrappedPool,
    amount_usd: `${i}000000000000000000`,
  }
})
const hours = Array.from({ length: 2_500 }, (_, i) => ({
  ...hour,
  pool: i % 2 ? wrappedPool : alphaPool,
  start: dayStart + Math.floor(i / 2) * 3_600,
}))

describe.each(engines)('long lists on %s', (engine) => {
  let store: Store
  let graph: TestGraph
  beforeAll(async () => {
    store = await stores.openNew(engine)
    await insertRows(store, { ...rows, swaps, pool_events: [], pool_hours: hours })
    graph = openTestGraph(store)
  })

  const listAll = async (field: string, where = '') => {
    const ids: string[] = []
    for (let last = ''; ; last = ids.at(-1) ?? '') {
      const { page } = (await graph.ask(
        `query ($last: ID!) { page: ${field}(first: 1000, where: { id_gt: $last ${where} }) { id } }`,
        { last },
      )) as unknown as { page: { id: string }[] }
      if (page.length === 0) return ids
      ids.push(...page.map(({ id }) => id))
    }
  }

  it.each([
    ['swaps', 2_500],
    ['transactions', 1_250],
    ['poolHourDatas', 2_500],
  ])('all %s come once, sorted as texts, when read in pages by id', async (field, count) => {
    const ids = await listAll(field)
    expect(ids).toHaveLength(count)
    expect(ids).toEqual([...new Set(ids)].sort())
  })

  it('pages by id hold together with another filter', async () => {
    expect(await listAll('swaps', `pool: "${alphaPool}"`)).toHaveLength(834)
  })

  it('skip goes through a list that is sorted by time, without loss at equal times', async () => {
    const seen = new Set<string>()
    for (let skip = 0; skip < 2_500; skip += 500) {
      const { page } = (await graph.ask(
        `{ page: swaps(first: 500, skip: ${skip}, orderBy: timestamp, orderDirection: desc) { id } }`,
      )) as unknown as { page: { id: string }[] }
      for (const { id } of page) seen.add(id)
    }
    expect(seen.size).toBe(2_500)
  })

  /** How many statements a query takes. */
  const countStatements = async (query: string) => {
    let count = 0
    const plugin: KyselyPlugin = {
      transformQuery: ({ node }) => {
        count += 1
        return node
      },
      transformResult: async ({ result }) => result,
    }
    const counting = openTestGraph({
      ...store,
      readConsistently: (work) => store.readConsistently((tx) => work((tx as Db).withPlugin(plugin) as typeof tx)),
    })
    await counting.ask('{ bundles { id } }')
    count = 0
    await counting.ask(query)
    return count
  }

  it('a nested query takes as many statements for a hundred rows as for one', async () => {
    const query = (first: number) => `{
      transactions(first: ${first}, orderBy: timestamp, orderDirection: desc) {
        swaps { amount0 pool { token0 { symbol } swaps(first: 2, orderBy: timestamp) { transaction { timestamp swaps { id } } } } }
        mints { id } burns { id }
      }
    }`
    const one = await countStatements(query(1))
    expect(await countStatements(query(100))).toBe(one)
    // The cursor, the transactions, three lists below them, the pools' swaps, and those of their transactions.
    expect(one).toBe(7)
  })

  it('pools and tokens cost no statement beyond the cursor, which says whether they are still those of the last query', async () => {
    expect(await countStatements('{ pools { id token0 { id whitelistPools { id } } token1 { symbol } } tokens { id } }')).toBe(1)
  })

  it('what leads straight to its rows is not counted before', async () => {
    expect(
      await countStatements(
        `{ swaps(where: { pool: "${wrappedPool}" }, first: 20, orderBy: timestamp, orderDirection: desc) { id } }`,
      ),
    ).toBe(2)
    expect(await countStatements(`{ poolHourDatas(where: { pool: "${wrappedPool}" }, orderBy: periodStartUnix) { id } }`)).toBe(2)
    expect(await countStatements('{ swaps(where: { id_gt: "0x" }, first: 1000) { id } }')).toBe(2)
    expect(await countStatements('{ swaps(orderBy: timestamp, where: { timestamp_gt: 0 }) { id } }')).toBe(2)
  })

  describe('where a list may look through 500 rows', () => {
    const tooMany =
      'The query would scan more than 500 rows: add a pool, a token, ids or a narrower time to its `where`, or order by time or id'
    const bounded = () => openTestGraph(store, { lookedThroughMax: 500 })

    it.each([
      ['swaps(orderBy: amountUSD)'],
      ['swaps(where: { amountUSD_lt: "0" }, orderBy: timestamp)'],
      [`swaps(where: { pool: "${wrappedPool}" }, orderBy: amountUSD)`],
      ['swaps(where: { tick_gt: 1000000 })'],
      ['pools { swaps(orderBy: amountUSD) { id } }'],
    ])('%s is refused', async (field) => {
      const body = field.includes('{ id }') ? field : `${field} { id }`
      expect(await bounded().errorsOf(`{ ${body} }`)).toEqual([tooMany])
    })

    it.each([
      // The wanted ones are among the newest 500. Of two at one time the id decides, and as texts 9 comes after 10.
      ['swaps(where: { amountUSD_gt: "2000" }, orderBy: timestamp, orderDirection: desc, first: 3)', ['2498', '2499', '2496']],
      [
        `swaps(where: { timestamp_gt: ${dayStart + 1_200} }, orderBy: amountUSD, orderDirection: desc, first: 2)`,
        ['2499', '2498'],
      ],
      [
        `swaps(where: { pool: "${alphaPool}", timestamp_lt: ${dayStart + 300} }, orderBy: amountUSD, orderDirection: desc, first: 1)`,
        ['597'],
      ],
      [`swaps(where: { pool: "${wrappedPool}", tick: 198079 }, orderBy: timestamp, first: 2)`, ['1', '2']],
      ['swaps(where: { pool_: { feeTier: 10000 } }, orderBy: timestamp, first: 2)', ['0', '3']],
    ])('%s is answered', async (field, found) => {
      expect(await bounded().ask(`{ swaps: ${field} { amountUSD } }`)).toEqual({
        swaps: found.map((amountUSD) => ({ amountUSD })),
      })
    })
  })

  it('a query may read 25,000 rows', async () => {
    const lists = Array.from(
      { length: 11 },
      (_, i) =>
        `l${i}: poolHourDatas(first: 1000) { id } m${i}: swaps(first: 1000) { id } n${i}: transactions(first: 1000) { id }`,
    )
    expect(await graph.errorsOf(`{ ${lists.join(' ')} }`)).toContain('The query reads more than 25000 rows: query less at once')
  })
})
