import { expect, test } from 'vitest'
import { fieldOf, isHex, textOf } from './untrusted.ts'

test.each(['0x', '0xab', '0xAB12'])('%s is hexadecimal text', (text) => {
  expect(isHex(text)).toBe(true)
})

test.each(['', 'ab', '0xg', '0xab ', 12, null, undefined, ['0xab']])('%s is no hexadecimal text', (value) => {
  expect(isHex(value)).toBe(false)
})

test('a field is found in objects, lists and functions, and nowhere else', () => {
  expect(fieldOf({ code: 4001 }, 'code')).toBe(4001)
  expect(fieldOf(['a'], '0')).toBe('a')
  expect(
    fieldOf(
      Object.assign(() => 1, { request: 2 }),
      'request',
    ),
  ).toBe(2)
  expect([undefined, null, 'text', 7, {}].map((value) => fieldOf(value, 'code'))).toEqual(Array(5).fill(undefined))
})

test('a text is text, and not what could be turned into one', () => {
  expect([{ nonce: '0x7' }, { nonce: 7 }, {}].map((value) => textOf(value, 'nonce'))).toEqual(['0x7', undefined, undefined])
})
