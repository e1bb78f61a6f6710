import { expect, it } from 'vitest'
import { toAddress } from './networkFile.ts'

it('an address of a file is taken in any spelling, and anything else is a problem of the file', () => {
  expect(toAddress('0xABCDEFabcdef0123456789ABCDEF0123456789aB')).toBe('0xabcdefabcdef0123456789abcdef0123456789ab')
  expect(() => toAddress('0x12')).toThrow(
    expect.objectContaining({ code: 'config-invalid', message: 'Found 0x12, expected an address' }),
  )
})
