import type { Address } from '@chainboard/core'
import { describe, expect, it } from 'vitest'
import type { PoolEvent } from '../store/poolEvents.ts'
import {
  at1600,
  dollars,
  firstHour,
  fold,
  hour,
  open,
  openMarket,
  place,
  pool,
  put,
  swapOf,
  token,
} from '../testing/foldedMarket.ts'
import { alpha, alphaPool, sqrtPrices, trader, usdc, wrapped, wrappedPool } from '../testing/market.ts'
import { emptyWorld, foldBlock, priceOf } from './world.ts'

describe('dollars in the index', () => {
  it('are there from the first deep liquidity on, in whatever order the pools get it', () => {
    for (const order of ['native first', 'alpha first'] as const) {
      const world = openMarket(order)
      expect(priceOf(world, wrapped, firstHour)).toBe(dollars(2_500))
      expect(priceOf(world, alpha, firstHour)).toBe(dollars(6.25))
    }
  })

  it('count what a pool holds at the prices of its latest event', () => {
    const world = openMarket()
    // 5,000,000 USDC and 2,000 native; 1,000 native and 10,000,000 ALPHA. What trades up to 1.02 of the price are 5,000 * 10^17 *
    // (1 - 1 / 1.02^0.5) = 4.926 native. ALPHA counts for 300 times that at most, not for 62,500,000 dollars that nobody would pay.
    expect(world.pools.get(wrappedPool)?.tvlUsdE18).toBe(dollars(10_000_000))
    const wholeDollars = (e18: bigint | undefined) => Number((e18 ?? 0n) / 10n ** 18n)
    expect(wholeDollars(world.pools.get(alphaPool)?.tvlUsdE18)).toBe(2_500_000 + 3_694_671)
    expect(wholeDollars(world.hour.exchange?.tvlUsdE18)).toBe(10_000_000 + 2_500_000 + 3_694_671)
    expect(world.hour.exchange?.nativeUsdE18).toBe(dollars(2_500))
  })

  it('value a swap by its side nearer to dollars, and both of its tokens with it', () => {
    const world = openMarket()
    // 4 ALPHA in, 0.01 native out: 25 dollars, 0.3 % of it fees.
    const swap = { sqrtPriceX96: sqrtPrices.alphaAt6, amount0: 4n * 10n ** 8n, amount1: -(10n ** 16n) }
    expect(fold(world, swapOf(alphaPool, swap, firstHour + 60))?.usdE18).toBe(dollars(25))
    expect(world.pools.get(alphaPool)).toMatchObject({
      totalVolume0: 4n * 10n ** 8n,
      totalVolume1: 10n ** 16n,
      totalVolumeUsdE18: dollars(25),
      totalFeesUsdE18: dollars(0.075),
      txCount: 2,
      lastSwapAtSeconds: firstHour + 60,
    })
    for (const address of [alpha, wrapped])
      expect(world.tokens.get(address)).toMatchObject({ totalVolumeUsdE18: dollars(25), totalFeesUsdE18: dollars(0.075) })
    expect(world.tokens.get(alpha)).toMatchObject({ totalVolume: 4n * 10n ** 8n, reserve: 10n ** 15n + 4n * 10n ** 8n })
    expect(world.day.exchange).toMatchObject({ volumeUsdE18: dollars(25), feesUsdE18: dollars(0.075), txCount: 3 })
  })

  it('value a swap of two tokens that the network does not name by what less was paid', () => {
    const world = openMarket()
    const [own, ownPool, sidePool] = ['77', '78', '79'].map((byte) => `0x${byte.repeat(20)}` as Address) as [
      Address,
      Address,
      Address,
    ]
    world.tokens.set(own, token(own, 18))
    put(world, pool(ownPool, own, wrapped))
    // A door of its own, at one native coin for each: 2,500 dollars.
    for (const event of open(ownPool, 2n ** 96n, [10n ** 22n, 10n ** 22n, 10n ** 22n])) fold(world, event)
    put(world, pool(sidePool, alpha, own))
    for (const event of open(sidePool, 2n ** 96n, [10n ** 22n, 1n, 1n])) fold(world, event)
    const swap = (amount0: bigint, amount1: bigint) =>
      fold(world, swapOf(sidePool, { sqrtPriceX96: 2n ** 96n, amount0, amount1 }, firstHour + 60))?.usdE18
    // One ALPHA, 6.25 dollars, for a thousand of them, and a hundred ALPHA for one thousandth.
    expect(swap(10n ** 8n, -1_000n * 10n ** 18n)).toBe(dollars(6.25))
    expect(swap(-100n * 10n ** 8n, 10n ** 15n)).toBe(dollars(2.5))
  })

  it('follow the price of the coin in between once it has lasted for half of the window', () => {
    const world = openMarket()
    fold(world, swapOf(wrappedPool, at1600, firstHour + 600))
    const swap = { sqrtPriceX96: sqrtPrices.alphaAt6, amount0: 4n * 10n ** 8n, amount1: -(10n ** 16n) }
    // 0.01 native: 25 dollars at 2,500, and 16 at 1,600.
    expect(fold(world, swapOf(alphaPool, swap, firstHour + 600 + 300))?.usdE18).toBe(dollars(25))
    expect(fold(world, swapOf(alphaPool, swap, firstHour + 600 + 301))?.usdE18).toBe(dollars(16))
    expect(world.hour.tokens.get(alpha)).toMatchObject({
      open: dollars(6.25),
      low: dollars(4),
      high: dollars(6.25),
      priceUsdE18: dollars(4),
    })
  })

  it('start over with the hour, but continue for the day and forever', () => {
    const world = openMarket()
    const swap = { sqrtPriceX96: sqrtPrices.alphaAt6, amount0: 4n * 10n ** 8n, amount1: -(10n ** 16n) }
    fold(world, swapOf(alphaPool, swap, firstHour + 60))
    fold(world, swapOf(alphaPool, swap, firstHour + hour))
    expect(world.hour.pools.get(alphaPool)).toMatchObject({
      startSeconds: firstHour + hour,
      volumeUsdE18: dollars(25),
      eventCount: 1,
    })
    expect(world.day.pools.get(alphaPool)).toMatchObject({ volumeUsdE18: dollars(50), swapCount: 2, eventCount: 4 })
    expect(world.pools.get(alphaPool)?.totalVolumeUsdE18).toBe(dollars(50))
  })

  it('are there with the first liquidity of a pool that was just opened', () => {
    const world = emptyWorld({
      stables: [usdc],
      wrappedNative: wrapped,
      quotes: [],
      depthFloorUsdE18: dollars(50),
      windowSeconds: 600,
    })
    for (const each of [token(usdc, 6), token(wrapped, 18)]) world.tokens.set(each.address, each)
    put(world, pool(wrappedPool, usdc, wrapped))
    const [opened, minted] = open(wrappedPool, sqrtPrices.wrappedAt2500, [10n ** 17n, 5n * 10n ** 12n, 2n * 10n ** 21n])
    fold(world, opened as PoolEvent)
    fold(world, { ...(minted as PoolEvent), timestampSeconds: firstHour + 12 })
    expect(priceOf(world, wrapped, firstHour + 12)).toBe(dollars(2_500))
  })

  it('remember that an untraded pool was emptied', () => {
    const world = openMarket()
    const range = { owner: trader, sender: trader, tickLower: -887_220, tickUpper: 887_220, amount0: 0n, amount1: 0n }
    const at = (seconds: number) => ({ ...place(alphaPool, firstHour + seconds), ...range })
    fold(world, { ...at(48), kind: 'burn', amount: 10n ** 17n })
    fold(world, { ...at(72), kind: 'mint', amount: 10n ** 15n })
    const spans = world.windows.get(alphaPool)?.spans.map((span) => [span.untilSeconds - firstHour, span.depth1 > 0n])
    expect(spans).toEqual([
      [0, false],
      [48, true],
      [72, false],
    ])
  })

  it('fit into their columns, whatever somebody says that his own token is worth', () => {
    const world = emptyWorld({
      stables: [usdc],
      wrappedNative: wrapped,
      quotes: [],
      depthFloorUsdE18: dollars(50),
      windowSeconds: 600,
    })
    // One smallest unit of it for one of USDC: 10^71 dollars for a whole one.
    for (const each of [token(usdc, 6), token(wrapped, 77)]) world.tokens.set(each.address, each)
    put(world, pool(wrappedPool, usdc, wrapped))
    for (const event of open(wrappedPool, 2n ** 96n, [10n ** 17n, 5n * 10n ** 12n, 2n * 10n ** 21n])) fold(world, event)
    expect(priceOf(world, wrapped, firstHour)).toBe(0n)
    expect(world.tvlUsdE18).toBe(dollars(5_000_000))
  })

  it('are 0 for what no deep pool leads to', () => {
    const world = emptyWorld({
      stables: [usdc],
      wrappedNative: wrapped,
      quotes: [],
      depthFloorUsdE18: dollars(50),
      windowSeconds: 600,
    })
    for (const each of [token(usdc, 6), token(wrapped, 18)]) world.tokens.set(each.address, each)
    put(world, pool(wrappedPool, usdc, wrapped))
    // 1,000 dollars of virtual reserve: 10 of depth.
    for (const event of open(wrappedPool, sqrtPrices.wrappedAt2500, [5n * 10n ** 4n, 10n ** 9n, 4n * 10n ** 17n]))
      fold(world, event)
    expect(priceOf(world, wrapped, firstHour)).toBe(0n)
    expect(world.pools.get(wrappedPool)?.tvlUsdE18).toBe(dollars(1_000))
  })

  it('count what a pool traded whatever else happens to it in the same block', () => {
    const world = openMarket()
    const swap = swapOf(wrappedPool, { ...at1600, amount0: 10n ** 9n, amount1: -1n }, firstHour + 1)
    const range = { owner: trader, sender: trader, tickLower: -60, tickUpper: 60 }
    const collect: PoolEvent = {
      ...place(wrappedPool, firstHour + 1),
      kind: 'collect',
      ...range,
      amount: undefined,
      amount0: 0n,
      amount1: 0n,
    }
    foldBlock(world, [swap, collect, { ...swap, logIndex: 2 }])
    expect(world.pools.get(wrappedPool)?.totalVolume0).toBe(2n * 10n ** 9n)
    expect(world.hour.pools.get(wrappedPool)?.totalVolume0).toBe(2n * 10n ** 9n)
  })

  it('count a loan by what was lent, and keep what was paid for it', () => {
    const world = openMarket()
    const parties = { sender: trader, recipient: trader }
    const lent = { amount0: 10n ** 9n, amount1: 0n, paid0: 3n * 10n ** 6n, paid1: 0n }
    const flash: PoolEvent = { ...place(wrappedPool, firstHour + 1), kind: 'flash', ...parties, ...lent }
    expect(fold(world, flash)?.usdE18).toBe(dollars(1_000))
    expect(world.pools.get(wrappedPool)?.reserve0).toBe(5n * 10n ** 12n + 3n * 10n ** 6n)
    expect(world.pools.get(wrappedPool)?.totalVolumeUsdE18).toBe(0n)
  })
})

