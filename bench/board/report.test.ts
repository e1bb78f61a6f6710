import { expect, it } from 'vitest'
import { quiet, readRows } from '../testing/readRows.ts'
import { toSection } from './report.ts'

const shown = [10, 20, 30, 40].map((ms) => ({ askedMs: ms / 10, arrivedMs: ms / 2, shownMs: ms }))
const board = {
  tokens: 20_000,
  browser: { searches: shown, sorts: shown.slice(0, 1), pages: shown.slice(1, 2) },
  server: [{ name: 'a page by name', times: [3, 1, 2], bytes: 12_345 }],
  snapshot: { reading: [1, 2, 3, 4], merging: [10, 30, 20] },
  memory: { nowBytes: 123_400_000, peakBytes: 150_600_000 },
}
const section = toSection({ ...quiet, boards: [board] })

it('shows the times of each step, without those of a request that was sent ahead', () => {
  expect(readRows(section, '### In the browser')).toEqual([
    ['the last letter of a search', '20000', '4', '20.0', '40.0', '40.0', '2.0', '10.0'],
    ['sort by name', '20000', '1', '10.0', '10.0', '10.0', '1.0', '5.0'],
    ['the next page', '20000', '1', '20.0', '20.0', '20.0', '–', '–'],
  ])
})

it('shows the times of the server, sizes in thousands of bytes and memory in millions', () => {
  expect(readRows(section, '### The server')).toEqual([['a page by name', '20000', '3', '2.0', '3.0', '3.0', '12.3']])
  expect(readRows(section, 'The work for a block')).toEqual([['20000', '2.0', '4.0', '20.0', '30.0', '123', '151']])
})
