import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hashApiKey, isApiKey, lastCharacters, makeApiKey, maskApiKey } from './keyFormat.ts'

/** The checksum of 32 zeros: CRC-32 0xa0f292d0 = 2700251856, in base 62 of 0-9A-Za-z. */
const zeros = `cb_${'0'.repeat(32)}2wjyrI`

describe('a key', () => {
  it('is a prefix, 32 random characters and a checksum, never twice the same', () => {
    const keys = Array.from({ length: 500 }, makeApiKey)
    expect(new Set(keys).size).toBe(500)
    for (const key of keys) {
      expect(key).toMatch(/^cb_[0-9A-Za-z]{38}$/)
      expect(isApiKey(key)).toBe(true)
    }
    // Every character of 62 is there: 16,000 draws miss one with a chance of 10^-111.
    expect(new Set(keys.flatMap((key) => [...key.slice(3, 35)])).size).toBe(62)
  })

  it('is known by its checksum', () => {
    expect(isApiKey(zeros)).toBe(true)
    expect(isApiKey(`cb_${'0'.repeat(32)}000000`)).toBe(false)
  })

  it('with any one character changed is none', () => {
    const key = makeApiKey()
    fc.assert(
      fc.property(fc.nat(key.length - 1), fc.constantFrom(...'0123456789ABCxyz_- é'), (at, character) => {
        fc.pre(key[at] !== character)
        expect(isApiKey(key.slice(0, at) + character + key.slice(at + 1))).toBe(false)
      }),
    )
    for (const text of ['', 'cb_', ` ${key}`, `${key} `, `${key}\n`, key.toLowerCase(), key.slice(3), `${key}0`])
      expect(isApiKey(text)).toBe(false)
  })

  it('is stored as SHA-256 and shown as a mask', () => {
    expect(hashApiKey(zeros)).toBe(createHash('sha256').update(zeros).digest('hex'))
    expect(maskApiKey(lastCharacters(zeros))).toBe('cb_••••jyrI')
  })
})
