import { type Address, createTickList, type Hex, noDepth } from '@chainboard/core'
import { describe, expect, it } from 'vitest'
import type { PoolEvent } from '../store/poolEvents.ts'
import { emptyPoolState } from '../store/poolState.ts'
import type { Pool } from '../store/pools.ts'
import type { Swap } from '../store/swaps.ts'
import { emptyTokenState } from '../store/tokenState.ts'
import { alpha, alphaPool, sqrtPrices, trader, usdc, wrapped, wrappedPool } from '../testing/market.ts'
import { emptyWorld, foldBlock, priceOf, type World } from './world.ts'

const dollars = (whole: number) => BigInt(Math.round(whole * 1e6)) * 10n ** 12n
const hour = 3_600
const firstHour = 1_700_000 * hour

function token(address: Address, decimals: number) {
  return { ...emptyTokenState, address, symbol: '', name: '', decimals, totalSupplyRaw: 0n }
}

function pool(address: Address, token0: Address, token1: Address): Pool {
  const made = {
    fee: 3_000,
    tickSpacing: 60,
    createdBlock: 0,
    createdAtSeconds: 0,
    firstSwapAtSeconds: undefined,
    lastSwapAtSeconds: undefined,
    reach: undefined,
  }
  return { ...emptyPoolState, ...noDepth, ...made, address, token0, token1 }
}

function fold(world: World, event: Swap | PoolEvent) {
  return foldBlock(world, [event])[0]
}

function put(world: World, pool: Pool): void {
  world.pools.set(pool.address, pool)
  world.ticks.set(pool.address, createTickList())
}

let places = 0
function place(of: Address, atSeconds: number) {
  places += 1
  return { blockNumber: places, logIndex: 0, txHash: '0x01' as Hex, pool: of, timestampSeconds: atSeconds }
}

function open(of: Address, sqrtPriceX96: bigint, [liquidity, amount0, amount1]: [bigint, bigint, bigint]): PoolEvent[] {
  const range = { owner: trader, sender: trader, tickLower: -887_220, tickUpper: 887_220 }
  return [
    { ...place(of, firstHour), kind: 'initialize', sqrtPriceX96, tick: 0 },
    { ...place(of, firstHour), kind: 'mint', ...range, amount: liquidity, amount0, amount1 },
  ]
}

function swapOf(
  of: Address,
  { sqrtPriceX96, amount0, amount1 }: Pick<Swap, 'sqrtPriceX96' | 'amount0' | 'amount1'>,
  atSeconds: number,
): Swap {
  const parties = { sender: trader, recipient: trader, liquidity: 10n ** 17n, tick: 0 }
  return { ...place(of, atSeconds), kind: 'swap', ...parties, sqrtPriceX96, amount0, amount1 }
}

/** USDC against the wrapped native coin at 2,500 dollars; ALPHA at 0.0025 of that coin: 6.25 dollars. */
function openMarket(order: 'alpha first' | 'native first' = 'native first'): World {
  const world = emptyWorld({
    stables: [usdc],
    wrappedNative: wrapped,
    quotes: [],
    depthFloorUsdE18: dollars(50),
    windowSeconds: 600,
  })
  for (const each of [token(usdc, 6), token(alpha, 8), token(wrapped, 18)]) world.tokens.set(each.address, each)
  for (const each of [pool(wrappedPool, usdc, wrapped), pool(alphaPool, alpha, wrapped)]) put(world, each)
  const native = open(wrappedPool, sqrtPrices.wrappedAt2500, [10n ** 17n, 5n * 10n ** 12n, 2n * 10n ** 21n])
  const alphas = open(alphaPool, sqrtPrices.alphaAt6, [10n ** 17n, 10n ** 15n, 10n ** 21n])
  const events = order === 'native first' ? [...native, ...alphas] : [...alphas, ...native]
  for (const event of events) fold(world, event)
  return world
}

const at1600 = { sqrtPriceX96: 25_000n * 2n ** 96n, amount0: -1_600_000_000n, amount1: 10n ** 18n }

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
    // 5,000,000 USDC and 2,000 native; 10,000,000 ALPHA and 1,000 native.
    expect(world.pools.get(wrappedPool)?.tvlUsdE18).toBe(dollars(10_000_000))
    expect(world.pools.get(alphaPool)?.tvlUsdE18).toBe(dollars(65_000_000))
    expect(world.hour.exchange?.tvlUsdE18).toBe(dollars(75_000_000))
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

  it('begin anew with the hour, but go on for the day and for ever', () => {
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

  it('are there with the first liquidity, however long the pool was open without', () => {
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
})
