import { expect, test } from 'vitest'
import { RequestError } from '../../lib/fetchJson.ts'
import { findFormProblem, formatCountdown, toAuthFailure } from './authFailure.ts'

test('a form wants a name, then a PIN, then four digits', () => {
  expect(findFormProblem({ username: ' ', pin: '' })).toEqual({ text: 'Username is required', field: 'username' })
  expect(findFormProblem({ username: 'bob', pin: '' })).toEqual({ text: 'PIN is required', field: 'pin' })
  expect(findFormProblem({ username: 'bob', pin: '123' })).toEqual({ text: 'PIN must be 4 digits', field: 'pin' })
  expect(findFormProblem({ username: 'bob', pin: '0000' })).toBeUndefined()
})

test("the server's text replaces ours, and stands at the field it is about", () => {
  const failure = (status: number, serverText: string) =>
    toAuthFailure(new RequestError('x', { status, serverText }), 'Login failed')
  expect(failure(409, 'Username is already taken')).toEqual({ text: 'Username is already taken', field: 'username' })
  expect(failure(400, 'Username: found "a b", expected 1 to 32 letters')).toMatchObject({ field: 'username' })
  expect(failure(400, 'PIN must be 4 digits')).toMatchObject({ field: 'pin' })
  expect(failure(400, 'code: expected a sign-in code')).toMatchObject({ field: 'code' })
  expect(failure(401, 'Invalid PIN')).toEqual({ text: 'Invalid PIN', field: 'pin' })
  expect(failure(503, 'Busy')).toEqual({ text: 'Busy' })
})

test('a call without an answer has our text, and a fault of ours is not taken for one', () => {
  expect(toAuthFailure(new RequestError('x'), 'Login failed')).toEqual({ text: 'Login failed' })
  expect(() => toAuthFailure(new TypeError('x is undefined'), 'Login failed')).toThrow('x is undefined')
})

test('a wait is counted in the units that fit it', () => {
  expect([0, 0.2, 30, 59, 60, 245, 3_599].map(formatCountdown)).toEqual(['0s', '1s', '30s', '59s', '1:00', '4:05', '59:59'])
  expect([3_600, 7_500, 86_399, 86_400, 273_600].map(formatCountdown)).toEqual(['1h 0m', '2h 5m', '23h 59m', '1d 0h', '3d 4h'])
})
