import { expect, it } from 'vitest'
import { quiet, readRows } from '../testing/readRows.ts'
import { toSection } from './report.ts'

it('compares the 99th percentiles of prices, and lists each page', () => {
  const threads = [{ name: 'home', path: '/', times: [9, 7, 8, 30], bytes: 14_260 }]
  const prices = { alone: [1, 2, 4], standIn: [2, 4.4, 1], beside: [5, 1, 2], first: [9, 3, 1], pages: { drawn: 70, empty: 3 } }
  const section = toSection({ ...quiet, tokens: 500, threads, prices })
  expect(readRows(section, 'Milliseconds in which')).toEqual([['home', '4', '8.0', '30.0', '30.0', '14.3']])
  expect(readRows(section, 'Prices over one')).toEqual([
    ['alone', '3', '2.00', '4.00', '4.00'],
    ['beside a stand-in', '3', '2.00', '4.40', '4.40'],
    ['while pages are rendered', '3', '2.00', '5.00', '5.00'],
    ['while the first pages are rendered', '3', '3.00', '9.00', '9.00'],
  ])
  expect(section).toContain('70 pages came rendered, 3 empty.')
  expect(section).toContain('1.10 times that alone; it is 1.25.')
  expect(section.replaceAll('\n', ' ')).toContain('1.10 times that alone, and that with pages is 1.14 times that beside it')
})
