import { expect, it } from 'vitest'
import { quiet, readRows } from '../testing/readRows.ts'
import { compare, toSection } from './runChain.ts'

const measured = (seconds: number, refused: number) => ({ seconds, blocksPerSecond: 600_000 / seconds, answered: 800, refused })
const [one, three, hung] = [measured(60, 0), measured(20, 3), measured(40, 7)]

it('compares several nodes with one, and with what they should reach', () => {
  expect(readRows(toSection({ ...quiet, blocks: 600_000, compared: compare([one, three, hung]) }))).toEqual([
    ['one URL', '60.0', '10000', '1.00', '1', '800', '0'],
    ['three URLs', '20.0', '30000', '3.00', '2.5', '800', '3'],
    ['three URLs, the first hangs', '40.0', '15000', '1.50', '1.7', '800', '7'],
  ])
})

it('does not compare with a case that was not measured', () => {
  expect(() => compare([one, three])).toThrow(RangeError)
})
