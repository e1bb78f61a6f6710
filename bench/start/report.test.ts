import { expect, it } from 'vitest'
import { quiet, readRows } from '../testing/readRows.ts'
import { toErrors, toSection } from './report.ts'

const chain = {
  seed: 's',
  chainId: 1,
  blocks: 10_000_000,
  pools: 2_000,
  swaps: 5_000_000,
  periodSeconds: 5,
  headSeconds: 1_790_000_000,
}
const facts = { chain, limits: { latencyMs: 200, perSecond: 15, blocksMax: 1_000 } }

it('compares the stated time left with the true one, either way', () => {
  // At 100 s, 300 s were left of 400: stated were 330, a tenth too many. At 300 s, 100 were left: stated were 50, half.
  const estimates = [
    { atSeconds: 100, leftSeconds: 330 },
    { atSeconds: 300, leftSeconds: 50 },
  ]
  const [many, few] = toErrors(estimates, 400)
  expect(many).toBeCloseTo(0.1, 12)
  expect(few).toBe(0.5)
})

it('leaves out an estimate of nothing, and those of the last 30 seconds', () => {
  const estimates = [
    { atSeconds: 100, leftSeconds: 0 },
    { atSeconds: 370, leftSeconds: 60 },
    { atSeconds: 369, leftSeconds: 62 },
  ]
  expect(toErrors(estimates, 400)).toEqual([1])
})

it('shows when each milestone was reached, and how wrong the estimates were', () => {
  const seconds = new Map([
    ['listens', 1.24],
    ['31 days', 400],
  ])
  const history = { phase: 'history', percent: 3, blocksPerSecond: 12_345, eventsPerSecond: 1, secondsLeft: 9 } as const
  const estimates = [1, 2, 3].map((times) => ({ atSeconds: 100, leftSeconds: 300 * times }))
  const section = toSection({ ...quiet, facts, urls: 1, seconds, peakMb: 151.6, history, estimates })
  expect(readRows(section)).toEqual([
    ['listens', '1.2 s'],
    ['31 days', '400.0 s'],
  ])
  expect(section).toContain(
    "Peak memory: 152 MB. The history then at 12,345 blocks per second. The server's estimate of the time left for the 31 days was wrong by 100 % (median).",
  )
  expect(toSection({ ...quiet, facts, urls: 3, seconds, peakMb: 1, history: null, estimates: [] })).toMatch(
    /\nPeak memory: 1 MB\.$/,
  )
})
