import { expect, it } from 'vitest'
import { quiet, readRows } from '../testing/readRows.ts'
import { describeBeside } from './measureBeside.ts'
import { toSection } from './report.ts'

const chain = { seed: 's', chainId: 1, blocks: 1_000_000, pools: 20, swaps: 3_000, periodSeconds: 5, headSeconds: 1_790_000_000 }
const samples = [
  { seconds: 10, swaps: 1_000, memoryMb: 99.6, peakMb: 120, bytes: 250_000, processorSeconds: 5 },
  { seconds: 30, swaps: 3_000, memoryMb: 110, peakMb: 130.4, bytes: 600_000, processorSeconds: 6 },
]
const beside = { blocks: 200_000, swaps: 900, ourSeconds: 4, ponderSeconds: 42 }

it('shows the speed since the row above, and the whole of it', () => {
  // 1,000 swaps in 10 s, then 2,000 in 20 s: both 100/s. 5 s of CPU for 1,000: 5,000 us each; then 1 s for 2,000: 500 us.
  const section = toSection({ ...quiet, chain, samples, closedBytes: 540_000, beside: undefined })
  expect(readRows(section)).toEqual([
    ['1,000', '10', '100', '5,000', '100', '120', '250'],
    ['3,000', '30', '100', '500', '110', '130', '200'],
  ])
  expect(section).toContain(
    'From the start of the process to the last swap: 30 s, **100 swaps/s**. Peak memory: 130 MB.\nOn disk after the end: 180 bytes per swap.',
  )
})

it('ends with the comparison with Ponder, if there was one', () => {
  expect(describeBeside(beside)).toMatch(
    /^The first 200,000 blocks with 900 swaps, .*: 4\.0 s; Ponder .*: 42\.0 s, \*\*10\.5 times as long\*\*\.$/,
  )
  expect(toSection({ ...quiet, chain, samples, closedBytes: 1, beside }).endsWith(describeBeside(beside))).toBe(true)
})

it('has no last sample of a chain that was not read', () => {
  expect(() => toSection({ ...quiet, chain, samples: [], closedBytes: 1, beside: undefined })).toThrow(RangeError)
})
