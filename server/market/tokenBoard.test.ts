import { type Address, daySeconds, tokenSorts } from '@chainboard/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Quote } from './source.ts'
import type { Snapshot } from './takeSnapshot.ts'
import { keepTokenBoard } from './tokenBoard.ts'
import type { ListedToken } from './tokenList.ts'
import type { TokenMarket } from './tokenMarket.ts'

const toToken = (name: string, symbol: string, place: number, rest: Partial<ListedToken> = {}) =>
  ({ id: `0x${String(place).padStart(40, '0')}` as Address, name, symbol, category: '', verified: false, ...rest }) as ListedToken

const tokens = [
  toToken('Zebra', 'ZEB', 0, { category: 'DeFi' }),
  { ...toToken('apple', 'APP', 1), stakingContract: `0x${'5'.repeat(40)}` as Address },
  toToken('Basalt', 'BSLT', 2),
  toToken('Apple', 'PIE', 3, { category: 'DeFi', verified: true }),
  toToken('İstanbul', 'IST', 4, { category: 'Art' }),
]

type Figures = {
  readonly usd: number | undefined
  readonly volume: number
  readonly change: number | undefined
  readonly rest?: Partial<TokenMarket>
}

/** A market in which the ranks are the places given. */
function toSnapshot(figures: readonly Figures[], ranks: readonly number[], list = tokens): Snapshot {
  const markets = list.map((token, i) => {
    const { usd, volume = 0, change, rest } = figures[i] ?? { usd: undefined, change: undefined }
    const quote = usd === undefined ? undefined : ({ usdE18: BigInt(usd) } as Quote)
    const own = { token, quote, change24hPercent: change, volume24hUsdE18: BigInt(volume), rank: ranks[i], warnings: [] }
    return { ...own, ...rest } as TokenMarket
  })
  const byToken = new Map(markets.map((market) => [market.token.id, market]))
  const atBlock = { number: 1, hash: '0x00', timestampSeconds: 10 * daySeconds } as const
  return { atBlock, markets, byToken }
}

const symbolsOf = (markets: readonly TokenMarket[]) => markets.map(({ token }) => token.symbol)

describe('the board', () => {
  const day = (number: number) => number * daySeconds
  const e18 = 10n ** 18n
  const at1h = (h1: number) => ({ m5: undefined, h1, h6: undefined })
  const figures: readonly Figures[] = [
    {
      ...{ usd: 5, volume: 1, change: -3 },
      rest: { recentPercent: at1h(-1), depthUsdE18: 1_000n * e18, firstTradeAtSeconds: day(9) },
    },
    {
      ...{ usd: 7, volume: 9, change: undefined },
      rest: { depthUsdE18: 5_000n * e18, warnings: [{ code: 'lookalike', text: '' }] },
    },
    { ...{ usd: undefined, volume: 0, change: undefined }, rest: { firstTradeAtSeconds: day(8) } },
    { ...{ usd: 5, volume: 4, change: 12 }, rest: { firstTradeAtSeconds: day(8) - 1, depthUsdE18: 0n } },
    { ...{ usd: 1, volume: 4, change: 0 }, rest: { recentPercent: at1h(2) } },
  ]
  const board = keepTokenBoard(() => snapshot)
  const snapshot = toSnapshot(figures, [1, 2, 5, 3, 4])

  it.each([
    ['fdmcDesc', ['ZEB', 'APP', 'PIE', 'IST', 'BSLT']],
    ['priceDesc', ['APP', 'ZEB', 'PIE', 'IST', 'BSLT']],
    ['volumeDesc', ['APP', 'PIE', 'IST', 'ZEB', 'BSLT']],
    ['changeDesc', ['PIE', 'IST', 'ZEB', 'APP', 'BSLT']],
    ['nameAsc', ['APP', 'PIE', 'BSLT', 'IST', 'ZEB']],
  ] as const)('orders by %s; what lacks the figure comes last, and what ties stands by market cap', (sort, symbols) => {
    expect(symbolsOf(board().slice({ sort }).markets)).toEqual(symbols)
  })

  it.each([
    ['fdmcAsc', ['IST', 'PIE', 'APP', 'ZEB', 'BSLT']],
    ['priceAsc', ['IST', 'ZEB', 'PIE', 'APP', 'BSLT']],
    ['changeAsc', ['ZEB', 'IST', 'PIE', 'APP', 'BSLT']],
    ['nameDesc', ['ZEB', 'IST', 'BSLT', 'APP', 'PIE']],
    ['change1hDesc', ['IST', 'ZEB', 'APP', 'PIE', 'BSLT']],
    ['change1hAsc', ['ZEB', 'IST', 'APP', 'PIE', 'BSLT']],
    ['liquidityDesc', ['APP', 'ZEB', 'PIE', 'IST', 'BSLT']],
    ['ageDesc', ['PIE', 'BSLT', 'ZEB', 'APP', 'IST']],
    ['ageAsc', ['ZEB', 'BSLT', 'PIE', 'APP', 'IST']],
  ] as const)('orders by %s the other way, and by further figures; what lacks the figure is last either way', (sort, symbols) => {
    expect(symbolsOf(board().slice({ sort }).markets)).toEqual(symbols)
  })

  it.each([
    [{ category: 'DeFi' }, ['ZEB', 'PIE']],
    [{ category: 'DeFi', verified: true }, ['PIE']],
    [{ verified: false }, ['ZEB', 'APP', 'IST', 'BSLT']],
    [{ liquidityMinUsd: 1_000 }, ['ZEB', 'APP']],
    [{ liquidityMinUsd: 1_000.5 }, ['APP']],
    [{ newDays: 2 }, ['ZEB', 'BSLT']],
    [{ newDays: 1 }, ['ZEB']],
    [{ move: 'gainers' }, ['PIE']],
    [{ move: 'losers' }, ['ZEB']],
    [{ warned: true }, ['APP']],
    [{ warned: false, move: 'gainers' }, ['PIE']],
    [{}, ['ZEB', 'APP', 'PIE', 'IST', 'BSLT']],
  ] as const)('lets the tokens of %j through and no others', (filter, symbols) => {
    expect(symbolsOf(board().slice({ filter, sort: 'fdmcDesc' }).markets)).toEqual(symbols)
  })

  it('counts the tokens of each category, the most frequent first', () => {
    expect(board().categories()).toEqual([
      { category: 'DeFi', count: 2 },
      { category: 'Art', count: 1 },
    ])
  })

  it('searches names and symbols whatever their case, and pages what it finds', () => {
    expect(symbolsOf(board().slice({ search: ' aPPl ', sort: 'fdmcDesc' }).markets)).toEqual(['APP', 'PIE'])
    expect(symbolsOf(board().slice({ search: 'bslt' }).markets)).toEqual(['BSLT'])
    expect(board().slice({ search: 'apple', sort: 'fdmcDesc', page: 2, pageSize: 1 })).toMatchObject({
      total: 2,
      markets: [{ token: { symbol: 'PIE' } }],
    })
    expect(symbolsOf(board().slice({ staking: true }).markets)).toEqual(['APP'])
    expect(board().slice({ staking: true, search: 'zebra' }).total).toBe(0)
    // A name and the symbol after it are two texts.
    expect(board().slice({ search: 'zebrazeb' }).total).toBe(0)
  })
})

