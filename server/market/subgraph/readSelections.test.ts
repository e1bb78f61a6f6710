import { Failure } from '@chainboard/core'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type Entity, type StandInSubgraph, startStandInSubgraph } from '../../testing/standInSubgraph.ts'
import { readSelections, type Selection, toSlices } from './readSelections.ts'
import { createSubgraphClient } from './subgraphClient.ts'

let standIn: StandInSubgraph
beforeEach(async () => {
  standIn = await startStandInSubgraph()
})
afterEach(() => standIn.close())

const transactions = (count: number): Entity[] =>
  Array.from({ length: count }, (_, i) => ({ id: `0x${i.toString(16).padStart(64, '0')}`, timestamp: `${i}`, blockNumber: '1' }))
const all: Selection = { entity: 'transactions', where: {}, fields: () => 'timestamp' }
const read = (selections: readonly Selection[], pagesMax = 10) =>
  readSelections(createSubgraphClient(standIn.url), selections, { atBlockNumber: 1, pagesMax })

it('reads 2,500 rows page by page, each once, in the order of ids', async () => {
  standIn.entities = { ...standIn.entities, transactions: transactions(2_500) }
  const [selected] = await read([all])
  expect(selected?.whole).toBe(true)
  expect(selected?.rows.map((row) => Number((row as Entity)['timestamp']))).toEqual(Array.from({ length: 2_500 }, (_, i) => i))
  expect(standIn.queries.length).toBe(3)
  expect(standIn.queries.some((query) => query.includes('skip'))).toBe(false)
})

it('asks once more after pages that are just full', async () => {
  standIn.entities = { ...standIn.entities, transactions: transactions(2_000) }
  const [selected] = await read([all])
  expect(selected).toMatchObject({ whole: true, rows: { length: 2_000 } })
})

it('stops at its limit of pages and says that there is more', async () => {
  standIn.entities = { ...standIn.entities, transactions: transactions(2_500) }
  const [selected] = await read([all], 2)
  expect(selected).toMatchObject({ whole: false, rows: { length: 2_000 } })
  expect(standIn.queries.length).toBe(2)
})

it('stops at its limit of rows of all lists together, and says of each whether there is more', async () => {
  standIn.entities = { ...standIn.entities, transactions: transactions(1_200) }
  const newest: Selection = { ...all, newest: { by: 'timestamp', count: 2 } }
  const client = createSubgraphClient(standIn.url)
  const asked = [newest, ...Array<Selection>(8).fill(all)]
  const selected = await readSelections(client, asked, { atBlockNumber: 1, pagesMax: 10, rowsMax: 4_001 })
  expect(selected.map(({ rows, whole }) => [rows.length, whole])).toEqual([
    [2, true],
    ...Array(4).fill([1_000, false]),
    ...Array(4).fill([0, false]),
  ])
  expect(standIn.queries.length).toBe(1)
})

it('reads many lists with few questions, and all at one block', async () => {
  standIn.entities = { ...standIn.entities, transactions: transactions(1_200) }
  const newest: Selection = { ...all, newest: { by: 'timestamp', count: 2 } }
  const selected = await read([all, ...Array<Selection>(60).fill(newest), all])
  expect(selected.map(({ rows }) => rows.length)).toEqual([1_200, ...Array(60).fill(2), 1_200])
  expect(selected[1]?.rows.map((row) => (row as Entity)['timestamp'])).toEqual(['1199', '1198'])
  // 50 lists in the first, the other 12 in the second; then the second pages of both long ones.
  expect(standIn.queries.length).toBe(3)
  for (const query of standIn.queries) expect(query.match(/first:/g)?.length).toBe(query.match(/block: \{number: 1\}/g)?.length)
})

it('keeps the rows of one question under 5,000', async () => {
  await read(Array<Selection>(7).fill(all))
  expect(standIn.queries.map((query) => query.match(/first: 1000/g)?.length)).toEqual([5, 2])
})

it('does not take what is no list of rows', async () => {
  standIn.trouble = () => ({ kind: 'status', status: 200, body: '{"data":{"s0":[{"id":7}]}}' })
  const error: unknown = await read([all]).catch((error: unknown) => error)
  expect(error).toBeInstanceOf(Failure)
  expect(error).toMatchObject({ code: 'upstream-invalid' })
})

it('cuts lists into parts', () => expect(toSlices([1, 2, 3, 4, 5], 2)).toEqual([[1, 2], [3, 4], [5]]))
