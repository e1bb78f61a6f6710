import type { Address } from '@chainboard/core'
import { describe, expect, it } from 'vitest'
import { FakeChain } from '../chain/fakeChain.ts'
import { wholeIndex } from '../store/indexSwitch.ts'
import { followToHead } from '../testing/followToHead.ts'
import { alpha, alphaPool, beta, betaPool, openMarket, thin, usdc, wrapped, wrappedPool } from '../testing/market.ts'
import { createTempStores, engines } from '../testing/tempStores.ts'
import { pickPools, priceOfToken0, readDepths, readPoolBoard, valueLiquidity } from './poolBoard.ts'

const stores = createTempStores()
const e18 = 10n ** 18n
const usd = (e: bigint | undefined) => e && Number(e / 10n ** 14n) / 1e4

const side = (address: Address, usdE18: bigint | undefined, isListed = true) => ({
  ...{ address, symbol: '', name: '', decimals: 0, usdE18, isListed },
})

describe('what a pool holds', () => {
  const held = (token0: ReturnType<typeof side>, token1: ReturnType<typeof side>, reserve0 = 10n, reserve1 = 10n) =>
    usd(valueLiquidity({ token0, token1, reserve0, reserve1 }, new Set([wrapped])))

  it('is both sides at the prices of the site', () => {
    expect(held(side(alpha, 3n * e18), side(usdc, e18))).toBe(40)
    expect(held(side(alpha, undefined), side(usdc, e18))).toBe(10)
    expect(held(side(alpha, 3n * e18), side(usdc, e18), -5n, 10n)).toBe(10)
  })

  it('is not made by whoever makes a token and names a price for it', () => {
    const scam = side(thin, 10n ** 30n, false)
    expect(held(scam, side(usdc, e18))).toBe(20)
    expect(held(side(usdc, e18), scam)).toBe(20)
    // A quote of the network counts like a listed token.
    expect(held(scam, side(wrapped, 2n * e18, false))).toBe(40)
    expect(held(scam, side(beta, 10n ** 30n, false))).toBeUndefined()
  })
})

describe.each(engines)('the pools of the exchange on %s', (engine) => {
  const open = async () => {
    const chain = new FakeChain()
    openMarket(chain)
    const store = await stores.openNew(engine)
    await followToHead(chain, store)
    const index = wholeIndex(store)
    const prices = new Map([[usdc, e18] as const, [wrapped, 2_500n * e18] as const, [beta, e18 / 4n] as const])
    const board = await readPoolBoard(index, {
      findListed: (token) => (prices.has(token) ? { usdE18: prices.get(token) } : undefined),
      quotes: new Set([wrapped]),
      volumes: new Map([[betaPool, 7n * e18]]),
    })
    return { index, board }
  }

  it('are found by token and text, in the order that was asked for, a page at a time', async () => {
    const { board } = await open()
    const pick = (asked: object) =>
      pickPools(board, { page: 1, pageSize: 9, ...asked }).pools.map(({ token0, token1 }) => `${token0.symbol}/${token1.symbol}`)
    // 10, 5 (twice the coin's side), 2 million and 20 dollars.
    expect(pick({})).toEqual(['USDC/WNAT', 'ALPHA/WNAT', 'USDC/BETA', 'USDC/THIN'])
    expect(pick({ sort: 'volume' })[0]).toBe('USDC/BETA')
    expect(pick({ token: wrapped })).toEqual(['USDC/WNAT', 'ALPHA/WNAT'])
    expect(pick({ search: ' alPHA ' })).toEqual(['ALPHA/WNAT'])
    expect(pick({ search: betaPool.slice(4, 12) })).toEqual(['USDC/BETA'])
    expect(pickPools(board, { page: 2, pageSize: 3 })).toMatchObject({ total: 4, pools: [{ token1: { symbol: 'THIN' } }] })
  })

  it('say what moves their price by 2 % each way, and what one token costs in the other', async () => {
    const { index, board } = await open()
    const pool = board.byAddress.get(wrappedPool)
    if (!pool) throw new TypeError('The pool is open')
    const depth = (await readDepths(index, [pool])).get(wrappedPool)
    // Liquidity 10^17 at a root of 20,000: 2,000 coins times sqrt(1.02) - 1 up, 1 - 1/sqrt(1.02) down, at 2,500 dollars.
    expect([usd(depth?.upUsdE18), usd(depth?.downUsdE18)]).toEqual([49_752.4691, 49_262.2851])
    expect(usd(priceOfToken0(pool))).toBe(0.0004)
    expect(await readDepths(index, [])).toEqual(new Map())
    expect((await readDepths(index, [{ ...pool, address: alphaPool }])).size).toBe(1)
  })
})
