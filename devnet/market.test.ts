import { expect, test } from 'vitest'
import { createMarket, firstPrices, type Market } from './market.ts'
import { pools } from './pools.ts'
import { fromSqrtPriceX96, toSqrtPriceX96 } from './prices.ts'

const start = 1_700_000_000 - (1_700_000_000 % 3_600)
const open = (seed: string, more: { nativeUsdAt?: (seconds: number) => number } = {}): Market =>
  createMarket({ seed, startSeconds: start, prices: firstPrices(), ...more })
const poolOf = (base: string, quote: string) => pools.findIndex((pool) => pool.base === base && pool.quote === quote)

test('the same seed gives the same trades, another seed gives others', () => {
  const run = (seed: string) => {
    const market = open(seed)
    return Array.from({ length: 48 }, (_, hour) => market.next(start + hour * 3_600, 'hour'))
  }
  expect(run('a')).toEqual(run('a'))
  expect(run('a')).not.toEqual(run('b'))
})

test('after a year of hours every price is still within a factor of ten of its usual one', () => {
  const market = open('year')
  for (let hour = 1; hour <= 365 * 24; hour += 1) {
    market.next(start + hour * 3_600, 'hour')
    if (hour % 24 > 0) continue
    expect(market.usdOf('WEMB')).toBeGreaterThan(150)
    expect(market.usdOf('WEMB')).toBeLessThan(15_000)
    expect(market.usdOf('QUIL')).toBeGreaterThan(0.0415)
    expect(market.usdOf('QUIL')).toBeLessThan(4.15)
    expect(market.usdOf('FNNC')).toBeGreaterThan(0.00000214)
    expect(market.usdOf('FNNC')).toBeLessThan(0.000214)
  }
})

test('busy pools trade every hour, quiet ones have hours without a trade, the thin one has days without', () => {
  const market = open('month')
  const hours = Array.from(
    { length: 31 * 24 },
    (_, hour) => new Set(market.next(start + hour * 3_600 + 600, 'hour').map((trade) => trade.pool)),
  )
  const hoursWith = (base: string, quote: string) => hours.filter((traded) => traded.has(poolOf(base, quote))).length
  expect(hoursWith('WEMB', 'USDC')).toBe(744)
  expect(hoursWith('CPPR', 'CNDR')).toBe(744)
  for (const [base, quote] of [
    ['KSTL', 'WEMB'],
    ['VERD', 'USDC'],
  ] as const) {
    expect(hoursWith(base, quote)).toBeGreaterThan(31)
    expect(hoursWith(base, quote)).toBeLessThan(300)
  }
  expect(hoursWith('THSL', 'WEMB')).toBeGreaterThan(2)
  expect(hoursWith('THSL', 'WEMB')).toBeLessThan(31)
})

test('minute by minute no busy pool waits longer than an hour', () => {
  const market = open('minutes')
  const lastSeconds = new Map<number, number>()
  for (let minute = 1; minute <= 600; minute += 1) {
    const seconds = start + minute * 60
    for (const trade of market.next(seconds, 'minute')) lastSeconds.set(trade.pool, seconds)
    for (const [index, pool] of pools.entries()) {
      if (pool.tradesPerDay > 100) expect(seconds - (lastSeconds.get(index) ?? start)).toBeLessThanOrEqual(3_600)
    }
  }
})

test('no trade goes to the price its pool already has, which the chain would refuse', () => {
  const market = open('moves')
  const prices = firstPrices().map((price, index) => toSqrtPriceX96(pools[index] as (typeof pools)[number], price))
  for (let step = 1; step <= 20_000; step += 1) {
    for (const trade of market.next(start + step * 2, 'live')) {
      if (trade.kind !== 'to') continue
      expect(trade.sqrtPriceX96).not.toBe(prices[trade.pool])
      prices[trade.pool] = trade.sqrtPriceX96
    }
  }
})

test('a token with two pools has one price in both, up to the noise of trading', () => {
  const market = open('arbitrage')
  const last = new Map<number, number>()
  for (let hour = 1; hour <= 500; hour += 1) {
    for (const trade of market.next(start + hour * 3_600, 'hour')) {
      const pool = pools[trade.pool]
      if (pool && trade.kind === 'to') last.set(trade.pool, fromSqrtPriceX96(pool, trade.sqrtPriceX96))
    }
  }
  const inUsdc = last.get(poolOf('CNDR', 'USDC')) ?? 0
  const overNative = (last.get(poolOf('CNDR', 'WEMB')) ?? 0) * (last.get(poolOf('WEMB', 'USDC')) ?? 0)
  expect(Math.abs(inUsdc / overNative - 1)).toBeLessThan(0.002)
})

test('with a recorded price of the native coin the main pool is left alone and the others follow it', () => {
  const market = open('recorded', { nativeUsdAt: (seconds) => (seconds < start + 36_000 ? 1_500 : 3_000) })
  const trades = Array.from({ length: 20 }, (_, hour) => market.next(start + (hour + 1) * 3_600, 'hour')).flat()
  expect(trades.some((trade) => trade.pool === 0)).toBe(false)
  expect(market.usdOf('WEMB')).toBe(3_000)
  const second = pools[1] as (typeof pools)[number]
  const reached = trades.filter((trade) => trade.pool === 1 && trade.kind === 'to').at(-1)
  expect(reached?.kind === 'to' && fromSqrtPriceX96(second, reached.sqrtPriceX96)).toBeCloseTo(3_000, -2)
})
