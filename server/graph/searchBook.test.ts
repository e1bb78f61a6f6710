import { describe, expect, it } from 'vitest'
import { toValuation } from '../networkFile.ts'
import { alpha, alphaPool, networkFile, usdc, wrapped, wrappedPool } from '../testing/market.ts'
import { makeBook } from './book.ts'
import { getEntity } from './entities/entities.ts'
import { type PageArguments, parsePage } from './page.ts'
import { parseWhere } from './parseWhere.ts'
import { bookRows, idField, listMatches, searchBook } from './searchBook.ts'

const lonePool = `0x${'ff'.repeat(20)}`
const state = { tvl_usd: '0', total_volume_usd: '0', total_fees_usd: '0', tick: null, fee: 3_000 }
const poolRow = (address: string, token0: string, token1: string, facts = {}) => ({
  ...state,
  address,
  token0,
  token1,
  tx_count: 1,
  ...facts,
})
const tokenRow = (address: string, symbol: string, facts = {}) => ({
  address,
  symbol,
  name: symbol,
  decimals: 18,
  tx_count: 1,
  ...facts,
})

/** Three pools: of two known tokens each, and one whose token1 the index does not know. */
const book = makeBook(
  { factory: '0xfa', valuation: toValuation(networkFile) },
  {
    ...{ block: { number: 9, hash: '0x09', timestampSeconds: 90 }, deployment: 'test', days: [] },
    pools: [
      poolRow(wrappedPool, usdc, wrapped, { tick: 10, tx_count: 5, total_volume_usd: '90000000000000000000' }),
      poolRow(alphaPool, alpha, wrapped, { tick: -200, total_volume_usd: '100000000000000000000', fee: 10_000 }),
      poolRow(lonePool, usdc, `0x${'99'.repeat(20)}`),
    ],
    tokens: [tokenRow(alpha, 'alpha'), tokenRow(usdc, 'USDC', { tx_count: 8 }), tokenRow(wrapped, 'WNAT')],
  },
)
const [pools, tokens] = [getEntity('Pool'), getEntity('Token')]
const names = new Map([
  [wrappedPool, 'wrapped'],
  [alphaPool, 'alpha'],
  [lonePool, 'lone'],
])

function find(args: PageArguments): string {
  const found = searchBook(pools, bookRows(pools, book).values(), parsePage(pools, args), book)
  return found.map(({ address }) => names.get(String(address))).join(' ')
}

describe('a list of pools, which are kept in memory', () => {
  it('is sorted by numbers as numbers, though they go out as text', () => {
    expect(find({ orderBy: 'volumeUSD' })).toBe('lone wrapped alpha')
    expect(find({ orderBy: 'tick', where: { tick_not: null } })).toBe('alpha wrapped')
  })

  it('has equals by their ids, in the direction of the list', () => {
    expect(find({ orderBy: 'feeTier' })).toBe('wrapped lone alpha')
    expect(find({ orderBy: 'feeTier', orderDirection: 'desc' })).toBe('alpha lone wrapped')
  })

  it('takes what comes after the skipped, and no more than is wanted', () => {
    expect(find({ first: 1, skip: 1 })).toBe('alpha')
    expect([find({ first: 0 }), find({ skip: 3 })]).toEqual(['', ''])
  })

  it('sorts by what its token has, and by nothing where the token is not known', () => {
    expect(find({ orderBy: 'token0__txCount', orderDirection: 'desc' })).toBe('lone wrapped alpha')
    expect(find({ orderBy: 'token1__symbol', where: { token0: usdc } })).toBe('wrapped lone')
  })
})

describe('conditions on what is kept in memory', () => {
  it('have to hold together, and one of several where they say or', () => {
    expect(find({ where: { feeTier: 3_000, txCount_gt: 1 } })).toBe('wrapped')
    expect(find({ where: { or: [{ feeTier: 10_000 }, { txCount_gt: 1 }] } })).toBe('wrapped alpha')
  })

  it('look into the tokens of a pool, and find none where the token is not known', () => {
    expect(find({ where: { token1_: { symbol: 'WNAT' } } })).toBe('wrapped alpha')
    expect(find({ where: { token1_: { symbol_not: 'WNAT' } } })).toBe('')
  })

  it('look into the pools of a token: one of them is enough', () => {
    const holders = (where: object) => listMatches('Token', parseWhere(tokens, where), book)
    expect(holders({ whitelistPools_: { feeTier: 10_000 } })).toEqual([alpha, wrapped])
    expect(holders({ whitelistPools_: { feeTier: 5 } })).toEqual([])
  })

  it('hold a list of pools against another: all of it, or just it, in any order and spelling', () => {
    const holders = (where: object) => listMatches('Token', parseWhere(tokens, where), book)
    const both = [alphaPool, wrappedPool]
    expect(holders({ whitelistPools_contains: [alphaPool.toUpperCase().replace('X', 'x')] })).toEqual([alpha, wrapped])
    expect([holders({ whitelistPools: both }), holders({ whitelistPools: [alphaPool] })]).toEqual([[wrapped], [alpha]])
    expect(holders({ whitelistPools_not: both })).toEqual([alpha, usdc])
    expect(holders({ whitelistPools_not_contains: [wrappedPool] })).toEqual([alpha])
  })

  it('are asked of each token once, however many pools refer to it', () => {
    const where = { token1_: { whitelistPools_: { token0_: { symbol: 'alpha' } } } }
    expect(listMatches('Pool', parseWhere(pools, where), book)).toEqual([wrappedPool, alphaPool])
  })

  it('cannot be on lists that would have to be read through, nor on a block that pools do not have', () => {
    expect(() => find({ where: { swaps_: { amountUSD_gt: 1 } } })).toThrow('Filtering by `swaps_` is not supported')
    expect(() => find({ where: { _change_block: { number_gte: 1 } } })).toThrow('Filtering by `_change_block` is not supported')
  })
})

describe('what is not kept in memory', () => {
  it('is refused as a fault of ours, which no query can reach', () => {
    expect(() => bookRows(getEntity('Swap'), book)).toThrow('Swap is not kept in memory')
    expect(() => idField({ ...pools, fields: [] })).toThrow('Pool does not begin with its id')
  })
})
