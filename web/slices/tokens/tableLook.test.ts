import { expect, test } from 'vitest'
import { fitExtras } from './extraColumns.tsx'
import { roomOf } from './fitColumns.ts'
import { readColumns, writeColumns } from './tableLook.ts'

test('columns of an address are read once each, and those that the table does not know are left out', () => {
  expect(readColumns('d7.h1.h1.nope.toString')).toBe('d7.h1')
  expect(readColumns('none')).toBe('none')
  expect(readColumns('nope')).toBeUndefined()
  expect(readColumns(7)).toBeUndefined()
  expect(writeColumns(['h1', 'd7'])).toBe('h1.d7')
  expect(writeColumns([])).toBe('none')
})

test('those chosen first come first where not all fit, each in its place in the table', () => {
  expect(fitExtras('liquidity.h1', roomOf(1))).toEqual(['liquidity'])
  expect(fitExtras('age.h1', roomOf(1))).toEqual(['h1', 'age'])
  expect(fitExtras('spark.liquidity.h1', roomOf(1))).toEqual(['spark'])
  expect(fitExtras('m5.h1.h6.d7.spark.liquidity.organic.age.confidence', roomOf(3))).toHaveLength(9)
  expect(fitExtras('h1', roomOf(0))).toEqual([])
  expect(fitExtras('none', roomOf(3))).toEqual([])
})
