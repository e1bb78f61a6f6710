import { describe, expect, it } from 'vitest'
import { findErrorCode } from './errorCode.ts'
import { fieldsOf, isFields } from './fields.ts'
import { getFrom } from './getFrom.ts'

describe('the fields of something unknown', () => {
  it.each([null, undefined, 7, 'text', true, Symbol('s'), [5]])('are none in %s', (value) => {
    expect(isFields(value)).toBe(false)
    expect(fieldsOf(value)['length']).toBeUndefined()
  })

  it('are what it has, an error its message and cause', () => {
    expect(fieldsOf({ a: null })).toEqual({ a: null })
    expect(fieldsOf({ a: 0 })['b']).toBeUndefined()
    const { name, cause } = fieldsOf(new DOMException('late', 'TimeoutError'))
    expect([name, cause]).toEqual(['TimeoutError', undefined])
  })
})

describe('the code of an error', () => {
  it('is the text that systems, databases and Node give it', () => {
    expect(findErrorCode(Object.assign(new Error('no file'), { code: 'ENOENT' }))).toBe('ENOENT')
    // As after a way through a thread, which makes plain objects of errors.
    expect(findErrorCode({ code: '55P03' })).toBe('55P03')
  })

  it.each([new Error('plain'), { code: 20 }, { code: undefined }, null, undefined, 'ENOENT'])('is none of %o', (error) => {
    expect(findErrorCode(error)).toBeUndefined()
  })
})

it('a key that has to be in a map is a bug where it is not', () => {
  const map = new Map([['a', 0]])
  expect(getFrom(map, 'a')).toBe(0)
  expect(() => getFrom(map, 'b')).toThrow(new RangeError('No entry of b'))
})
