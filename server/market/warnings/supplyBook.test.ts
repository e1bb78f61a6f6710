import type { Address } from '@chainboard/core'
import { describe, expect, it } from 'vitest'
import { createSupplyBook } from './supplyBook.ts'
import { contradictSupply, warnOfChange, warnOfContradiction } from './supplyText.ts'

const token = `0x${'1'.repeat(40)}` as Address
/** 2026-11-23 14:00 UTC. */
const start = 1_795_442_400

/** A book that was told a supply every half minute. @returns what it warns of at the end */
function read(supplies: readonly number[], { everySeconds = 30, laterSeconds = 0 } = {}) {
  const book = createSupplyBook((listed) => listed === token)
  supplies.forEach((supply, i) => {
    book.note(token, { supply, storedSupply: 0, decimals: 18 }, start + i * everySeconds)
  })
  const nowSeconds = start + (supplies.length - 1) * everySeconds + laterSeconds
  return { book, texts: warnOfChange(book.findChange(token, nowSeconds)).map(({ text }) => text) }
}

describe('a supply that changed', () => {
  it('says from what, to what and when', () => {
    const { texts } = read([1_000_000, 1_000_000, 1_000_000, 10_000_000, 10_000_000])
    expect(texts).toEqual([
      'The supply changed from 1,000,000 to 10,000,000 between 2026-11-23 14:01:30 and 2026-11-23 14:02:00 UTC',
    ])
  })

  it.each([
    ['stays', [100, 100, 100, 100]],
    ['grows by 10 %', [100, 100, 100, 110, 110, 110]],
    ['is answered wrongly once', [100, 100, 100, 0, 100, 100, 100]],
    ['is answered wrongly once at first', [0, 100, 100, 100]],
  ])('no word of one that %s', (_, supplies) => {
    expect(read(supplies).texts).toEqual([])
  })

  it('a rebase to a tenth shows, and one that comes in steps', () => {
    expect(read([100, 100, 100, 10, 10]).texts).toHaveLength(1)
    expect(read([100, 100, 100, 104, 108, 112, 116, 120]).texts).toEqual([
      'The supply changed from 100 to 116 between 2026-11-23 14:01:30 and 2026-11-23 14:03:30 UTC',
    ])
  })

  it('no word of one whose decimals the index had wrong: it is only counted otherwise', () => {
    const { book } = read([400, 400, 400])
    for (const seconds of [90, 120, 150]) book.note(token, { supply: 4, storedSupply: 4, decimals: 20 }, start + seconds)
    expect(book.findChange(token, start + 150)).toBeUndefined()
    expect(book.findServed(token, start + 150)).toBe(4)
  })

  it('one that changes with every reading is seen, and does not fill the memory', () => {
    const supplies = [100, 100, 100, ...Array.from({ length: 400 }, (_, i) => 1_000 + i)]
    expect(read(supplies).texts).toEqual([
      'The supply changed from 100 to 1,398 between 2026-11-23 14:01:30 and 2026-11-23 17:21:00 UTC',
    ])
  })

  it('is over a day later', () => {
    const supplies = [100, 100, 100, 500, 500]
    expect(read(supplies, { laterSeconds: 86_000 }).texts).toHaveLength(1)
    expect(read(supplies, { laterSeconds: 86_400 }).texts).toEqual([])
  })

  it('of a token that is not listed nothing is kept', () => {
    const { book } = read([1, 1, 1])
    const stranger = `0x${'2'.repeat(40)}` as Address
    for (let i = 0; i < 3; i += 1) book.note(stranger, { supply: 1, storedSupply: 0, decimals: 18 }, start)
    expect(book.find(stranger)).toBeUndefined()
  })
})

describe("a list's supply and the chain's", () => {
  it('differ by more than 1 %', () => {
    expect(contradictSupply(400_000_000, 500_000_000)).toBe('400,000,000, but 500,000,000 on the chain')
    expect(contradictSupply(1_010_000, 1_000_000)).toBeUndefined()
    expect(contradictSupply(1_010_001, 1_000_000)).toBe('1,010,001, but 1,000,000 on the chain')
    expect(contradictSupply(0.5, 0)).toBe('0.5, but 0 on the chain')
  })

  it('are not compared where one is not known', () => {
    expect(warnOfContradiction(undefined, 5)).toEqual([])
    expect(warnOfContradiction(5, undefined)).toEqual([])
    expect(warnOfContradiction(5, 10)).toEqual([
      { code: 'supply-contradicts', text: 'The listed supply is 5, but 10 on the chain' },
    ])
  })

  it('the chain counts by three readings, so that one of them may be wrong', () => {
    expect(read([100, 100]).book.find(token)).toBeUndefined()
    expect(read([100, 0, 100]).book.find(token)).toBe(100)
  })
})
