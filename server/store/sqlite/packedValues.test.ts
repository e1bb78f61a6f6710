import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { packHex, packNumber, unpackNumber } from './packedValues.ts'

const bytesOf = (text: string) => [...(packNumber(text) as Uint8Array)]

/** As SQLite hands it out. */
const readOf = (text: string) => {
  const packed = packNumber(text)
  return typeof packed === 'number' ? packed : Buffer.from(packed).toString('hex').toUpperCase()
}

describe('a packed number', () => {
  it('is an integer of SQLite below 2^47, and the fewest bytes from there on', () => {
    expect(['0', '-1', '99999999999999', '140737488355327', '-140737488355328'].map(packNumber)).toEqual([
      0, -1, 99_999_999_999_999, 140_737_488_355_327, -140_737_488_355_328,
    ])
    expect(bytesOf('140737488355328')).toEqual([0, 0x80, 0, 0, 0, 0, 0])
    expect(bytesOf('-140737488355329')).toEqual([0xff, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff])
    // 2^63, which no longer fits into eight bytes with a sign, and the smallest number that does.
    expect(bytesOf('9223372036854775808')).toEqual([0, 0x80, 0, 0, 0, 0, 0, 0, 0])
    expect(bytesOf('-9223372036854775808')).toEqual([0x80, 0, 0, 0, 0, 0, 0, 0])
    expect(bytesOf('18446744073709551616')).toEqual([1, 0, 0, 0, 0, 0, 0, 0, 0])
  })

  it('comes back as it was, from the greatest that a contract has to the smallest', () => {
    const max = 2n ** 256n - 1n
    fc.assert(
      fc.property(
        fc.oneof(fc.bigInt(-(2n ** 255n), max), fc.bigInt(-(2n ** 66n), 2n ** 66n), fc.bigInt(-300n, 300n)),
        (value) => {
          expect(unpackNumber(readOf(String(value)))).toBe(String(value))
        },
      ),
      { numRuns: 2_000 },
    )
    for (const bits of [7n, 8n, 47n, 48n, 63n, 64n, 127n, 128n, 191n, 192n, 255n])
      for (const value of [2n ** bits - 1n, 2n ** bits, -(2n ** bits), -(2n ** bits) - 1n])
        expect(unpackNumber(readOf(String(value)))).toBe(String(value))
    expect(unpackNumber(readOf(String(max)))).toBe(String(max))
  })

  it('has one form, so that equal numbers are equal in SQLite', () => {
    fc.assert(
      fc.property(fc.bigInt(-(2n ** 200n), 2n ** 200n), (value) => {
        const packed = packNumber(String(value))
        if (typeof packed === 'number') return
        const [first, second] = packed as unknown as [number, number]
        // A first byte that says no more than the sign of the second would be one too many.
        expect(first === 0 && second < 0x80).toBe(false)
        expect(first === 0xff && second >= 0x80).toBe(false)
      }),
    )
  })
})

describe('packed hexadecimal', () => {
  it('is its bytes, and any other text stays what it is', () => {
    expect([...(packHex('0x00ff10') as Uint8Array)]).toEqual([0, 0xff, 0x10])
    for (const text of ['0x', '0x7', '0xAB', 'fee', '']) expect(packHex(text)).toBe(text)
  })
})
