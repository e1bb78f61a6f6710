import { type Address, basePrice, getFrom, oneE18, statedDepth, timesFraction } from '@chainboard/core'
import type { SurveyedPool } from './readPools.ts'

/** A token that others are valued in: `valueE18` of one whole token, in whatever unit all are counted in. */
export type Money = { readonly decimals: number; readonly valueE18: bigint }

/** A token by its deepest pool with a money. `depthE18`: what trades there within 2 %, in the same unit as the values. */
export type TokenValue = { readonly valueE18: bigint; readonly depthE18: bigint; readonly pool: Address }

export type ValuedMarket = {
  readonly pools: readonly SurveyedPool[]
  readonly moneys: ReadonlyMap<Address, Money>
  /** Absent: the token has none that count, and is not valued. */
  readonly decimals: ReadonlyMap<Address, number>
  /** What a pool holds of a money, in its smallest units, by `reserveKey`. */
  readonly reserves: ReadonlyMap<string, bigint>
}

/** Names a pool's reserve of one of its tokens, among those of all pools. */
export function reserveKey(pool: Address, money: Address): string {
  return `${pool} ${money}`
}

/** Pools with a money on one side at least, each with the money: what reserves are needed of. */
export function listMoneySides(pools: readonly SurveyedPool[], moneys: ReadonlyMap<Address, unknown>) {
  return pools.flatMap((pool) => [pool.token0, pool.token1].flatMap((money) => (moneys.has(money) ? [{ pool, money }] : [])))
}

/**
 * Values each token by the deepest pool that it has with a money. Depth counts on the money's side alone, and never more than
 * the pool holds of it: of a token that its owner prints there may be any amount. Pure.
 */
export function valueTokens({ pools, moneys, decimals, reserves }: ValuedMarket): Map<Address, TokenValue> {
  const values = new Map<Address, TokenValue>()
  for (const { pool, money } of listMoneySides(pools, moneys)) {
    const token = pool.token0 === money ? pool.token1 : pool.token0
    const { decimals: moneyDecimals, valueE18: moneyValueE18 } = getFrom(moneys, money)
    const tokenDecimals = decimals.get(token)
    if (tokenDecimals === undefined) continue
    const moneyIs0 = pool.token0 === money
    const reserve = reserves.get(reserveKey(pool.address, money)) ?? 0n
    const depth = statedDepth({ ...pool, reserve0: reserve, reserve1: reserve })
    const depthE18 = ((moneyIs0 ? depth.depth0 : depth.depth1) * moneyValueE18) / 10n ** BigInt(moneyDecimals)
    const price = {
      sqrtPriceX96: pool.sqrtPriceX96,
      decimals0: moneyIs0 ? moneyDecimals : tokenDecimals,
      decimals1: moneyIs0 ? tokenDecimals : moneyDecimals,
    }
    const valueE18 = (timesFraction(oneE18, basePrice(price, !moneyIs0)) * moneyValueE18) / oneE18
    const best = values.get(token)
    if (depthE18 > 0n && (!best || depthE18 > best.depthE18)) values.set(token, { valueE18, depthE18, pool: pool.address })
  }
  return values
}
