import type { Address } from './address.ts'
import type { Depth } from './executableDepth.ts'
import { oneE18 } from './fixedPoint.ts'
import { MaxHeap } from './maxHeap.ts'
import { type Hop, type Route, usdAlong } from './route.ts'

/** What a route needs to know of a pool. `sqrtPriceX96` is 0 before the pool was opened. */
export type RoutePool = Depth & {
  readonly address: Address
  readonly token0: Address
  readonly token1: Address
  readonly sqrtPriceX96: bigint
  /** Whether it has traded for a while: one that has not never beats one that has. */
  readonly isEstablished: boolean
}

/**
 * A token's way to US dollars. `depthUsdE18` is that of its shallowest hop; undefined for a stable coin, which has none.
 * `isEstablished`: every pool on it is.
 */
export type FoundRoute = {
  readonly route: Route
  readonly usdE18: bigint
  readonly depthUsdE18: bigint | undefined
  readonly isEstablished: boolean
}

/** `thin`: tokens that only pools under the floor could price, with the deepest such pool's depth. */
export type Routes = {
  readonly found: ReadonlyMap<Address, FoundRoute>
  readonly thin: ReadonlyMap<Address, bigint>
}

export type RouteRequest = {
  readonly pools: readonly RoutePool[]
  /** Decimals as the chain says them; a token without is left alone. */
  readonly decimals: ReadonlyMap<Address, number>
  readonly stables: readonly Address[]
  /** Pools with less within 2 % of the price set none. */
  readonly depthFloorUsdE18: bigint
}

const hopsMax = 4

/** `route` has at least one hop. */
type Candidate = FoundRoute & { readonly token: Address; readonly depthUsdE18: bigint }

/** So long after its first swap a pool is established. */
const establishedSeconds = 3_600

/** @param firstSwapAtSeconds undefined: it never traded */
export function isEstablished(firstSwapAtSeconds: number | undefined, nowSeconds: number): boolean {
  return firstSwapAtSeconds !== undefined && nowSeconds - firstSwapAtSeconds >= establishedSeconds
}

/**
 * Which of two ways comes first: one of established pools alone, however shallow, then the deeper one. Ways through the same
 * shallow pool are equally deep: then the deeper first pool counts, and at last its address, so that the same pools in whatever
 * order give the same routes.
 */
function isBetter(a: Candidate, b: Candidate): boolean {
  if (a.isEstablished !== b.isEstablished) return a.isEstablished
  if (a.depthUsdE18 !== b.depthUsdE18) return a.depthUsdE18 > b.depthUsdE18
  const [hopA, hopB] = [a.route[0] as Hop, b.route[0] as Hop]
  return hopA.depthUsdE18 === hopB.depthUsdE18 ? hopA.pool < hopB.pool : hopA.depthUsdE18 > hopB.depthUsdE18
}

/**
 * Prices every token along its best route to a stable coin, of at most four hops: of established pools before others, and then
 * the one whose shallowest pool is deepest. Pure.
 */
export function findRoutes({ pools, decimals, stables, depthFloorUsdE18 }: RouteRequest): Routes {
  const found = new Map<Address, FoundRoute>(
    stables.map((token) => [token, { route: [], usdE18: oneE18, depthUsdE18: undefined, isEstablished: true }]),
  )
  const thin = new Map<Address, bigint>()
  const poolsOf = groupByToken(pools)
  const prices = new Map(pools.map(({ address, sqrtPriceX96 }) => [address, sqrtPriceX96]))
  const candidates = new MaxHeap<Candidate>(isBetter)

  const lookAround = (quote: Address) => {
    const from = found.get(quote) as FoundRoute
    if (from.route.length >= hopsMax) return
    for (const pool of poolsOf.get(quote) ?? []) {
      const hop = toHop(pool, quote, from.usdE18, decimals)
      if (!hop || found.has(hop.base)) continue
      if (hop.depthUsdE18 < depthFloorUsdE18) {
        if (hop.depthUsdE18 > (thin.get(hop.base) ?? -1n)) thin.set(hop.base, hop.depthUsdE18)
        continue
      }
      const depthUsdE18 =
        from.depthUsdE18 === undefined || hop.depthUsdE18 < from.depthUsdE18 ? hop.depthUsdE18 : from.depthUsdE18
      const route = [hop, ...from.route]
      const usdE18 = usdAlong(route, (address) => prices.get(address)) ?? 0n
      candidates.push({ token: hop.base, route, depthUsdE18, usdE18, isEstablished: from.isEstablished && pool.isEstablished })
    }
  }

  for (const stable of stables) lookAround(stable)
  for (let best = candidates.pop(); best; best = candidates.pop()) {
    if (found.has(best.token)) continue
    found.set(best.token, best)
    thin.delete(best.token)
    lookAround(best.token)
  }
  return { found, thin }
}

/** The pool as a step from its other token to `quote`; undefined when a token of it cannot be counted. */
export function toHop(
  pool: Omit<RoutePool, 'isEstablished'>,
  quote: Address,
  quoteUsdE18: bigint,
  decimals: ReadonlyMap<Address, number>,
): Hop | undefined {
  const decimals0 = decimals.get(pool.token0)
  const decimals1 = decimals.get(pool.token1)
  if (decimals0 === undefined || decimals1 === undefined || pool.sqrtPriceX96 === 0n) return undefined
  const baseIsToken0 = pool.token1 === quote
  const quoteRaw = depthInQuote(pool, baseIsToken0)
  const quoteDecimals = baseIsToken0 ? decimals1 : decimals0
  return {
    pool: pool.address,
    base: baseIsToken0 ? pool.token0 : pool.token1,
    quote,
    baseIsToken0,
    decimals0,
    decimals1,
    depthUsdE18: (quoteRaw * quoteUsdE18) / 10n ** BigInt(quoteDecimals),
  }
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
