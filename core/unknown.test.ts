import { describe, expect, it } from 'vitest'
import { findErrorCode } from './errorCode.ts'
import { getFrom } from './getFrom.ts'
import { readField } from './readField.ts'

describe('a field of something unknown', () => {
  it.each([null, undefined, 7, 'text', true, Symbol('s')])('is not there in %s', (value) => {
    expect(readField(value, 'length')).toBeUndefined()
  })

  it('is whatever stands there', () => {
    expect(readField({ a: null }, 'a')).toBeNull()
    expect(readField({ a: 0 }, 'b')).toBeUndefined()
    expect(readField([5], '0')).toBe(5)
    expect(readField(JSON.parse('{"__proto__":1}'), '__proto__')).toBe(1)
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
