// Traders who ignore the attacker, and the prices that the pools would have without one.

import { poolAddresses } from '../../devnet/addresses.ts'
import { at } from '../../devnet/at.ts'
import { readSqrtPrices, resumeMarket } from '../../devnet/generate.ts'
import type { Pace, Trade } from '../../devnet/market.ts'
import { type DevPool, pools } from '../../devnet/pools.ts'
import { fromSqrtPriceX96, toSqrtPriceX96 } from '../../devnet/prices.ts'
import type { Rpc } from '../../devnet/rpc.ts'
import { getToken, listedTokens } from '../../devnet/tokens.ts'
import { NotMeasured } from '../notMeasured.ts'
import type { Prices } from './money.ts'

/** The trades and prices of an honest market. */
export type HonestMarket = {
  /** The trades of the next block. */
  next(seconds: number, pace: Pace): Trade[]
  /** What USDC is worth from now on: the pools with it are traded there in the next block. US dollars. */
  setPeg(usd: number): void
  /** Adds an attacker's token, with the first price of its pool; undefined: it cannot be sold. */
  setPrice(symbol: string, usd: number | undefined): void
  /** US dollars per whole token, as in its pool without an attacker. Undefined: it cannot be sold, or has no pool. */
  usdOf(symbol: string): number | undefined
  prices(): Prices
  /** Remembers the prices as those at the end of a block. */
  record(block: number): void
  /** @throws NotMeasured for a block that was not recorded */
  pricesAt(block: number): Prices
  /** The chain left the blocks after this one. */
  rewind(block: number): void
}

type Standing = { readonly roots: readonly bigint[]; readonly prices: Prices }

/** Honest traders from the head of the chain on. @param seed decides the trades, together with the head */
export async function createHonestMarket(rpc: Rpc, seed: string): Promise<HonestMarket> {
  const market = await resumeMarket(rpc, { seed })
  let roots: readonly bigint[] = await readSqrtPrices(rpc)
  let [peg, isPegNew] = [1, false]
  const own = new Map<string, number | undefined>()
  const kept = new Map<number, Standing>()
  const usdOf = (symbol: string): number | undefined => {
    if (own.has(symbol)) return own.get(symbol)
    if (symbol === 'USDC') return peg
    const quote = getToken(symbol).market?.quote
    const place = pools.findIndex((pool) => pool.base === symbol && pool.quote === quote)
    const quoteUsd = quote === undefined ? undefined : usdOf(quote)
    return quoteUsd === undefined ? undefined : fromSqrtPriceX96(at(pools, place), roots[place] ?? 0n) * quoteUsd
  }
  const prices = () => new Map([...listedTokens.map(({ symbol }) => symbol), ...own.keys()].flatMap(toEntry))
  const toEntry = (symbol: string) => {
    const usd = usdOf(symbol)
    return usd === undefined ? [] : [[symbol, usd] as const]
  }
  /** The market computes in honest dollars: a pool of USDC is traded at the value of USDC. */
  const atPeg = (trade: Trade): Trade => {
    const pool = at(pools, trade.pool)
    if (trade.kind !== 'to' || pool.quote !== 'USDC' || peg === 1) return trade
    return { ...trade, sqrtPriceX96: toSqrtPriceX96(pool, fromSqrtPriceX96(pool, trade.sqrtPriceX96) / peg) }
  }
  return {
    next: (seconds, pace) => {
      const drawn = market.next(seconds, pace)
      const forPeg = isPegNew ? pools.flatMap((pool, place) => (pool.quote === 'USDC' ? [toFair(market, pool, place)] : [])) : []
      isPegNew = false
      const trades = [...drawn, ...forPeg].map(atPeg)
      for (const trade of trades) if (trade.kind === 'to') roots = roots.with(trade.pool, trade.sqrtPriceX96)
      return trades
    },
    setPeg: (usd) => {
      peg = usd
      isPegNew = true
    },
    setPrice: (symbol, usd) => void own.set(symbol, usd),
    usdOf,
    prices,
    record: (block) => void kept.set(block, { roots, prices: prices() }),
    pricesAt: (block) => find(kept, block).prices,
    rewind: (block) => {
      roots = find(kept, block).roots
    },
  }
}

function toFair(market: { usdOf(symbol: string): number }, pool: DevPool, place: number): Trade {
  return { kind: 'to', pool: place, trader: 0, sqrtPriceX96: toSqrtPriceX96(pool, market.usdOf(pool.base)) }
}

function find(kept: ReadonlyMap<number, Standing>, block: number): Standing {
  const standing = kept.get(block)
  if (!standing) throw new NotMeasured(`the honest prices of block ${block} were not recorded (${poolAddresses.length} pools)`)
  return standing
}
