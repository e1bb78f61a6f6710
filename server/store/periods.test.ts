import type { Address } from '@chainboard/core'
import { describe, expect, it } from 'vitest'
import { createTempStores, engines } from '../testing/tempStores.ts'
import { deleteExchangePeriodsFrom, type ExchangePeriod, listExchangeHoursIn, upsertExchangePeriods } from './exchangePeriods.ts'
import {
  deletePeriodsFrom,
  deletePeriodsOf,
  listHourShares,
  listHourVolumes,
  listLastHoursBefore,
  listStandingsBefore,
  listSumsBefore,
  type PoolPeriod,
  upsertPeriods,
} from './poolPeriods.ts'
import { emptyPoolState } from './poolState.ts'
import { upsertPools } from './pools.ts'
import {
  deleteTokenPeriodsFrom,
  deleteTokenPeriodsOf,
  listLastTokenHoursBefore,
  listTokenHourShares,
  listTokenRangesIn,
  listTokenSumsBefore,
  type TokenPeriod,
  upsertTokenPeriods,
} from './tokenPeriods.ts'
import { emptyTokenState } from './tokenState.ts'
import { upsertTokens } from './tokens.ts'

const stores = createTempStores()
const address = (byte: string): Address => `0x${byte.repeat(20)}`
const [a, b, c] = [address('a1'), address('a2'), address('a3')]
const hour = 3_600
const big = 2n ** 160n - 1n

const period = (pool: Address, at: number, facts: Partial<PoolPeriod> = {}): PoolPeriod => ({
  ...{ ...emptyPoolState, pool, startSeconds: at * hour, open: 1n, high: 3n, low: 1n, sqrtPriceX96: 2n, tick: -5 },
  ...{ volume0: 0n, volume1: 0n, volumeUsdE18: 0n, feesUsdE18: 0n, swapCount: 0, eventCount: 1 },
  ...facts,
})
const tokenPeriod = (token: Address, at: number, facts: Partial<TokenPeriod> = {}): TokenPeriod => ({
  ...{ ...emptyTokenState, token, startSeconds: at * hour, open: 1n, high: 3n, low: 1n, priceUsdE18: 2n },
  ...{ volume: 0n, volumeUsdE18: 0n, feesUsdE18: 0n, trust: undefined },
  ...facts,
})

