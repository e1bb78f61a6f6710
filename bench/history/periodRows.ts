import { type Address, absolute, hourSeconds } from '@chainboard/core'
import { at } from '../../devnet/at.ts'
import type { ExchangePeriod } from '../../server/store/exchangePeriods.ts'
import type { PoolPeriod } from '../../server/store/poolPeriods.ts'
import type { TokenPeriod } from '../../server/store/tokenPeriods.ts'
import { emptyTokenState, type TokenState } from '../../server/store/tokenState.ts'
import type { FabricatedChain } from '../../server/testing/fabricated/fabricatedChain.ts'
import { type FabricatedPool, roundSwaps } from '../../server/testing/fabricated/fabricatedPool.ts'
import { native, usdc } from '../../server/testing/simulation/modelMarket.ts'
import { toAddress } from '../hex.ts'

/** US dollars x 10^18 of one smallest unit of a quote, x 10^18. */
const quoteUsdE36: Readonly<Record<string, bigint>> = {
  [native.address]: 2_000n * 10n ** 18n,
  [usdc.address]: 10n ** 30n,
}
const e18 = 10n ** 18n

/** Sums over the first steps of a pool's round. */
type Sums = {
  readonly net0: bigint
  readonly net1: bigint
  readonly volume0: bigint
  readonly volume1: bigint
  readonly usdE18: bigint
}

/** A pool of the chain with what it moved, in closed form. */
export type TradedPool = {
  readonly own: FabricatedPool
  readonly address: Address
  /** US dollars x 10^18 that each swap of the round is worth. */
  readonly stepUsdE18: readonly bigint[]
  /** The pool after so many swaps; `tvlUsdE18` by what its quote is worth, twice. */
  stateAfter(
    swaps: number,
  ): Omit<
    PoolPeriod,
    'startSeconds' | 'open' | 'high' | 'low' | 'volume0' | 'volume1' | 'volumeUsdE18' | 'feesUsdE18' | 'swapCount' | 'eventCount'
  >
  readonly token0: Address
  readonly token1: Address
  /** The token that has no other pool; undefined in the pool of the wrapped coin and the dollar. */
  readonly ownToken: Address | undefined
  readonly decimals: ReadonlyMap<string, number>
}

const liquidityEvents = 2

/** What a pool of the chain moves with each swap. @param decimals of tokens by address */
export function tradePool(own: FabricatedPool, decimals: ReadonlyMap<string, number>): TradedPool {
  const opened = own.stateAfter(0)
  const [address, token0, token1] = [toAddress(own.address), toAddress(opened.token0), toAddress(opened.token1)]
  const quote = token0 === usdc.address || (token0 === native.address && token1 !== usdc.address) ? 0 : 1
  const unit = quoteUsdE36[quote === 0 ? token0 : token1] ?? 0n
  const sums: Sums[] = [{ net0: 0n, net1: 0n, volume0: 0n, volume1: 0n, usdE18: 0n }]
  const stepUsdE18 = own.round.map(({ amount0, amount1 }) => (absolute(quote === 0 ? amount0 : amount1) * unit) / e18)
  own.round.forEach(({ amount0, amount1 }, i) => {
    const before = at(sums, i)
    sums.push({
      net0: before.net0 + amount0,
      net1: before.net1 + amount1,
      volume0: before.volume0 + absolute(amount0),
      volume1: before.volume1 + absolute(amount1),
      usdE18: before.usdE18 + at(stepUsdE18, i),
    })
  })
  const whole = at(sums, own.round.length)
  const ownToken = [token0, token1].find((token) => token !== usdc.address && token !== native.address)
  return {
    own,
    address,
    stepUsdE18,
    token0,
    token1,
    ownToken,
    decimals,
    stateAfter: (swaps) => {
      const inRound = swaps % roundSwaps
      const rounds = BigInt((swaps - inRound) / roundSwaps)
      const part = at(sums, inRound)
      const pool = own.stateAfter(swaps)
      const reserve0 = opened.balance0 + rounds * whole.net0 + part.net0
      const reserve1 = opened.balance1 + rounds * whole.net1 + part.net1
      const totalVolumeUsdE18 = rounds * whole.usdE18 + part.usdE18
      return {
        pool: address,
        sqrtPriceX96: pool.sqrtPriceX96,
        tick: pool.tick,
        liquidity: pool.liquidity,
        reserve0,
        reserve1,
        totalVolume0: rounds * whole.volume0 + part.volume0,
        totalVolume1: rounds * whole.volume1 + part.volume1,
        totalVolumeUsdE18,
        totalFeesUsdE18: (totalVolumeUsdE18 * BigInt(opened.fee)) / 1_000_000n,
        collected0: 0n,
        collected1: 0n,
        collectedUsdE18: 0n,
        tvlUsdE18: (2n * (quote === 0 ? reserve0 : reserve1) * unit) / e18,
        txCount: liquidityEvents + swaps,
        feeGrowth0: pool.feeGrowth0X128,
        feeGrowth1: pool.feeGrowth1X128,
      }
    },
  }
}

