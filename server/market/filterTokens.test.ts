import { oneE18, type TokenFilter } from '@chainboard/core'
import { describe, expect, it } from 'vitest'
import { bareMarket } from '../testing/bareMarket.ts'
import { toTest } from './filterTokens.ts'
import type { TokenMarket } from './tokenMarket.ts'

const nowSeconds = 1_700_000_000
const bare = bareMarket('T', 1)
const market: TokenMarket = { ...bare, token: { ...bare.token, category: 'Games', verified: false } }
const warning = { code: 'supply-changed', text: 'The supply changed' } as const

/** Whether a filter lets a token through; it has to restrict something. */
function passes(filter: TokenFilter, facts: Partial<TokenMarket> = {}): boolean {
  const test = toTest(filter, nowSeconds)
  if (!test) throw new TypeError('The filter restricts nothing')
  return test({ ...market, ...facts })
}

describe('a filter of the token list', () => {
  it('that says nothing restricts nothing', () => {
    expect(toTest({}, nowSeconds)).toBeUndefined()
    expect(toTest({ category: undefined, verified: undefined, newDays: undefined }, nowSeconds)).toBeUndefined()
  })

  it('takes the category as the list writes it', () => {
    expect([passes({ category: 'Games' }), passes({ category: 'games' }), passes({ category: '' })]).toEqual([true, false, false])
  })

  it('asks for tokens that are not verified, or have no warning, when it says false', () => {
    expect([passes({ verified: false }), passes({ verified: true })]).toEqual([true, false])
    expect([passes({ warned: false }), passes({ warned: true })]).toEqual([true, false])
    const warned = { warnings: [warning] }
    expect([passes({ warned: false }, warned), passes({ warned: true }, warned)]).toEqual([false, true])
  })

  it('takes a token with just the least liquidity, and none whose liquidity is not known', () => {
    const atLeast = (depthUsdE18: bigint | undefined) => passes({ liquidityMinUsd: 1_000.5 }, { depthUsdE18 })
    const least = (oneE18 * 20_010n) / 20n
    expect([atLeast(least), atLeast(least - 1n), atLeast(undefined)]).toEqual([true, false, false])
    // Even a minimum of nothing has to be known.
    expect([passes({ liquidityMinUsd: 0 }, { depthUsdE18: 0n }), passes({ liquidityMinUsd: 0 })]).toEqual([true, false])
  })

  it('takes a token first traded exactly so many days ago, by the time of the chain', () => {
    const firstAt = (firstTradeAtSeconds: number | undefined) => passes({ newDays: 7 }, { firstTradeAtSeconds })
    expect([firstAt(nowSeconds - 604_800), firstAt(nowSeconds - 604_801), firstAt(undefined)]).toEqual([true, false, false])
  })

  it('counts a token as neither risen nor fallen that did not move, whose change is not known, or shown as 0.00%', () => {
    const moved = (change24hPercent: number | undefined) =>
      [passes({ move: 'gainers' }, { change24hPercent }), passes({ move: 'losers' }, { change24hPercent })].join()
    expect([moved(0.1), moved(-0.1), moved(0), moved(undefined)]).toEqual([
      ...['true,false', 'false,true', 'false,false', 'false,false'],
    ])
    expect([moved(0.005), moved(-0.005)]).toEqual(['true,false', 'false,true'])
    expect([moved(0.0049), moved(-0.0049)]).toEqual(['false,false', 'false,false'])
  })

  it('lets through what passes every one of its conditions', () => {
    const facts = { change24hPercent: 5, depthUsdE18: oneE18 }
    expect(passes({ category: 'Games', move: 'gainers', liquidityMinUsd: 1 }, facts)).toBe(true)
    for (const one of [{ category: 'Other' }, { move: 'losers' }, { liquidityMinUsd: 2 }] as const)
      expect(passes({ category: 'Games', move: 'gainers', liquidityMinUsd: 1, ...one }, facts)).toBe(false)
  })
})