describe.each(engines)('periods of pools on %s', (engine) => {
  const open = async () => {
    const store = await stores.openNew(engine)
    const made = {
      token0: address('10'),
      token1: address('50'),
      fee: 3_000,
      tickSpacing: 60,
      createdBlock: 1,
      createdAtSeconds: 1,
    }
    const never = { firstSwapAtSeconds: undefined, lastSwapAtSeconds: undefined, depth0: 0n, depth1: 0n, reach: undefined }
    const pools = [a, b, c].map((own) => ({ ...emptyPoolState, ...made, ...never, address: own }))
    await store.write((tx) => upsertPools(tx, pools))
    return store
  }

  it('are read back with every digit, the last one of each pool before a moment', async () => {
    const store = await open()
    const full = period(a, 8, {
      ...{
        sqrtPriceX96: big,
        open: big,
        high: big,
        low: 4_295_128_739n,
        tick: undefined,
        liquidity: 2n ** 128n - 1n,
        tvlUsdE18: 7n,
      },
      ...{ reserve0: -1n, reserve1: 2n ** 255n, collected0: 1n, collected1: 2n, collectedUsdE18: 3n, txCount: 4 },
      ...{ feeGrowth0: undefined, feeGrowth1: 2n ** 256n - 1n, volume0: 5n, volume1: 6n, volumeUsdE18: 7n, feesUsdE18: 8n },
      ...{ swapCount: 9, eventCount: 10 },
    })
    await store.write((tx) => upsertPeriods(tx, 'pool_hours', [period(a, 2), full, period(a, 9), period(b, 1)]))
    const { totalVolume0, totalVolume1, totalVolumeUsdE18, totalFeesUsdE18, ...hourOfA } = full
    const last = await listLastHoursBefore(store.read, 9 * hour)
    expect(last.find(({ pool }) => pool === a)).toEqual(hourOfA)
    expect(last.map(({ pool, startSeconds }) => [pool, startSeconds / hour]).sort()).toEqual([
      [a, 8],
      [b, 1],
    ])
    const standings = await listStandingsBefore(store.read, 9 * hour)
    expect(standings.get(a)).toEqual({
      ...{ sqrtPriceX96: big, tick: undefined, liquidity: 2n ** 128n - 1n, reserve0: -1n, reserve1: 2n ** 255n },
    })
    expect([...standings.keys()].sort()).toEqual([a, b])
  })

  it('are replaced by those with the same start, and listed by time without the end of their span', async () => {
    const store = await open()
    await store.write((tx) => upsertPeriods(tx, 'pool_hours', [period(a, 3), period(b, 2), period(a, 4), period(a, 5)]))
    await store.write((tx) =>
      upsertPeriods(tx, 'pool_hours', [
        period(a, 4, { high: 9n, volumeUsdE18: 70n, swapCount: 2 }),
        period(b, 4, { swapCount: 0 }),
      ]),
    )
    const shares = await listHourShares(store.read, { fromSeconds: 2 * hour, toSeconds: 5 * hour })
    const found = shares.map(({ pool, startSeconds, high }) => [startSeconds / hour, pool, high])
    expect(found.slice(0, 2)).toEqual([
      [2, b, 3n],
      [3, a, 3n],
    ])
    expect(found.slice(2).sort()).toEqual([
      [4, a, 9n],
      [4, b, 3n],
    ])
    // Without those in which nothing was swapped.
    expect(await listHourVolumes(store.read, 2 * hour, 5 * hour)).toEqual([{ pool: a, usdE18: 70n }])
  })

  it('say what was traded until the last day before a moment', async () => {
    const store = await open()
    const sums = { totalVolume0: big, totalVolume1: 2n, totalVolumeUsdE18: 3n, totalFeesUsdE18: 4n }
    await store.write((tx) =>
      upsertPeriods(tx, 'pool_days', [period(a, 24, sums), period(a, 48, { totalVolume0: 99n }), period(b, 72)]),
    )
    expect(await listSumsBefore(store.read, 48 * hour)).toEqual(new Map([[a, sums]]))
    expect((await listSumsBefore(store.read, 48 * hour + 1)).get(a)?.totalVolume0).toBe(99n)
  })

  it('go from a moment on, or for some pools alone', async () => {
    const store = await open()
    const starts = async () =>
      (await listHourShares(store.read, { fromSeconds: 0, toSeconds: 99 * hour }))
        .map(({ pool, startSeconds }) => `${pool.slice(2, 4)}:${startSeconds / hour}`)
        .sort()
    const all = [a, b].flatMap((pool) => [1, 2, 3].map((at) => period(pool, at)))
    await store.write((tx) => upsertPeriods(tx, 'pool_hours', all))
    await store.write((tx) => deletePeriodsOf(tx, 'pool_hours', { startSeconds: 2 * hour, pools: [a, c] }))
    expect(await starts()).toEqual(['a1:1', 'a1:3', 'a2:1', 'a2:2', 'a2:3'])
    await store.write((tx) => deletePeriodsFrom(tx, 'pool_hours', 2 * hour))
    expect(await starts()).toEqual(['a1:1', 'a2:1'])
  })
})

