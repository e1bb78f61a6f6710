import { expect, test } from 'vitest'
import { findIgnored } from './findIgnored.ts'

const namesOf = (text: string) => findIgnored(new URLSearchParams(text)).map(({ name }) => name)

test('an address that the table understands is ignored in nothing', () => {
  expect(namesOf('sort=change1hAsc&page=2&verified=1&warned=0&liquidityMin=0.5&newDays=7&move=losers')).toEqual([])
  expect(namesOf('columns=h1.spark&rows=dense&q=x&token=0x1&utm_source=y&category=Anything')).toEqual([])
  expect(namesOf('columns=none')).toEqual([])
})

test('every value that it does not is named with what it would understand', () => {
  expect(namesOf('sort=best&page=0&verified=yes&warned=2&liquidityMin=-1&newDays=1.5&move=up&columns=h1.nope&rows=tiny')).toEqual(
    [...['sort', 'page', 'verified', 'warned', 'liquidityMin', 'newDays', 'move', 'columns', 'rows']],
  )
  expect(findIgnored(new URLSearchParams('newDays=400'))).toEqual([{ name: 'newDays', value: '400', expected: 'days, 1 to 365' }])
  expect(namesOf('liquidityMin=&newDays=%20&columns=toString')).toEqual(['liquidityMin', 'newDays', 'columns'])
})
