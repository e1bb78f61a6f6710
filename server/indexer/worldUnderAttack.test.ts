import type { Address } from '@chainboard/core'
import { describe, expect, it } from 'vitest'
import type { PoolEvent } from '../store/poolEvents.ts'
import type { Swap } from '../store/swaps.ts'
import { dollars, firstHour, fold, hour, openMarket, place, pool, put, swapOf, token } from '../testing/foldedMarket.ts'
import { alpha, alphaPool, sqrtPrices, trader, usdc, wrappedPool } from '../testing/market.ts'
import { foldBlock, priceOf, type World } from './world.ts'

describe('an attacker', () => {
  const fakePool = `0x${'b1'.repeat(20)}` as Address
  const junkPool = `0x${'b2'.repeat(20)}` as Address
  const junk = `0x${'90'.repeat(20)}` as Address
  const range = { owner: trader, sender: trader }
  /** ALPHA at 100 dollars: as many of its units for one unit of USDC. */
  const at100 = 2n ** 96n

  /** A pool of USDC and ALPHA at a price of its own, with liquidity on one side of the price and 85,000 USDC parked far from it. */
  function openFake(world: World, atSeconds: number): (Swap | PoolEvent)[] {
    put(world, pool(fakePool, usdc, alpha))
    const where = place(fakePool, atSeconds)
    return [
      { ...where, kind: 'initialize', sqrtPriceX96: at100, tick: 0 },
      {
        ...where,
        ...range,
        logIndex: 1,
        kind: 'mint',
        tickLower: 0,
        tickUpper: 60,
        amount: 10n ** 14n,
        amount0: 10n ** 8n,
        amount1: 0n,
      },
      {
        ...{ ...where, ...range, logIndex: 2, kind: 'mint', tickLower: 3_900, tickUpper: 6_000 },
        ...{ amount: 10n ** 12n, amount0: 85_000n * 10n ** 6n, amount1: 0n },
      },
    ]
  }

  /** Liquidity on both sides of the price, for 2,000 dollars each. */
  function mintBoth(atSeconds: number, blockNumber: number): PoolEvent {
    const amounts = { amount: 10n ** 13n, amount0: 10n ** 11n, amount1: 10n ** 11n }
    return {
      ...place(fakePool, atSeconds),
      ...range,
      ...amounts,
      blockNumber,
      logIndex: 3,
      kind: 'mint',
      tickLower: -887_220,
      tickUpper: 887_220,
    }
  }

  function openTradedMarket(): World {
    const world = openMarket()
    const swap = { sqrtPriceX96: sqrtPrices.alphaAt6, amount0: 4n * 10n ** 8n, amount1: -(10n ** 16n) }
    fold(world, swapOf(alphaPool, swap, firstHour + 60))
    fold(
      world,
      swapOf(
        wrappedPool,
        { sqrtPriceX96: sqrtPrices.wrappedAt2500, amount0: 25n * 10n ** 8n, amount1: -(10n ** 18n) },
        firstHour + 61,
      ),
    )
    return world
  }

  it('who fakes depth beside an established pool sets no price when the hour turns', () => {
    const world = openTradedMarket()
    foldBlock(world, openFake(world, firstHour + 2 * hour - 2))
    const swap = { sqrtPriceX96: sqrtPrices.alphaAt6, amount0: 4n * 10n ** 8n, amount1: -(10n ** 16n) }
    fold(world, swapOf(alphaPool, swap, firstHour + 2 * hour + 5))
    expect(world.pools.get(fakePool)).toMatchObject({ depth0: 0n, depth1: 0n })
    expect(priceOf(world, alpha, firstHour + 2 * hour + 5)).toBe(dollars(6.25))
  })

  it('whose new pool is deep on both sides has to wait until it is established', () => {
    const world = openTradedMarket()
    const opened = openFake(world, firstHour + 2 * hour - 2)
    foldBlock(world, [...opened, mintBoth(firstHour + 2 * hour - 2, opened[0]?.blockNumber as number)])
    const swap = { sqrtPriceX96: sqrtPrices.alphaAt6, amount0: 4n * 10n ** 8n, amount1: -(10n ** 16n) }
    fold(world, swapOf(alphaPool, swap, firstHour + 2 * hour + 5))
    expect(world.pools.get(fakePool)?.depth0).toBeGreaterThan(dollars(50) / 10n ** 12n)
    expect(priceOf(world, alpha, firstHour + 2 * hour + 5)).toBe(dollars(6.25))
  })

  it('who pumps, makes routes be looked for and takes all back in one block changes no dollar', () => {
    const world = openTradedMarket()
    world.tokens.set(junk, token(junk, 18))
    const before = world.tvlUsdE18
    const opened = openFake(world, firstHour + 2 * hour + 1)
    const blockNumber = opened[0]?.blockNumber as number
    put(world, pool(junkPool, usdc, junk))
    const at = { ...place(junkPool, firstHour + 2 * hour + 1), blockNumber }
    const amounts = { amount: 10n ** 17n, amount0: 5n * 10n ** 12n, amount1: 2n * 10n ** 21n }
    const wide = { tickLower: -887_220, tickUpper: 887_220 }
    const pumped = {
      ...swapOf(
        alphaPool,
        { sqrtPriceX96: 50_000n * 2n ** 96n, amount0: -(10n ** 10n), amount1: 10n ** 20n },
        at.timestampSeconds,
      ),
    }
    const back = { ...pumped, sqrtPriceX96: sqrtPrices.alphaAt6, amount0: 10n ** 10n, amount1: -(10n ** 20n) }
    const folded = foldBlock(world, [
      ...opened,
      { ...pumped, blockNumber, logIndex: 10 },
      { ...at, kind: 'initialize', sqrtPriceX96: sqrtPrices.wrappedAt2500, tick: 0, logIndex: 11 },
      { ...at, ...range, ...wide, ...amounts, kind: 'mint', logIndex: 12 },
      { ...at, ...range, ...wide, ...amounts, kind: 'burn', logIndex: 13 },
      { ...at, ...range, ...wide, ...amounts, kind: 'collect', logIndex: 14 },
      { ...back, blockNumber, logIndex: 15 },
    ])
    expect(priceOf(world, alpha, firstHour + 2 * hour + 1)).toBe(dollars(6.25))
    expect(world.plan.places.has(junk)).toBe(false)
    expect(world.hour.tokens.get(alpha)).toMatchObject({ high: dollars(6.25), low: dollars(6.25) })
    // 100 of the native coin there and back: what was really traded.
    expect(folded.map(({ usdE18 }) => usdE18).filter((_, i) => i === 3 || i === 8)).toEqual([dollars(250_000), dollars(250_000)])
    // The fake pool holds 85,100 USDC.
    expect(world.tvlUsdE18 - before).toBe(dollars(85_100))
  })

  /** The price of ALPHA four times what it was, in its only pool. */
  const pump = { sqrtPriceX96: 10_000n * 2n ** 96n, amount0: -(10n ** 10n), amount1: 10n ** 20n }
  const back = { sqrtPriceX96: sqrtPrices.alphaAt6, amount0: 10n ** 10n, amount1: -(10n ** 20n) }
  const later = firstHour + 2 * hour + 100

  it('who pumps a price and holds it for less than half of the window moves none', () => {
    const world = openTradedMarket()
    fold(world, swapOf(alphaPool, pump, later))
    expect(priceOf(world, alpha, later)).toBe(dollars(6.25))
    expect(priceOf(world, alpha, later + 299)).toBe(dollars(6.25))
    fold(world, swapOf(alphaPool, back, later + 299))
    expect(priceOf(world, alpha, later + 600)).toBe(dollars(6.25))
    expect(world.hour.tokens.get(alpha)).toMatchObject({ high: dollars(6.25), low: dollars(6.25) })
  })

  it('who adds liquidity of his own raises no confidence that the hour keeps', () => {
    const world = openTradedMarket()
    const kept = () => world.hour.tokens.get(alpha)?.trust
    fold(world, swapOf(alphaPool, { ...back, amount0: 4n * 10n ** 8n, amount1: -(10n ** 16n) }, later))
    const before = kept()
    expect(before).toBe(96)
    const range = { owner: trader, sender: trader, tickLower: -887_220, tickUpper: 887_220, amount0: 0n, amount1: 0n }
    fold(world, { ...place(alphaPool, later + 1), ...range, kind: 'burn', amount: 99_000_000_000_000_000n })
    fold(world, swapOf(alphaPool, { ...back, amount0: 4n * 10n ** 8n, amount1: -(10n ** 16n) }, later + 302))
    const shallow = kept() as number
    expect(shallow).toBeLessThan(96)
    fold(world, { ...place(alphaPool, later + 303), ...range, kind: 'mint', amount: 10n ** 17n })
    fold(world, swapOf(alphaPool, { ...back, amount0: 4n * 10n ** 8n, amount1: -(10n ** 16n) }, later + 700))
    expect(kept()).toBe(shallow)
  })

  it('who makes a quiet pool trade raises no confidence that the hour keeps', () => {
    const world = openTradedMarket()
    const day = 86_400
    const late = firstHour + 31 * day + 7
    fold(world, swapOf(alphaPool, back, late))
    // 30 quiet days beyond the first: half of 0.96.
    expect(world.hour.tokens.get(alpha)?.trust).toBe(48)
    fold(world, swapOf(alphaPool, back, late + 20))
    expect(world.hour.tokens.get(alpha)?.trust).toBe(48)
  })

  it('a move that lasts is the price after half of the window', () => {
    const world = openTradedMarket()
    fold(world, swapOf(alphaPool, pump, later))
    expect(priceOf(world, alpha, later + 301)).toBe(dollars(25))
  })

  it('who empties a pool and moves it for nothing sets no price with what is left', () => {
    const world = openTradedMarket()
    const range = { owner: trader, sender: trader, tickLower: -887_220, tickUpper: 887_220 }
    const burn: PoolEvent = { ...place(alphaPool, later), ...range, kind: 'burn', amount: 10n ** 17n, amount0: 0n, amount1: 0n }
    fold(world, burn)
    fold(world, { ...swapOf(alphaPool, pump, later + 1), liquidity: 0n })
    expect(priceOf(world, alpha, later + 299)).toBe(dollars(6.25))
    expect(priceOf(world, alpha, later + 303)).toBe(0n)
  })

  it('who moves a price and takes it back in one block lowers no confidence', () => {
    const trustAfter = (events: (at: number) => Swap[]) => {
      const world = openTradedMarket()
      foldBlock(world, events(firstHour + 2 * hour + 5))
      return world.hour.tokens.get(alpha)?.trust
    }
    const still = { sqrtPriceX96: sqrtPrices.alphaAt6, amount0: 4n * 10n ** 8n, amount1: -(10n ** 16n) }
    const away = { sqrtPriceX96: 50_000n * 2n ** 96n, amount0: -(10n ** 10n), amount1: 10n ** 20n }
    const quiet = trustAfter((at) => [swapOf(alphaPool, still, at)])
    expect(trustAfter((at) => [swapOf(alphaPool, away, at), { ...swapOf(alphaPool, still, at), logIndex: 1 }])).toBe(quiet)
    // Nor does a small trade before the move hide one that stays.
    const moved = trustAfter((at) => [swapOf(alphaPool, away, at)])
    expect(trustAfter((at) => [swapOf(alphaPool, still, at), { ...swapOf(alphaPool, away, at), logIndex: 1 }])).toBe(moved)
    expect(moved).toBeLessThan(quiet ?? 0)
  })
})
