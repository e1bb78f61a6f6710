import { expect, it } from 'vitest'
import { toTable } from './table.ts'

it('aligns texts left and numbers right, as wide as the longest cell', () => {
  const table = toTable(
    ['Way', 'p50', 'Requests'],
    [
      ['SQL', '1.5', '7'],
      ['GraphQL', '12.25', '1000'],
    ],
  )
  expect(table).toBe(
    [
      '| Way     |   p50 | Requests |',
      '| ------- | ----: | -------: |',
      '| SQL     |   1.5 |        7 |',
      '| GraphQL | 12.25 |     1000 |',
    ].join('\n'),
  )
})

it('leaves the first columns left, and a missing cell empty', () => {
  expect(toTable(['a', 'b'], [['x']], 2)).toBe('| a   | b   |\n| --- | --- |\n| x   |     |')
  expect(toTable(['a', 'b'], [], 0)).toBe('|   a |   b |\n| --: | --: |')
})
