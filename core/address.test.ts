import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isSameHex, parseAddress, requireAddress, toLowerHex, wordToAddress } from './address.ts'

describe('an address', () => {
  it('is read in any case of letters, and kept in lower case', () => {
    const checksummed = '0x9fE46736679d2D9a65F0992F2272dE9f3c7fa6e0'
    expect(parseAddress(checksummed)).toBe('0x9fe46736679d2d9a65f0992f2272de9f3c7fa6e0')
    expect(parseAddress(`0x${checksummed.slice(2).toUpperCase()}`)).toBe('0x9fe46736679d2d9a65f0992f2272de9f3c7fa6e0')
  })

  it.each([
    ['nothing', ''],
    ['no 0x', '9fE46736679d2D9a65F0992F2272dE9f3c7fa6e000'],
    ['a large X', '0X9fE46736679d2D9a65F0992F2272dE9f3c7fa6e0'],
    ['a digit less', '0x9fE46736679d2D9a65F0992F2272dE9f3c7fa6e'],
    ['a digit more', '0x9fE46736679d2D9a65F0992F2272dE9f3c7fa6e00'],
    ['a letter that is none of 16', '0x9fE46736679d2D9a65F0992F2272dE9f3c7fa6eg'],
    ['a space before it', ' 0x9fE46736679d2D9a65F0992F2272dE9f3c7fa6e0'],
    ['a line break behind it', '0x9fE46736679d2D9a65F0992F2272dE9f3c7fa6e0\n'],
    ['a full-width digit', '0x9fE46736679d2D9a65F0992F2272dE9f3c7fa6e\uFF10'],
  ])('is no text with %s', (_, text) => expect(parseAddress(text)).toBeUndefined())

  it('is its own spelling once it is read', () =>
    fc.assert(
      fc.property(fc.stringMatching(/^0x[0-9a-fA-F]{40}$/), (text) => {
        const read = parseAddress(text)
        expect(read).toMatch(/^0x[0-9a-f]{40}$/)
        expect(parseAddress(read ?? '')).toBe(read)
        expect(read).toBe(toLowerHex(text))
      }),
    ))
})

it('bytes of any length become lower case', () => {
  expect(toLowerHex('0x')).toBe('0x')
  expect(toLowerHex('0xABcdEF01')).toBe('0xabcdef01')
})

it('an address that has to be one is taken in any spelling, and refused with the code of its reader', () => {
  expect(requireAddress('0xABCDEFabcdef0123456789ABCDEF0123456789aB', 'upstream-invalid')).toBe(
    '0xabcdefabcdef0123456789abcdef0123456789ab',
  )
  expect(() => requireAddress('0x12', 'upstream-invalid')).toThrow(
    expect.objectContaining({ code: 'upstream-invalid', message: 'Found 0x12, expected an address' }),
  )
})

it('the address of a word is its last 20 bytes, in lower case', () => {
  const word = '0x000000000000000000000000ABCDEFabcdef0123456789ABCDEF0123456789aB'
  expect(wordToAddress(word)).toBe('0xabcdefabcdef0123456789abcdef0123456789ab')
})

it('tells whether two spellings are of the same bytes', () => {
  expect(isSameHex('0x9fE46736', '0x9fe46736')).toBe(true)
  expect(isSameHex('0x9fE46736', '0x9fe46737')).toBe(false)
  expect(isSameHex('0x9fE46736', null)).toBe(false)
  expect(isSameHex(undefined, undefined)).toBe(false)
})
