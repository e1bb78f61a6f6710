import { expect, test } from 'vitest'
import { keepKeys, takePlaces } from './rowKeys.ts'

const start = keepKeys(new Map(), ['a', 'b', 'c'])

test('each has a key of its own', () => {
  expect([...start]).toEqual([
    ['a', 0],
    ['b', 1],
    ['c', 2],
  ])
})

test('what stays keeps its key wherever it goes; what is new gets one that nobody had', () => {
  expect([...keepKeys(start, ['x', 'c', 'y'])]).toEqual([
    ['x', 3],
    ['c', 2],
    ['y', 4],
  ])
})

test('the rows of another list take the places that are there, also those of what stays', () => {
  const moved = keepKeys(start, ['x', 'c', 'y'])
  expect([...takePlaces(moved, ['c', 'd'])]).toEqual([
    ['c', 3],
    ['d', 2],
  ])
  expect([...takePlaces(moved, ['e', 'y', 'c', 'x'])]).toEqual([
    ['e', 3],
    ['y', 2],
    ['c', 4],
    ['x', 5],
  ])
})
