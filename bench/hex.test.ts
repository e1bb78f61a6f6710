import { expect, it } from 'vitest'
import { toAddress, toHex } from './hex.ts'
import { NotMeasured } from './notMeasured.ts'

it('takes addresses in any spelling, and hexadecimal as it is', () => {
  expect(toAddress('0xC02AAA39B223FE8D0A0E5C4F27EAD9083C756CC2')).toBe('0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2')
  expect(toHex('0xAb')).toBe('0xAb')
})

it('names what is neither', () => {
  expect(() => toAddress('0xC02A')).toThrow(new NotMeasured('Found 0xC02A, expected an address'))
  expect(() => toAddress(undefined)).toThrow('Found undefined, expected an address')
  expect(() => toHex('ab')).toThrow('Found ab, expected hexadecimal')
  expect(() => toHex(7)).toThrow(NotMeasured)
})
