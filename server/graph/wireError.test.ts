import { Failure } from '@chainboard/core'
import { buildSchema, GraphQLError, parse, validate } from 'graphql'
import { describe, expect, it } from 'vitest'
import { parseBody } from './graphBody.ts'
import { argumentError, debugText, GraphRefusal, rangeError, SchemaFault } from './graphError.ts'
import { errorBody, isBug, isOfStore, toWireError } from './wireError.ts'

describe('an error as it goes out', () => {
  const schema = buildSchema('type Pool { id: ID } type Query { pool(id: ID!): Pool pools(first: Int): [Pool] }')
  const saidOf = (query: string) => validate(schema, parse(query)).map((error) => toWireError(error).message)

  it('is in the words that clients of The Graph look for, with its place', () => {
    expect(saidOf('{ pools { ids } }')).toEqual(['Type `Pool` has no field `ids`'])
    expect(saidOf('{ pool { id } }')).toEqual(['No value provided for required argument: `id`'])
    const [error] = validate(schema, parse('{ pools { ids } }'))
    expect(toWireError(error)).toEqual({ message: 'Type `Pool` has no field `ids`', locations: [{ line: 1, column: 11 }] })
  })

  it.each([
    ['Argument "first" has invalid value "x".', 'Invalid value provided for argument `first`: "x"'],
    ['Variable "$id" got invalid value 5; a text is expected', 'Invalid value provided for argument `id`: 5; a text is expected'],
    ['Variable "$id" of required type "ID!" was not provided.', 'No value provided for required variable `id`'],
    ['Unknown operation named "q".', 'Operation name not found `q`'],
    ['Must provide operation name if query contains multiple operations.', 'Operation name required'],
    ['Something that no client knows', 'Something that no client knows'],
  ])('translates %s', (said, message) => expect(toWireError(new GraphQLError(said)).message).toBe(message))

  it('tells what a caller or the world did, and of our own bugs nothing', () => {
    const silent = 'Store error: the query could not be run'
    const busy = new Failure('store-unavailable', 'The database is not responding', { retryable: true })
    expect(toWireError(busy)).toEqual({ message: 'The database is not responding' })
    // As the library wraps what a resolver throws.
    const wrapped = new GraphQLError('wrapped', { originalError: busy })
    expect([toWireError(wrapped).message, isBug(wrapped), isOfStore(wrapped)]).toEqual([busy.message, false, true])
    for (const bug of [new TypeError('secret'), new SchemaFault('There is no entity X'), 'a text', undefined]) {
      expect([toWireError(bug).message, isBug(bug), isOfStore(bug)]).toEqual([silent, true, false])
      if (bug instanceof Error) expect(toWireError(new GraphQLError('x', { originalError: bug })).message).toBe(silent)
    }
    expect([isBug(new GraphRefusal('no')), isOfStore(new GraphRefusal('no'))]).toEqual([false, false])
    expect(isOfStore(new Failure('rpc-unavailable', 'The node is not responding'))).toBe(false)
  })

  it('is never long', () => {
    expect(toWireError(new GraphRefusal('x'.repeat(501))).message).toBe(`${'x'.repeat(500)}…`)
    expect(toWireError(new GraphRefusal('x'.repeat(500))).message).toHaveLength(500)
    expect(errorBody('a "b"')).toBe('{"errors":[{"message":"a \\"b\\""}]}')
  })
})

describe('a value in an error', () => {
  it.each([
    [null, 'Null'],
    [undefined, 'Null'],
    ['a"b', 'String("a\\"b")'],
    [7, 'Int(7)'],
    [7.5, 'Float(7.5)'],
    [true, 'Boolean(true)'],
    [{ a: 1, b: [null, 'x'] }, 'Object({"a": Int(1), "b": List([Null, String("x")])})'],
    [{ a: { b: { c: { d: { e: 1 } } } } }, 'Object({"a": Object({"b": Object({"c": Object({"d": Object({"e": …})})})})})'],
  ])('%j reads %s', (value, text) => expect(debugText(value)).toBe(text))

  it('is cut, whatever its size', () => {
    expect(debugText('x'.repeat(10_000))).toHaveLength(201)
    expect(debugText(Array(1_000).fill(1)).match(/Int/g)).toHaveLength(10)
    expect(argumentError('where', 7).message).toBe('Invalid value provided for argument `where`: Int(7)')
    expect(rangeError('first', 1_000, 1_001).message).toBe('The `first` argument must be between 0 and 1000, but is 1001')
  })
})

describe('the body of a request', () => {
  it('is a query with its variables and the name of what is to run', () => {
    expect(parseBody('{"query":"{ a }"}')).toEqual({ query: '{ a }', variables: {}, operationName: undefined })
    expect(parseBody('{"query":"q","variables":null,"operationName":"","extensions":{}}')).toEqual({
      ...{ query: 'q', variables: {}, operationName: undefined },
    })
    expect(parseBody('{"query":"q","variables":{"a":[1,{"b":null}]},"operationName":"n"}')).toEqual({
      ...{ query: 'q', variables: { a: [1, { b: null }] }, operationName: 'n' },
    })
  })

  it.each([
    ['', 'The request is not JSON'],
    ['{"query":', 'The request is not JSON'],
    ['7', 'The request is not a JSON object'],
    ['null', 'The request is not a JSON object'],
    ['[{"query":"q"}]', 'Several queries in one request are not supported'],
    ['{}', 'The "query" field is missing in request data'],
    ['{"query":null}', 'The "query" field is missing in request data'],
    ['{"query":7}', 'The "query" field is not a string'],
    ['{"query":"q","variables":"{}"}', 'The "variables" field is not an object'],
    ['{"query":"q","variables":[1]}', 'The "variables" field is not an object'],
    [`{"query":"q","variables":${'['.repeat(60)}${']'.repeat(60)}}`, 'The request is nested more than 40 levels deep'],
  ])('is not %s', (text, reason) => {
    expect(() => parseBody(text)).toThrow(new GraphRefusal(`GraphQL server error (client error): ${reason}`))
  })
})
