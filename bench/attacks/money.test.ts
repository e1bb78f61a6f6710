import { describe, expect, it } from 'vitest'
import { capitalUsd, costUsd } from './money.ts'

const prices = new Map([
  ['USDC', 1],
  ['WEMB', 1_500],
])

describe('what an attack cost', () => {
  it('is what was held before less what is held after, at honest prices', () => {
    const before = new Map([
      ['USDC', 10_000],
      ['WEMB', 4],
    ])
    // Paid 4,000 USDC for 2.6 coins: 100 dollars lost.
    const after = new Map([
      ['USDC', 6_000],
      ['WEMB', 6.6],
    ])
    expect(costUsd(before, after, prices)).toBeCloseTo(100, 9)
  })

  it('is negative when the attacker gained', () => {
    expect(costUsd(new Map([['USDC', 5]]), new Map([['USDC', 8]]), prices)).toBe(-3)
  })

  it('counts nothing for tokens that the attacker made itself', () => {
    expect(costUsd(new Map([['OWN', 1_000_000]]), new Map(), prices)).toBe(0)
  })

  it('counts a token that was spent to the last', () => {
    expect(costUsd(new Map([['WEMB', 1]]), new Map(), prices)).toBe(1_500)
  })
})

describe('the capital of an attack', () => {
  it('is the most that was out of its hands at once, though it came back', () => {
    const moves = [
      { symbol: 'USDC', whole: -3_000 },
      { symbol: 'WEMB', whole: -1 },
      { symbol: 'WEMB', whole: 1 },
      { symbol: 'USDC', whole: 2_999 },
    ]
    expect(capitalUsd(moves, prices)).toBe(4_500)
  })

  it('is nothing while borrowed money is spent, but what is paid for the loan', () => {
    const moves = [
      { symbol: 'USDC', whole: 95_000 },
      { symbol: 'USDC', whole: -85_000 },
      { symbol: 'USDC', whole: 85_000 },
      { symbol: 'USDC', whole: -95_047.5 },
    ]
    expect(capitalUsd(moves, prices)).toBeCloseTo(47.5, 6)
  })

  it('does not set off one token by another: what was bought at a false price is no money', () => {
    // A pool hands out what was bought before it is paid.
    const moves = [
      { symbol: 'WEMB', whole: 2 },
      { symbol: 'USDC', whole: -3_000 },
    ]
    expect(capitalUsd(moves, prices)).toBe(3_000)
  })
})
