import { expect, it } from 'vitest'
import { quiet, readRows } from '../testing/readRows.ts'
import { toSection } from './report.ts'
import { run } from './runOverload.ts'

it('shows rates as whole numbers, and shares and limits with their digits', () => {
  const result = {
    ...{ kind: 'charts', capacity: 812.4, answered: 790.5, shed: 3_000.49, probeP99Ms: 12.34, probesFailed: 0 },
    ...{ priceShare: 0.956, clockShare: 0.5, memoryTimes: 1.234, recoverySeconds: 0.25 },
  }
  expect(readRows(toSection({ ...quiet, results: [result] }))).toEqual([
    ['charts', '812', '791', '3000', '12.3', '0', '0.96', '0.50', '1.23', '0.3'],
  ])
})

it('refuses an unknown kind of request before it starts anything', async () => {
  await expect(run(['--only', 'price,graphs'], new AbortController().signal)).rejects.toThrow(
    '--only: found graphs, expected some of price, charts, swaps, search, page, list, subgraph',
  )
})
