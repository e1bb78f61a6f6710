import { tokenSorts } from '@chainboard/core'
import { describe, expect, it } from 'vitest'
import { bareMarket, bareQuote } from '../testing/bareMarket.ts'
import { compareBy } from './compareTokens.ts'
import type { TokenMarket } from './tokenMarket.ts'

const marketOf = (symbol: string, rank: number, facts: Partial<TokenMarket> = {}): TokenMarket => ({
  ...bareMarket(symbol, rank),
  ...facts,
})

const order = (sort: Parameters<typeof compareBy>[0], ...markets: readonly TokenMarket[]) =>
  markets
    .toSorted(compareBy(sort, ({ token }) => token.name.toLowerCase()))
    .map(({ token }) => token.symbol)
    .join(' ')

describe('a list of tokens that is sorted by a figure', () => {
  const known = [
    marketOf('mid', 1, { change24hPercent: 2 }),
    marketOf('none', 2),
    marketOf('low', 3, { change24hPercent: -40 }),
    marketOf('top', 4, { change24hPercent: 90 }),
  ]

  it('has the tokens without it last, whichever way it is sorted', () => {
    expect(order('changeDesc', ...known)).toBe('top mid low none')
    expect(order('changeAsc', ...known)).toBe('low mid top none')
  })

  it('takes a figure of 0 for a figure', () => {
    const zero = marketOf('zero', 5, { change24hPercent: 0 })
    expect(order('changeAsc', ...known, zero)).toBe('low zero mid top none')
    const noVolume = marketOf('idle', 1, { volume24hUsdE18: 0n })
    expect(order('volumeDesc', marketOf('unread', 2), noVolume)).toBe('idle unread')
  })

  it('keeps the order by market cap among equals, whichever way it is sorted', () => {
    const equals = [3, 1, 2].map((rank) => marketOf(`r${rank}`, rank, { volume24hUsdE18: 7n }))
    expect(order('volumeDesc', ...equals)).toBe('r1 r2 r3')
    expect(order('volumeAsc', ...equals)).toBe('r1 r2 r3')
    const unknown = [2, 1].map((rank) => marketOf(`r${rank}`, rank))
    expect(order('volumeAsc', ...unknown)).toBe('r1 r2')
  })

  it('tells prices apart that are one double', () => {
    const [less, more] = [10n ** 24n, 10n ** 24n + 1n]
    expect(Number(less)).toBe(Number(more))
    const pair = [marketOf('less', 1, { quote: bareQuote(less) }), marketOf('more', 2, { quote: bareQuote(more) })]
    expect(order('priceDesc', ...pair)).toBe('more less')
    expect(order('priceAsc', ...pair)).toBe('less more')
  })

  it('goes by the figure that its name says', () => {
    const e18 = 10n ** 18n
    const recent = { m5: 1, h1: 2, h6: 3 }
    const own = marketOf('own', 2, {
      ...{ quote: bareQuote(9n, 0.9), volume24hUsdE18: 9n, change24hPercent: 9, change7dPercent: 9, depthUsdE18: 9n },
      ...{ recentPercent: recent, organic: { usdE18: 9n * e18, coverage: 1, isChecked: true }, firstTradeAtSeconds: 1 },
    })
    // Better by market cap alone: first wherever the order does not look at the figure.
    const other = marketOf('other', 1, {
      ...{ quote: bareQuote(1n, 0.1), volume24hUsdE18: 1n, change24hPercent: 1, change7dPercent: 1, depthUsdE18: 1n },
      ...{
        recentPercent: { m5: 0, h1: 1, h6: 2 },
        organic: { usdE18: e18, coverage: 1, isChecked: true },
        firstTradeAtSeconds: 9,
      },
    })
    const falling = tokenSorts.filter((sort) => sort.endsWith('Desc') && sort !== 'fdmcDesc' && sort !== 'nameDesc')
    expect(falling).toHaveLength(11)
    for (const sort of falling) expect([sort, order(sort, other, own)]).toEqual([sort, 'own other'])
  })

  it('has the oldest token first where the most age comes first, and tokens of no known age last', () => {
    const ages = [
      marketOf('young', 1, { firstTradeAtSeconds: 900 }),
      marketOf('unknown', 2),
      marketOf('old', 3, { firstTradeAtSeconds: 100 }),
    ]
    expect(order('ageDesc', ...ages)).toBe('old young unknown')
    expect(order('ageAsc', ...ages)).toBe('young old unknown')
  })
})

describe('a list of tokens that is sorted by market cap', () => {
  it('is turned round for the smallest first, but for tokens without a price, which stay last in their order', () => {
    const markets = [
      marketOf('big', 1, { quote: bareQuote(1n) }),
      marketOf('small', 2, { quote: bareQuote(1n) }),
      marketOf('first', 3),
      marketOf('second', 4),
    ]
    expect(order('fdmcDesc', ...markets.toReversed())).toBe('big small first second')
    expect(order('fdmcAsc', ...markets.toReversed())).toBe('small big first second')
  })
})

describe('a list of tokens that is sorted by name', () => {
  it('goes by the name it is given, both ways, and by market cap where two share one', () => {
    const markets = [marketOf('b', 3), marketOf('A', 4), marketOf('B', 1), marketOf('c', 2)]
    expect(order('nameAsc', ...markets)).toBe('A B b c')
    expect(order('nameDesc', ...markets)).toBe('c B b A')
  })
})
