import { expect, it } from 'vitest'
import { quiet, readRows } from '../testing/readRows.ts'
import { addressOf, toBody } from './attack.ts'
import { listFaults, toSection } from './report.ts'

const calm = {
  name: 'none' as const,
  read: { pages: [1, 2, 3], node: [4, 5, 6], others: 0 },
  led: undefined,
  ...{ blocksPerSecond: 1, looks: 9, notLive: 0, untrue: 0 },
}
const attacked = { ...calm, name: 'loops' as const, led: { statuses: { '200': 7, '429': 2 }, errors: 7, bytes: 1_500_000 } }

it('finds nothing wrong when the site went on', () => {
  expect(listFaults([calm, { ...attacked, read: { pages: [6], node: [12], others: 0 } }], 2)).toEqual([])
})

it('names what was slow, failed, stopped or was not true', () => {
  const hit = { ...attacked, read: { pages: [7], node: [13], others: 2 }, blocksPerSecond: 0.4, untrue: 1 }
  expect(listFaults([calm, hit], 2)).toEqual([
    'loops: the p99 of pages is over 2 times the quiet one',
    'loops: the p99 of node is over 2 times the quiet one',
    'loops: 2 reads of the site failed',
    'loops: the chain made less than half of its blocks',
    'loops: /api/status said live 1 times when it was not',
  ])
})

it('shows what the attacks did, and what they were answered', () => {
  const run = { seconds: 9, connections: 64, addresses: 100, sockets: 5_000 }
  const section = toSection({ ...quiet, ...run, results: [calm, attacked] })
  expect(readRows(section)).toEqual([
    ['none', '2.0', '3.0', '1.00', '5.0', '6.0', '1.00', '0', '1.00', '0/9', '0'],
    ['loops', '2.0', '3.0', '1.00', '5.0', '6.0', '1.00', '0', '1.00', '0/9', '0'],
  ])
  expect(section).toContain('200: 7, 429: 2')
})

it('sends calls that differ, from networks that differ', () => {
  expect(toBody('loops', 1)).not.toBe(toBody('loops', 2))
  expect(JSON.parse(toBody('batches', 1))).toHaveLength(20)
  expect([addressOf(0), addressOf(257)]).toEqual(['10.0.0.1', '10.1.1.1'])
})
