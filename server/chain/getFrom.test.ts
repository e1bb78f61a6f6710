import { expect, it } from 'vitest'
import { getFrom } from './getFrom.ts'
import { rangeEnds } from './rangeEnds.ts'

const header = (number: number) => ({ number, hash: '0x01', parentHash: '0x00', timestampSeconds: 1_000 + number }) as const

it('what a map lacks is named, and 0 is not lacking', () => {
  const counts = new Map([['a', 0]])
  expect(getFrom(counts, 'a')).toBe(0)
  expect(() => getFrom(counts, 'b')).toThrow(new RangeError('Nothing is known of b'))
})

it('a range ends with its first and its last header, which may be one', () => {
  expect(rangeEnds({ headers: [header(4), header(5), header(9)] }).map(({ number }) => number)).toEqual([4, 9])
  expect(rangeEnds({ headers: [header(4)] }).map(({ number }) => number)).toEqual([4, 4])
  expect(() => rangeEnds({ headers: [] })).toThrow(RangeError)
})
