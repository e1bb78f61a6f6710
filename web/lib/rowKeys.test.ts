import { expect, test } from 'vitest'
import { keepKeys, takeOverKeys, takePlaces } from './rowKeys.ts'

const start = takeOverKeys(new Map(), ['a', 'b', 'c'])

test('each has a key of its own', () => {
  expect([...start]).toEqual([
    ['a', 0],
    ['b', 1],
    ['c', 2],
  ])
})

test('what stays keeps its key wherever it goes; what is new takes those of what has gone', () => {
  expect([...takeOverKeys(start, ['x', 'c', 'y'])]).toEqual([
    ['x', 0],
    ['c', 2],
    ['y', 1],
  ])
})

test('a list that grows gets keys that nobody has', () => {
  expect([...takeOverKeys(takeOverKeys(start, ['c']), ['c', 'd', 'e'])]).toEqual([
    ['c', 2],
    ['d', 3],
    ['e', 4],
  ])
})

test('the rows of another list take the places that are there, also those of what stays', () => {
  const moved = takeOverKeys(start, ['x', 'c', 'y'])
  expect([...takePlaces(moved, ['c', 'd'])]).toEqual([
    ['c', 0],
    ['d', 2],
  ])
  expect([...takePlaces(moved, ['e', 'y', 'c', 'x'])]).toEqual([
    ['e', 0],
    ['y', 2],
    ['c', 1],
    ['x', 3],
  ])
})

test('while a row has the focus none becomes that of another', () => {
  expect([...keepKeys(start, ['x', 'c', 'y'])]).toEqual([
    ['x', 3],
    ['c', 2],
    ['y', 4],
  ])
})
