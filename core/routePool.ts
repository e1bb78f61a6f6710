import type { Address } from './address.ts'
import type { Depth } from './executableDepth.ts'
import { tenTo } from './fixedPoint.ts'
import type { WeighedWindow } from './poolWindow.ts'
import type { Hop } from './route.ts'

/** What a route needs to know of a pool. */
export type RoutePool = {
  readonly address: Address
  readonly token0: Address
  readonly token1: Address
  /** After its last event; 0 before the pool was opened. */
  readonly sqrtPriceX96: bigint
  /** The medians of its window, by which it is priced and weighed. */
  readonly window: WeighedWindow
  /** Whether it has traded for a while: one that has not never beats one that has. */
  readonly isEstablished: boolean
}

/** Decimals of tokens as the chain says them; a token without is left alone. */
export type Decimals = Pick<ReadonlyMap<Address, number>, 'get'>

/** The pool as a step from its other token to `quote`; undefined when a token of it cannot be counted. */
export function toHop(
  pool: Omit<RoutePool, 'isEstablished'>,
  quote: Address,
  quoteUsdE18: bigint,
  stepTo: StepTo,
): Hop | undefined {
  const step = pool.window.sqrtPriceX96 === 0n ? undefined : stepTo(pool, quote)
  return step && { ...step, depthUsdE18: depthUsd(pool.window, step, quoteUsdE18) }
}

/** A pool as a way from one token to another, whatever is in it. */
export type Step = Omit<Hop, 'depthUsdE18'>

/** A pool as a way to one of its tokens; undefined when a token of it cannot be counted. */
export type StepTo = (pool: Pick<RoutePool, 'address' | 'token0' | 'token1'>, quote: Address) => Step | undefined

/** Steps by the decimals that are known: a pool with a token without any is no way anywhere. */
export function stepsBy(decimals: Decimals): StepTo {
  return ({ address: pool, token0, token1 }, quote) => {
    const [decimals0, decimals1] = [decimals.get(token0), decimals.get(token1)]
    if (decimals0 === undefined || decimals1 === undefined) return undefined
    const baseIsToken0 = token1 === quote
    return { pool, base: baseIsToken0 ? token0 : token1, quote, baseIsToken0, decimals0, decimals1 }
  }
}

/** US dollars x 10^18 that trade within 2 % of the price. */
export function depthUsd(depth: Depth, hop: Step, quoteUsdE18: bigint): bigint {
  return (depthInQuote(depth, hop.baseIsToken0) * quoteUsdE18) / tenTo(hop.baseIsToken0 ? hop.decimals1 : hop.decimals0)
}

/** Quote tokens, in smallest units, that trade the base within 2 % of its price, whether up or down. */
export function depthInQuote({ depth0, depth1 }: Depth, baseIsToken0: boolean): bigint {
  return baseIsToken0 ? depth1 : depth0
}

/** Each token's pools. */
export function groupByToken<P extends Pick<RoutePool, 'token0' | 'token1'>>(
  pools: readonly P[],
): ReadonlyMap<Address, readonly P[]> {
  const groups = new Map<Address, P[]>()
  for (const pool of pools) {
    for (const token of [pool.token0, pool.token1]) {
      const group = groups.get(token)
      if (group) group.push(pool)
      else groups.set(token, [pool])
    }
  }
  return groups
}
