import { expect, test } from 'vitest'
import { takeOverKeys } from './rowKeys.ts'

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
