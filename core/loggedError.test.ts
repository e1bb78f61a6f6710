import { expect, it } from 'vitest'
import { Failure } from './failure.ts'
import { toLoggedError } from './loggedError.ts'

const key = 'Zq7Xw2Vb9Lk4Mn8Pq1Rs5Tu6'

const catchOf = (work: () => unknown): unknown => {
  try {
    return work()
  } catch (error) {
    return error
  }
}

it('an error of a node names neither its URL nor its key, however deep it stands', () => {
  const asked = new Error(`HTTP request failed.\n\nURL: https://rpc.example/v2/${key}\nRequest body: {}`)
  const refused = new Failure('rpc-unavailable', 'The node is not responding', { cause: asked, detail: { said: `no ${key}` } })
  const logged = toLoggedError(new Failure('rpc-unavailable', 'The senders cannot be read', { cause: refused }))
  expect(logged).toEqual({
    type: 'Failure',
    message: 'The senders cannot be read',
    code: 'rpc-unavailable',
    causes: ['Failure: The node is not responding', 'Error: HTTP request failed. URL: … Request body: {}'],
    stack: '',
  })
  expect(toLoggedError(refused).detail).toBe('{"said":"no …"}')
})

it('is cut where an upstream has much to say', () => {
  const logged = toLoggedError(new Error('a '.repeat(5_000), { cause: new Error('b '.repeat(5_000)) }))
  expect(logged.message).toBe(`${'a '.repeat(150)}…`)
  expect(logged.causes).toEqual([`Error: ${'b '.repeat(146)}b…`])
})

it('a bug keeps the places that led to it, and no more than 15', () => {
  const deep = (depth: number): never => {
    if (depth > 0) return deep(depth - 1)
    throw new TypeError('a slip')
  }
  const logged = toLoggedError(catchOf(() => deep(40)))
  expect(logged).toMatchObject({ type: 'TypeError', message: 'a slip' })
  const places = logged.stack.split('\n')
  expect(places).toHaveLength(Math.min(15, Error.stackTraceLimit))
  expect(places[0]).toMatch(/^at deep .*loggedError\.test\.ts/)
})

it('names what is behind several errors at once, and ends at five causes', () => {
  const chainOf = (depth: number): Error => new Error(`cause ${depth}`, depth < 9 ? { cause: chainOf(depth + 1) } : {})
  expect(toLoggedError(chainOf(0)).causes).toEqual([1, 2, 3, 4, 5].map((depth) => `Error: cause ${depth}`))
  expect(toLoggedError(new AggregateError([new Error('connect ECONNREFUSED')], '')).causes).toEqual([
    'Error: connect ECONNREFUSED',
  ])
  expect(toLoggedError('a word')).toEqual({ type: 'string', message: 'a word', stack: '' })
})
