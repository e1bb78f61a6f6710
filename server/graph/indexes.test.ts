import { DatabaseSync } from 'node:sqlite'
import { Kysely } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Schema } from '../store/schema.ts'
import { SqliteDialect } from '../store/sqlite/sqliteDialect.ts'
import { StatementRunner } from '../store/sqlite/statementRunner.ts'
import type { Store } from '../store/store.ts'
import { dayStart, hash, insertRows, openTestGraph, rows, type TestGraph } from '../testing/graphFixture.ts'
import { wrappedPool } from '../testing/market.ts'
import { createTempStores } from '../testing/tempStores.ts'

// SQLite's own account of how it reads: a list that should end with its limit must not read or sort a whole table.

const stores = createTempStores()
let graph: TestGraph
const plans: string[][] = []

beforeAll(async () => {
  const location = await stores.locate('sqlite')
  const store = await stores.open(location)
  await insertRows(store, rows)
  const file = (location as { file: string }).file
  const runner = new StatementRunner(new DatabaseSync(file, { readOnly: true }))
  const execute = async (sql: string, parameters: readonly unknown[]) => {
    if (/ as t\s/.test(sql))
      plans.push(runner.run(`explain query plan ${sql}`, parameters).rows.map(({ detail }) => String(detail)))
    return runner.run(sql, parameters)
  }
  const read = new Kysely<Schema>({ dialect: new SqliteDialect({ execute, close: async () => runner.close() }, 'deferred') })
  const spied: Store = { ...store, read, readConsistently: (work) => read.transaction().execute(work) }
  graph = openTestGraph(spied)
})

const pool = `pool: "${wrappedPool}"`

describe('the plan of a list', () => {
  it.each([
    ['swaps(orderBy: timestamp, orderDirection: desc) { id }', 'swaps_by_time (timestamp>?)'],
    [`swaps(where: { ${pool} }, orderBy: timestamp, orderDirection: desc) { id }`, 'swaps_by_pool (pool=?'],
    [`swaps(where: { timestamp_gt: ${dayStart} }, orderBy: timestamp) { id }`, 'swaps_by_time (timestamp>?)'],
    ['swaps { id }', 'swaps_by_transaction (<expr>>?)'],
    ['swaps(where: { id_gt: "0x01" }) { id }', 'swaps_by_transaction (<expr>>?)'],
    [`swaps(where: { id: "${hash('c1')}-7" }) { id }`, 'swaps_by_transaction (<expr>=?)'],
    [`swaps(where: { transaction: "${hash('c1')}" }) { id }`, 'swaps_by_transaction (<expr>=?)'],
    ['mints(orderBy: timestamp, orderDirection: desc) { id }', 'pool_events_by_kind (kind=? AND timestamp>?)'],
    [`poolHourDatas(where: { ${pool}, periodStartUnix_gt: 1 }, orderBy: periodStartUnix) { id }`, '(pool=? AND start>?)'],
    ['poolHourDatas(orderBy: periodStartUnix, orderDirection: desc) { id }', 'pool_hours_by_start (start>?)'],
    [`ticks(where: { ${pool} }, orderBy: tickIdx) { id }`, '(pool=?)'],
    ['burns { id }', 'pool_events_by_transaction (kind=? AND <expr>>?)'],
    [`flashes(where: { ${pool} }, orderBy: timestamp) { id }`, 'pool_events_by_pool_and_kind (pool=? AND kind=?'],
  ])('%s goes by %s', async (field, index) => {
    plans.length = 0
    await graph.ask(`{ ${field} }`)
    const plan = plans.at(-1) ?? []
    expect(plan.join('\n')).toContain(`SEARCH t USING INDEX`)
    expect(plan.join('\n')).toContain(index)
    const isSorted = field.startsWith('ticks') || index.includes('<expr>=?')
    if (!isSorted) expect(plan).not.toContain('USE TEMP B-TREE FOR ORDER BY')
  })

  it('hours and days go by pool in the order of their ids, one pool after the other', async () => {
    plans.length = 0
    await graph.ask('{ poolDayDatas(where: { id_gt: "0x01" }) { id } }')
    const plan = plans.at(-1)?.join('\n')
    expect(plan).toContain('SEARCH o USING COVERING INDEX sqlite_autoindex_pools_1 (address>?)')
    expect(plan).toContain('SEARCH t USING INDEX pool_days_by_pool (pool=?)')
    expect(plan).not.toContain('USE TEMP B-TREE FOR ORDER BY')
  })

  it.each([
    ['transactions(where: { id_gt: "0x01" }) { id }', ['swaps_by_transaction (<expr>>?)', 'pool_events_by_hash (<expr>>?)']],
    [
      'transactions(orderBy: timestamp, orderDirection: desc) { id }',
      ['swaps_by_time (timestamp>?)', 'pool_events_by_time (timestamp>?)'],
    ],
  ])('%s goes through both kinds of events at once, each in the order of its index', async (field, indexes) => {
    plans.length = 0
    await graph.ask(`{ ${field} }`)
    const plan = plans.at(-1) ?? []
    expect(plan.filter((detail) => detail.startsWith('SEARCH e '))).toEqual(
      indexes.map((index) => `SEARCH e USING INDEX ${index}`),
    )
    // Each sorts no more rows than the page has.
    expect(plan.filter((detail) => detail === 'USE TEMP B-TREE FOR ORDER BY')).toHaveLength(2)
  })

  it.each([
    ['swaps(first: 5, orderBy: timestamp, orderDirection: desc) { id }', 'swaps_by_pool (pool=?'],
    ['poolHourData(first: 5, orderBy: periodStartUnix) { id }', '(pool=?'],
    ['mints(first: 5, orderBy: timestamp) { id }', 'pool_events_by_pool_and_kind (pool=? AND kind=?'],
  ])('within pools, %s goes by %s', async (field, index) => {
    plans.length = 0
    await graph.ask(`{ pools { ${field} } }`)
    const searches = (plans.at(-1) ?? []).filter((detail) => detail.includes(' t '))
    expect(searches).toHaveLength(2)
    for (const search of searches) expect(search).toContain(index)
  })
})
