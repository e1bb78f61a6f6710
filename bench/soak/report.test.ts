import { expect, it } from 'vitest'
import { quiet, readRows } from '../testing/readRows.ts'
import { summarise, toSection } from './report.ts'

const samples = [100, 110, 90, 100, 104, 108, 100, 102, 106, 110, 104, 102].map((rssMb, i) => ({
  rssMb,
  descriptors: i < 6 ? 50 + i : 60,
}))

it('compares the mean memory of both halves, and of each sixth', () => {
  // First half: 612 / 6 = 102. Second half: 624 / 6 = 104.
  const { first, second, growth, sixthsMb } = summarise(samples)
  expect(first).toEqual({ meanMb: 102, maxMb: 110, descriptorsMin: 50, descriptorsMax: 55 })
  expect(second).toEqual({ meanMb: 104, maxMb: 110, descriptorsMin: 60, descriptorsMax: 60 })
  expect(growth).toBeCloseTo(2 / 102, 12)
  expect(sixthsMb).toEqual([105, 95, 106, 101, 108, 103])
})

it('puts the sample in the middle of an odd number into the second half', () => {
  const { first, second } = summarise(samples.slice(0, 3))
  expect([first.meanMb, second.meanMb]).toEqual([100, 100])
})

it('shows both halves, the growth in percent and the answers by status', () => {
  const asked = { statuses: { 200: 1_200, 429: 3 }, ms: 120_000 }
  const section = toSection({ ...quiet, minutes: 2, perSecond: 10, asked, summary: summarise(samples) })
  expect(readRows(section)).toEqual([
    ['First half', '102.0', '110.0', '50-55'],
    ['Second half', '104.0', '110.0', '60-60'],
  ])
  expect(section).toContain('Growth: 2.0 %. Mean MB of each sixth: 105, 95, 106, 101, 108, 103.')
  expect(section).toContain('Answers: 200: 1200, 429: 3.')
  expect(section).toContain('2 minutes of 10 requests per second')
})