/** A period of a pool in which its swaps `from` (included) to `to` happened. */
export function toPoolPeriod(pool: TradedPool, startSeconds: number, from: number, to: number): PoolPeriod {
  const [before, after] = [pool.stateAfter(from), pool.stateAfter(to)]
  let [open, high, low] = [0n, 0n, 0n]
  for (let n = from; n < Math.min(to, from + roundSwaps); n += 1) {
    const price = at(pool.own.round, n % roundSwaps).pool.sqrtPriceX96
    if (n === from) [open, high, low] = [price, price, price]
    if (price > high) high = price
    if (price < low) low = price
  }
  return {
    ...after,
    startSeconds,
    open,
    high,
    low,
    volume0: after.totalVolume0 - before.totalVolume0,
    volume1: after.totalVolume1 - before.totalVolume1,
    volumeUsdE18: after.totalVolumeUsdE18 - before.totalVolumeUsdE18,
    feesUsdE18: after.totalFeesUsdE18 - before.totalFeesUsdE18,
    swapCount: to - from,
    eventCount: to - from,
  }
}

/** Dollars of a whole token that the wrapped coin or the dollar prices; steady, as nothing is checked by it. */
function priceOf(token: string): bigint {
  return token === native.address ? 2_000n * e18 : e18
}

/** The rows of one period. */
export type Rows = { readonly pools: PoolPeriod[]; readonly tokens: TokenPeriod[]; readonly exchange: ExchangePeriod }

/** Rows of hours or days, made one after the other in the order of time. */
export type Periods = {
  /** Swaps of each pool so far. */
  readonly done: readonly number[]
  /** Each token after them. */
  readonly tokens: ReadonlyMap<Address, TokenState>
  /** The period until a swap, which is not in it; undefined when it has none. */
  next(startSeconds: number, untilSwap: number): Rows | undefined
}

/** Periods from the first swap of a chain on. */
export function createPeriods(chain: FabricatedChain, pools: readonly TradedPool[]): Periods {
  const done = pools.map(() => 0)
  const known = openTokens(pools)
  let tvlUsdE18 = pools.reduce((sum, { stateAfter }) => sum + stateAfter(0).tvlUsdE18, 0n)
  let nextSwap = 0
  return {
    done,
    tokens: known,
    next(startSeconds, untilSwap) {
      if (nextSwap >= untilSwap) return undefined
      const first = new Map<number, number>()
      for (; nextSwap < untilSwap; nextSwap += 1) {
        const { pool, nth } = chain.tradeOf(nextSwap)
        if (!first.has(pool)) first.set(pool, nth)
        done[pool] = nth + 1
      }
      const rows: Rows['pools'] = []
      const shares = new Map<Address, TokenPeriod>()
      let [volumeUsdE18, feesUsdE18, txCount] = [0n, 0n, 0]
      for (const [index, from] of first) {
        const pool = at(pools, index)
        const row = toPoolPeriod(pool, startSeconds, from, at(done, index))
        rows.push(row)
        const before = pool.stateAfter(from)
        tvlUsdE18 += row.tvlUsdE18 - before.tvlUsdE18
        volumeUsdE18 += row.volumeUsdE18
        feesUsdE18 += row.feesUsdE18
        txCount += row.eventCount
        addShare({ known, shares, row }, pool.token0, { moved: row.reserve0 - before.reserve0, volume: row.volume0 })
        addShare({ known, shares, row }, pool.token1, { moved: row.reserve1 - before.reserve1, volume: row.volume1 })
      }
      const exchange = { startSeconds, tvlUsdE18, nativeUsdE18: priceOf(native.address), volumeUsdE18, feesUsdE18, txCount }
      return { pools: rows, tokens: [...shares.values()], exchange }
    },
  }
}

/** Each token with what the pools hold of it before their first swap. */
function openTokens(pools: readonly TradedPool[]): Map<Address, TokenState> {
  const known = new Map<Address, TokenState>()
  for (const { stateAfter, token0, token1 } of pools) {
    const state = stateAfter(0)
    for (const [token, reserve] of [
      [token0, state.reserve0],
      [token1, state.reserve1],
    ] as const) {
      const before = known.get(token) ?? emptyTokenState
      known.set(token, {
        ...before,
        reserve: before.reserve + reserve,
        txCount: before.txCount + liquidityEvents,
        priceUsdE18: priceOf(token),
      })
    }
  }
  return known
}

type Shared = { readonly known: Map<Address, TokenState>; readonly shares: Map<Address, TokenPeriod>; readonly row: PoolPeriod }

/** Adds a pool's period to that of one of its tokens. */
function addShare(
  { known, shares, row }: Shared,
  token: Address,
  { moved, volume }: { readonly moved: bigint; readonly volume: bigint },
): void {
  const was = known.get(token) ?? emptyTokenState
  const state: TokenState = {
    reserve: was.reserve + moved,
    totalVolume: was.totalVolume + volume,
    totalVolumeUsdE18: was.totalVolumeUsdE18 + row.volumeUsdE18,
    totalFeesUsdE18: was.totalFeesUsdE18 + row.feesUsdE18,
    txCount: was.txCount + row.eventCount,
    priceUsdE18: was.priceUsdE18,
  }
  known.set(token, state)
  const share = shares.get(token)
  const price = state.priceUsdE18
  shares.set(token, {
    ...{ ...state, token, startSeconds: row.startSeconds, open: price, high: price, low: price, trust: 90 },
    volume: (share?.volume ?? 0n) + volume,
    volumeUsdE18: (share?.volumeUsdE18 ?? 0n) + row.volumeUsdE18,
    feesUsdE18: (share?.feesUsdE18 ?? 0n) + row.feesUsdE18,
  })
}

/** The lengths of periods. */
export const periodSeconds = { hours: hourSeconds, days: 24 * hourSeconds } as const