describe.each(engines)('periods of tokens on %s', (engine) => {
  const open = async () => {
    const store = await stores.openNew(engine)
    const facts = { symbol: 'T', name: 'T', decimals: 18, totalSupplyRaw: 0n }
    const tokens = [a, b, c].map((own) => ({ ...emptyTokenState, ...facts, address: own }))
    await store.write((tx) => upsertTokens(tx, tokens))
    return store
  }

  it('are read back with every digit, the last one of each token before a moment', async () => {
    const store = await open()
    const full = tokenPeriod(a, 8, {
      ...{ priceUsdE18: big, open: big, high: big, low: 0n, reserve: -1n, txCount: 3, volume: 4n, volumeUsdE18: 5n },
      ...{ feesUsdE18: 6n, trust: 0 },
    })
    await store.write((tx) =>
      upsertTokenPeriods(tx, 'token_hours', [tokenPeriod(a, 2), full, tokenPeriod(a, 9), tokenPeriod(b, 1)]),
    )
    const { totalVolume, totalVolumeUsdE18, totalFeesUsdE18, ...hourOfA } = full
    const last = await listLastTokenHoursBefore(store.read, 9 * hour)
    expect(last.find(({ token }) => token === a)).toEqual(hourOfA)
    expect(last.map(({ token }) => token).sort()).toEqual([a, b])
  })

  it('say what they were between, whatever of it equals the close', async () => {
    const store = await open()
    await store.write((tx) =>
      upsertTokenPeriods(tx, 'token_hours', [
        tokenPeriod(a, 3, { open: 2n, high: 2n, low: 2n, trust: 40 }),
        tokenPeriod(b, 2, { low: 0n }),
        tokenPeriod(c, 5),
      ]),
    )
    const span = { fromSeconds: 2 * hour, toSeconds: 5 * hour }
    expect(await listTokenRangesIn(store.read, span)).toEqual([
      { token: b, low: 0n, high: 3n, trust: undefined },
      { token: a, low: 2n, high: 2n, trust: 40 },
    ])
    const shares = await listTokenHourShares(store.read, span)
    expect(shares.map(({ token, open: first, high, low }) => [token, first, high, low])).toEqual([
      [b, 1n, 3n, 0n],
      [a, 2n, 2n, 2n],
    ])
  })

  it('say what was traded until the last day before a moment, and go from a moment on', async () => {
    const store = await open()
    const sums = { totalVolume: big, totalVolumeUsdE18: 2n, totalFeesUsdE18: 3n }
    const days = [tokenPeriod(a, 24, sums), tokenPeriod(a, 48), tokenPeriod(b, 48)]
    await store.write((tx) => upsertTokenPeriods(tx, 'token_days', days))
    expect(await listTokenSumsBefore(store.read, 48 * hour)).toEqual(new Map([[a, sums]]))
    await store.write((tx) => deleteTokenPeriodsOf(tx, 'token_days', { startSeconds: 48 * hour, tokens: [b] }))
    expect([...(await listTokenSumsBefore(store.read, 99 * hour)).entries()]).toEqual([
      [a, { totalVolume: 0n, totalVolumeUsdE18: 0n, totalFeesUsdE18: 0n }],
    ])
    await store.write((tx) => deleteTokenPeriodsFrom(tx, 'token_days', 48 * hour))
    expect(await listTokenSumsBefore(store.read, 99 * hour)).toEqual(new Map([[a, sums]]))
  })
})

describe.each(engines)('periods of the exchange on %s', (engine) => {
  it('are read back by time, replaced by those with the same start, and go from a moment on', async () => {
    const store = await stores.openNew(engine)
    const of = (at: number, tvlUsdE18 = 1n): ExchangePeriod => ({
      ...{ startSeconds: at * hour, tvlUsdE18, nativeUsdE18: 2n, volumeUsdE18: 10n ** 60n, feesUsdE18: 3n, txCount: 4 },
    })
    await store.write((tx) => upsertExchangePeriods(tx, 'exchange_hours', [of(3), of(1), of(2)]))
    await store.write((tx) => upsertExchangePeriods(tx, 'exchange_hours', [of(2, 9n)]))
    const span = { fromSeconds: hour, toSeconds: 3 * hour }
    expect(await listExchangeHoursIn(store.read, span)).toEqual([of(1), of(2, 9n)])
    await store.write((tx) => deleteExchangePeriodsFrom(tx, 'exchange_hours', 2 * hour))
    expect(await listExchangeHoursIn(store.read, { fromSeconds: 0, toSeconds: 99 * hour })).toEqual([of(1)])
  })
})
