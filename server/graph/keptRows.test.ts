import { beforeAll, describe, expect, it } from 'vitest'
import { setKeptSince } from '../store/keptSince.ts'
import { dayStart, insertRows, openTestGraph, rows, type TestGraph } from '../testing/graphFixture.ts'
import { createTempStores, engines } from '../testing/tempStores.ts'

const stores = createTempStores()
const [swapsSince, hoursSince] = [dayStart + 40, dayStart - 3_600]

describe.each(engines)('rows that are no longer kept (%s)', (engine) => {
  let graph: TestGraph
  beforeAll(async () => {
    const store = await stores.openNew(engine)
    await insertRows(store, rows)
    await store.write(async (tx) => {
      await setKeptSince(tx, 'swaps', swapsSince)
      await setKeptSince(tx, 'hours', hoursSince)
    })
    graph = openTestGraph(store)
  })

  it.each([
    [`swaps(where: { timestamp_lt: ${swapsSince} })`, 'Swap', swapsSince],
    [`swaps(where: { timestamp: "${swapsSince - 1}" })`, 'Swap', swapsSince],
    [`swaps(where: { pool: "0xaa", timestamp_gt: 5, timestamp_lte: ${swapsSince - 1} })`, 'Swap', swapsSince],
    [`transactions(where: { timestamp_lt: 7 })`, 'Transaction', swapsSince],
    [`poolHourDatas(where: { periodStartUnix_lt: ${hoursSince} })`, 'PoolHourData', hoursSince],
    [`tokenHourDatas(where: { periodStartUnix: ${hoursSince - 3_600} })`, 'TokenHourData', hoursSince],
  ])('are refused, not answered with an empty list: %s', async (list, type, since) => {
    expect(await graph.errorsOf(`{ ${list} { id } }`)).toEqual([
      `Data of type \`${type}\` is no longer kept for times before ${since}`,
    ])
  })

  it('are refused of a pool, too', async () => {
    const query = `{ pools { id poolHourData(where: { periodStartUnix_lt: ${hoursSince} }) { id } } }`
    expect(await graph.errorsOf(query)).toEqual([
      `Data of type \`PoolHourData\` is no longer kept for times before ${hoursSince}`,
    ])
  })

  it('hide nothing of what is kept', async () => {
    for (const list of [
      'swaps',
      `swaps(where: { timestamp_lt: ${swapsSince + 1} })`,
      `swaps(where: { timestamp_lte: ${swapsSince} })`,
      'swaps(where: { timestamp_gt: 0 })',
      'mints(where: { timestamp_lt: 7 })',
      'poolDayDatas(where: { date_lt: 7 })',
      `poolHourDatas(where: { periodStartUnix: ${hoursSince} })`,
    ])
      expect(Object.keys(await graph.ask(`{ ${list} { id } }`)), list).toHaveLength(1)
  })
})
