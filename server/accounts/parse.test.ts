import { Failure } from '@chainboard/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parsePin } from './parsePin.ts'
import { parseUserAddress } from './parseUserAddress.ts'
import { findUsername, parseUsername } from './parseUsername.ts'

const messageOf = (act: () => unknown) => {
  try {
    act()
  } catch (error) {
    if (error instanceof Failure) return error.message
    throw error
  }
  return undefined
}

describe('a username', () => {
  it('is kept as it was typed, and is one with its other spellings', () => {
    expect(parseUsername('Al.ice_1-X')).toEqual({ username: 'Al.ice_1-X', key: 'al.ice_1-x' })
    expect(findUsername('AL.ICE_1-X')?.key).toBe('al.ice_1-x')
  })

  it.each([[undefined], [null], [''], ['   '], ['\t\n']])('is required: %j', (value) => {
    expect(messageOf(() => parseUsername(value))).toBe('Username is required')
  })

  it.each([
    ['a b', '"a b"'],
    ['аlice', '"аlice"'], // Cyrillic a
    ['ａlice', '"ａlice"'], // full-width a
    ['İstanbul', '"İstanbul"'], // becomes two characters in lower case
    ['\u212a', '"\u212a"'], // the Kelvin sign, whose lower case is an ordinary k
    ['alice\n', '"alice\\n"'],
    ['al\u0000ice', '"al\\u0000ice"'],
    ['alice\u200b', '"alice\u200b"'],
    ["'; drop table users; --", '"\'; drop table users; --"'],
    ['<script>alert(1)</script>', '"<script>alert(1)</script>"'],
    ['../admin', '"../admin"'],
    ['.', '"."'],
    ['..', '".."'],
    [1234, '"number"'],
    [['alice'], '"object"'],
  ])('is never %j', (value, found) => {
    const wanted = '1 to 32 letters (A-Z), digits, underscores, dots or dashes'
    expect(messageOf(() => parseUsername(value))).toBe(`Username: found ${found}, expected ${wanted}`)
    expect(findUsername(value)).toBeUndefined()
  })

  it('has 32 characters at most', () => {
    expect(findUsername('a'.repeat(32))?.key).toBe('a'.repeat(32))
    expect(findUsername('a'.repeat(33))).toBeUndefined()
  })

  it('that is taken from any text is plain ASCII that a path can carry, and only case is lost in its key', () => {
    const nearlyGood = fc.array(fc.oneof(fc.constantFrom(...'aZ09_.-'), fc.string({ unit: 'grapheme', maxLength: 1 })), {
      maxLength: 40,
    })
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary', maxLength: 50 }),
          nearlyGood.map((parts) => parts.join('')),
        ),
        (text) => {
          const name = findUsername(text)
          if (!name) return
          expect(name.username).toBe(text)
          expect(text).toMatch(/^[\x21-\x7e]{1,32}$/)
          expect(encodeURIComponent(text)).toBe(text)
          expect(new URL(`https://board.example/api/users/${text}/wallets`).pathname).toBe(`/api/users/${text}/wallets`)
          expect(name.key).toHaveLength(text.length)
          expect(findUsername(text.toUpperCase())?.key).toBe(name.key)
        },
      ),
      { numRuns: 2_000 },
    )
  })
})

describe('a PIN', () => {
  it('is four digits as text', () => {
    expect(parsePin('0042')).toBe('0042')
  })

  it.each([[undefined], [null], ['']])('is required: %j', (value) => {
    expect(messageOf(() => parsePin(value))).toBe('PIN is required')
    expect(messageOf(() => parsePin(value, 'PIN required'))).toBe('PIN required')
  })

  it.each([['123'], ['12345'], ['12a4'], [' 1234'], ['1234\n'], ['١٢٣٤'], ['1e10'], [1234], [['1234']], [{}]])(
    'is not %j, and what was typed is not repeated',
    (value) => {
      expect(messageOf(() => parsePin(value))).toBe('PIN must be 4 digits')
    },
  )
})

describe('an address of a user', () => {
  const hex = '0123456789abcdefABCDEF'.split('')

  it('is known in any case, and in no other form', () => {
    const forty = fc.array(fc.constantFrom(...hex), { minLength: 40, maxLength: 40 }).map((digits) => `0x${digits.join('')}`)
    fc.assert(
      fc.property(forty, (text) => {
        expect(parseUserAddress('address', text)).toBe(text.toLowerCase())
      }),
    )
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
        expect(messageOf(() => parseUserAddress('address', text))).toMatch(
          /^address: found ".*, expected an address: 0x and 40 hex/s,
        )
      }),
    )
  })

  it.each([
    [undefined, 'address: found nothing, expected an address: 0x and 40 hexadecimal digits'],
    ['0x12', 'address: found "0x12", expected an address: 0x and 40 hexadecimal digits'],
    [7, 'address: found "number", expected an address: 0x and 40 hexadecimal digits'],
    [`0x${'a'.repeat(100)}`, `address: found "0x${'a'.repeat(58)}", expected an address: 0x and 40 hexadecimal digits`],
    [`0X${'a'.repeat(40)}`, `address: found "0X${'a'.repeat(40)}", expected an address: 0x and 40 hexadecimal digits`],
  ])('is not %j', (value, message) => {
    expect(messageOf(() => parseUserAddress('address', value))).toBe(message)
  })
})
