import { expect, test } from 'vitest'
import { RequestError } from './fetchJson.ts'
import { toQueryState } from './queryState.ts'

const nothing = { data: undefined, error: null, isPlaceholderData: false, dataUpdatedAt: 0 }
const isEmpty = (list: readonly number[]) => list.length === 0

test('without data and without a failure the screen waits', () => {
  expect(toQueryState<number[]>(nothing, isEmpty)).toEqual({ kind: 'waiting' })
})

test('without data a failure is shown, with the words of the server when it gave some', () => {
  const error = new RequestError('x', { status: 500, serverText: 'No pool address provided' })
  expect(toQueryState<number[]>({ ...nothing, error }, isEmpty)).toEqual({
    kind: 'failed',
    serverText: 'No pool address provided',
  })
  expect(toQueryState<number[]>({ ...nothing, error: new TypeError('x') }, isEmpty)).toEqual({
    kind: 'failed',
    serverText: undefined,
  })
})

test('a failed refresh keeps the data and says since when', () => {
  expect(toQueryState({ ...nothing, data: [1], error: new TypeError('x'), dataUpdatedAt: 1000 }, isEmpty)).toEqual({
    kind: 'ready',
    data: [1],
    failedSinceMs: 1000,
    isPrevious: false,
  })
})

test('an empty answer is empty, but the empty answer to the previous question is not', () => {
  expect(toQueryState({ ...nothing, data: [] }, isEmpty).kind).toBe('empty')
  expect(toQueryState({ ...nothing, data: [], isPlaceholderData: true }, isEmpty).kind).toBe('ready')
})
