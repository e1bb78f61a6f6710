import { expect, it } from 'vitest'
import { quiet, readRows } from '../testing/readRows.ts'
import { listFaults, toSection } from './report.ts'

const heard = { events: 40, deliveries: 4_000, reconnects: 7, lost: 0, missed: 0, odd: 0, delaysMs: [1, 4, 2, 3], errors: [] }
const reading = { url: '', keys: [], readers: 100, choosing: 20, addresses: [], breakEveryMs: 60_000 }
const memory = { beforeMb: 100.4, peakMb: 140.5, endMb: 120, cpuSeconds: 12.6 }

it('finds nothing wrong when every reader received every event', () => {
  expect(listFaults(heard)).toEqual([])
})

it('names everything that readers missed, and a stream without events', () => {
  expect(listFaults({ ...heard, missed: 2, odd: 1, lost: 3, events: 0, errors: ['status 503'] })).toEqual([
    '2 changes missed',
    '1 repeated or out of order',
    'status 503',
    '3 reconnects not resumed',
    'no event at all',
  ])
})

it('shows counts, delays and memory', () => {
  const section = toSection({ ...quiet, reading, seconds: 60, heard, memory })
  expect(readRows(section)).toEqual([
    ['Changes', '40'],
    ['Deliveries', '4000'],
    ['Reconnects', '7'],
    ['Reconnects not resumed', '0'],
    ['Changes missed', '0'],
    ['Changes repeated or out of order', '0'],
  ])
  expect(readRows(section, '_Delay_: milliseconds')).toEqual([['2.0', '4.0', '4.0', '4.0', '100', '141', '120', '13']])
  expect(section).toContain('100 streams of prices for 60 s on a live devnet, 20 of them for one token each.')
})
