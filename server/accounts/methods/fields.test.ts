import { describe, expect, it } from 'vitest'
import { fieldOf, parseMethodName } from './fields.ts'

describe('a field of what came as JSON', () => {
  it('is what the value has itself', () => {
    expect(fieldOf({ a: 1 }, 'a')).toBe(1)
    expect(fieldOf({ a: null }, 'a')).toBeNull()
    expect(fieldOf(JSON.parse('{"__proto__": 7}'), '__proto__')).toBe(7)
  })

  it.each([
    [{}, 'constructor'],
    [{}, 'toString'],
    [[], 'map'],
    [null, 'a'],
    [undefined, 'a'],
    ['text', 'length'],
    [7, 'a'],
  ])('of %j is none called %s', (value, name) => {
    expect(fieldOf(value, name)).toBeUndefined()
  })
})

describe('the name of a passkey or a wallet', () => {
  it('is what the user wrote, without blanks around it', () => {
    expect(parseMethodName('  My phone ', 'Passkey')).toBe('My phone')
    expect(parseMethodName('Ключ 🔑', 'Passkey')).toBe('Ключ 🔑')
    expect(parseMethodName('x'.repeat(40), 'Passkey')).toBe('x'.repeat(40))
  })

  it.each([undefined, null, '', '   '])('is a usual one for %j', (value) => {
    expect(parseMethodName(value, 'Passkey')).toBe('Passkey')
  })

  it.each([
    ['too long', 'x'.repeat(41)],
    ['two lines', 'My\nphone'],
    ['a line separator', 'My\u2028phone'],
    ['a control character', 'My\u0000phone'],
    ['letters that turn the text around', 'My\u202ephone'],
    ['half a character', 'My \ud83d phone'],
  ])('is refused with %s', (_, value) => {
    expect(() => parseMethodName(value, 'Passkey')).toThrow(
      expect.objectContaining({ code: 'request-invalid', message: 'name: expected one line of 40 characters at most' }),
    )
  })

  it('is refused where it is no text', () => {
    expect(() => parseMethodName({}, 'Passkey')).toThrow('name: found object, expected text')
  })
})
