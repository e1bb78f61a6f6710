import { expect, it } from 'vitest'
import { quiet, readRows } from '../testing/readRows.ts'
import { base } from './measure.ts'
import { toSection } from './report.ts'

const round = (perCpuSecond: number, perSecond: number) => ({ perCpuSecond, perSecond, bytesEach: 630.4 })
const price = [
  { contestant: 'Chainboard', rounds: [round(300, 30), round(100, 10), round(240, 24)] },
  { contestant: base.price, rounds: [round(100, 10), round(100, 10), round(200, 20)] },
]
const list = [{ contestant: base.list, rounds: [round(8, 4)] }]
const measured = { ...quiet, versions: { express: '5.1.0' }, tokens: 500, hasNginx: true, price, list }

it('compares each round with the same round of the others, and takes the median of the ratios', () => {
  // 300 / 100 = 3, 100 / 100 = 1, 240 / 200 = 1.2: the median of the ratios, not the ratio of the medians (2.4).
  expect(readRows(toSection(measured), '### One price')).toEqual([
    ['Chainboard', '240', '100', '300', '1.20', '24', '630'],
    [base.price, '100', '100', '200', '1.00', '10', '630'],
  ])
  expect(readRows(toSection(measured), '### All 500 prices')).toEqual([[base.list, '8', '8', '8', '1.00', '4', '630']])
})

it('says which versions were compared, and that nginx is missing', () => {
  expect(toSection(measured)).toContain('- CPU: one\n- express 5.1.0\n')
  expect(toSection(measured)).not.toContain('nginx is not installed')
  expect(toSection({ ...measured, hasNginx: false })).toContain('nginx is not installed on this machine, so it is missing here.')
})

it('has no ratio to a contestant that was not measured', () => {
  const [ours] = readRows(toSection({ ...measured, price: price.slice(0, 1) }), '### One price')
  expect(ours?.[4]).toBe('NaN')
})
