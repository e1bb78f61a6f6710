import { expect, it } from 'vitest'
import { quiet, readRows } from '../testing/readRows.ts'
import { isHeld, toCells, toSection } from './report.ts'
import type { AttackResult } from './runAttack.ts'

const held: AttackResult = {
  attack: { name: 'swing', about: 'trades to and fro', targets: ['BSLT'], play: async () => {} },
  ...{ costUsd: 1_234.5, capitalUsd: 99.994 },
  judgement: {
    worst: { symbol: '', percent: 0.004 },
    ...{ wrongSeconds: 0, unmarkedSeconds: 0, confidence: { before: 0.9, during: 0.905 } },
    place: { before: undefined, during: undefined, saidUsd: 0 },
    added: { volumeUsd: 0.004, organicUsd: undefined },
    ...{ costToMoveUsd: undefined, marks: [], interval: undefined, dollars: { what: '', percent: 0 }, failures: [] },
  },
}
const broken: AttackResult = {
  ...held,
  attack: { ...held.attack, name: 'pump' },
  judgement: {
    worst: { symbol: 'BSLT', percent: 12.5 },
    ...{ wrongSeconds: 40, unmarkedSeconds: 181, confidence: { before: 0.5, during: 0.75 } },
    place: { before: 7, during: 2, saidUsd: 5_000 },
    added: { volumeUsd: 12_345.6, organicUsd: 12.3 },
    ...{ costToMoveUsd: 250, marks: ['one', 'two', 'three'], interval: false },
    dollars: { what: 'TVL BSLT/USDC 3000', percent: 2.345 },
    failures: ['BSLT was 12.5 % off', 'dollars'],
  },
}

it('shows nothing where nothing happened', () => {
  expect(toCells(held)).toEqual([
    ...['swing', '1,235', '99.99', '–', '0 %', '0 s', '0.90 -> 0.91', '– -> –', 'free', '$0', '–', '–', '0 %', 'holds', '–'],
  ])
})

it('shows how far an attack got, and with which warnings', () => {
  expect(toCells(broken)).toEqual([
    ...['pump', '1,235', '99.99', '250', '13 % BSLT', '40 s, unmarked 181 s', '0.50 -> 0.75', '7 -> 2', '5,000'],
    ...['$12,346', '$12.30', 'misses', '2.35 % TVL BSLT/USDC 3000', '**BSLT was 12.5 % off; dollars**', 'one; two'],
  ])
  const endless = { ...broken.judgement, worst: { symbol: 'TRAP', percent: Number.POSITIVE_INFINITY }, interval: true }
  const cells = toCells({ ...broken, judgement: endless })
  expect([cells[4], cells[11]]).toEqual(['unsellable TRAP', 'contains'])
})

it('counts what holds', () => {
  expect([held, broken].map(isHeld)).toEqual([true, false])
  const section = toSection([held, broken, held], quiet)
  expect(section).toContain('2 of 3 attacks leave all rules intact.')
  expect(section).toContain('- `swing`: trades to and fro\n- `pump`: trades to and fro\n')
  expect(readRows(section).map(([name]) => name)).toEqual(['swing', 'pump', 'swing'])
})