describe('the way to a price within an hour', () => {
  const wide = { owner: trader, sender: trader, tickLower: -887_220, tickUpper: 887_220, amount0: 0n, amount1: 0n }
  const change = (kind: 'mint' | 'burn', of: Address, atSeconds: number): PoolEvent => ({
    ...{ ...place(of, atSeconds), ...wide },
    ...{ kind, amount: 10n ** 17n },
  })

  it('has a pool in it that had no depth when the hour began', () => {
    const world = openMarket()
    const swap = { sqrtPriceX96: sqrtPrices.alphaAt6, amount0: 4n * 10n ** 8n, amount1: -(10n ** 16n) }
    fold(world, swapOf(alphaPool, swap, firstHour + 60))
    fold(world, change('burn', alphaPool, firstHour + 120))
    fold(world, change('burn', wrappedPool, firstHour + hour + 1))
    fold(world, change('mint', wrappedPool, firstHour + hour + 2))
    expect(priceOf(world, alpha, firstHour + hour + 2)).toBe(0n)
    fold(world, change('mint', alphaPool, firstHour + hour + 100))
    expect(priceOf(world, alpha, firstHour + hour + 399)).toBe(0n)
    expect(priceOf(world, alpha, firstHour + hour + 401)).toBe(dollars(6.25))
  })

  it('begins with a token as soon as that has a price, whatever else was launched in the same minute', () => {
    const world = openMarket()
    const [first, second, third] = ['91', '92', '93'].map((byte) => `0x${byte.repeat(20)}`) as [Address, Address, Address]
    const launch = (own: Address, quote: Address, sqrtPriceX96: bigint, liquidity: bigint) => {
      world.tokens.set(own, token(own, 18))
      const made = `0x${own.slice(2, 4)}${'c0'.repeat(19)}` as Address
      put(world, pool(made, quote, own))
      for (const event of open(made, sqrtPriceX96, [liquidity, 10n ** 12n, 10n ** 24n])) fold(world, event)
    }
    launch(first, usdc, sqrtPrices.betaAtQuarter, 10n ** 17n)
    launch(second, usdc, sqrtPrices.betaAtQuarter, 10n ** 17n)
    launch(third, second, 2n ** 96n, 10n ** 24n)
    expect(priceOf(world, third, firstHour)).toBe(dollars(0.25))
  })

  it('is another one when the first is emptied', () => {
    const world = openMarket()
    const second = `0x${'b3'.repeat(20)}` as Address
    put(world, pool(second, usdc, alpha))
    // 5 dollars for an ALPHA: 20 of its smallest units for one of USDC.
    for (const event of open(second, 354_319_114_228_591_437_807_263_678_464n, [10n ** 16n, 10n ** 12n, 10n ** 12n]))
      fold(world, event)
    fold(world, change('burn', wrappedPool, firstHour + hour + 60))
    fold(world, change('burn', alphaPool, firstHour + hour + 361))
    fold(world, change('mint', alphaPool, firstHour + hour + 362))
    expect(world.plan.places.get(alpha)).toBeLessThan(world.plan.places.get(wrapped) as number)
    // 0.0025 of the native coin for an ALPHA of 5 dollars.
    expect(Number(priceOf(world, wrapped, firstHour + hour + 362)) / 1e18).toBeCloseTo(2_000, 0)
  })
})