describe('over many snapshots', () => {
  const figures = fc.record({
    usd: fc.option(fc.integer({ min: 0, max: 3 }), { nil: undefined }),
    volume: fc.integer({ min: 0, max: 3 }),
    change: fc.option(fc.integer({ min: -2, max: 2 }), { nil: undefined }),
  })
  const anySnapshot = fc
    .tuple(
      fc.array(figures, { minLength: 5, maxLength: 5 }),
      fc.shuffledSubarray([1, 2, 3, 4, 5], { minLength: 5, maxLength: 5 }),
      // Another list may have fewer tokens, or others.
      fc.subarray(tokens, { minLength: 1 }),
    )
    .map(([all, ranks, list]) => toSnapshot(all, ranks, list))

  it('gives the orders that a board of the last one alone gives', () =>
    fc.assert(
      fc.property(fc.array(anySnapshot, { minLength: 1, maxLength: 6 }), (snapshots) => {
        let current = snapshots[0] as Snapshot
        const lasting = keepTokenBoard(() => current)
        for (const snapshot of snapshots) {
          current = snapshot
          for (const sort of tokenSorts) {
            const fresh = keepTokenBoard(() => snapshot)().slice({ sort }).markets
            expect(symbolsOf(lasting().slice({ sort }).markets)).toEqual(symbolsOf(fresh))
          }
        }
      }),
      { numRuns: 200 },
    ))

  it('finds what a look at each token finds, whatever the list before was', () =>
    fc.assert(
      fc.property(
        fc.array(anySnapshot, { minLength: 1, maxLength: 4 }),
        fc.array(fc.oneof(fc.constantFrom('e', 'pp', 'ple', 'st', 'i', 'İ', 'a\0b', '\0'), fc.string({ maxLength: 2 }))),
        (snapshots, searches) => {
          let current = snapshots[0] as Snapshot
          const lasting = keepTokenBoard(() => current)
          for (const snapshot of snapshots) {
            current = snapshot
            for (const search of searches) {
              const needle = search.trim().toLowerCase()
              const isFound = ({ token: { name, symbol } }: TokenMarket) =>
                [name, symbol].some((text) => text.toLowerCase().includes(needle))
              expect(symbolsOf(lasting().slice({ search }).markets)).toEqual(symbolsOf(snapshot.markets.filter(isFound)))
            }
          }
        },
      ),
      { numRuns: 200 },
    ))
})
