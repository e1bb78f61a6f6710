import type { Address } from './address.ts'
import { oneE18, timesFraction } from './fixedPoint.ts'
import { MaxHeap } from './maxHeap.ts'
import { type Hop, type Route, usdAlong } from './route.ts'

/** What a route needs to know of a pool. Reserves are in smallest units; `sqrtPriceX96` is 0 before the pool was opened. */
export type RoutePool = {
  readonly address: Address
  readonly token0: Address
  readonly token1: Address
  readonly sqrtPriceX96: bigint
  readonly liquidity: bigint
  readonly reserve0: bigint
  readonly reserve1: bigint
}

/** A token's way to US dollars. `depthUsdE18` is that of its shallowest hop; undefined for a stable coin, which has none. */
export type FoundRoute = {
  readonly route: Route
  readonly usdE18: bigint
  readonly depthUsdE18: bigint | undefined
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
/** sqrt(1.02) - 1 = 0.00995…: the share of a pool's virtual reserve that a move of 2 % trades. */
const twoPercent = { numerator: 995n, denominator: 100_000n }

type Candidate = {
  readonly token: Address
  /** At least one hop. */
  readonly route: Route
  readonly depthUsdE18: bigint
  readonly usdE18: bigint
}

/**
 * Which of two ways comes first. Ways through the same shallow pool are equally deep: then the deeper first pool counts, and at
 * last its address, so that the same pools in whatever order give the same routes.
 */
function isDeeper(a: Candidate, b: Candidate): boolean {
  if (a.depthUsdE18 !== b.depthUsdE18) return a.depthUsdE18 > b.depthUsdE18
  const [hopA, hopB] = [a.route[0] as Hop, b.route[0] as Hop]
  return hopA.depthUsdE18 === hopB.depthUsdE18 ? hopA.pool < hopB.pool : hopA.depthUsdE18 > hopB.depthUsdE18
}

/**
 * Prices every token along its deepest route to a stable coin: the route whose shallowest pool is deepest, of at most four
 * hops. Pure.
 */
export function findRoutes({ pools, decimals, stables, depthFloorUsdE18 }: RouteRequest): Routes {
  const found = new Map<Address, FoundRoute>(
    stables.map((token) => [token, { route: [], usdE18: oneE18, depthUsdE18: undefined }]),
  )
  const thin = new Map<Address, bigint>()
  const poolsOf = groupByToken(pools)
  const prices = new Map(pools.map(({ address, sqrtPriceX96 }) => [address, sqrtPriceX96]))
  const candidates = new MaxHeap<Candidate>(isDeeper)

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
      candidates.push({ token: hop.base, route, depthUsdE18, usdE18: usdAlong(route, (address) => prices.get(address)) ?? 0n })
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
  pool: RoutePool,
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

/**
 * Quote tokens, in smallest units, that buy the base up by 2 %, as if the liquidity in range went on that far, and never
 * more than the pool holds.
 */
export function depthInQuote(pool: RoutePool, baseIsToken0: boolean): bigint {
  const virtual = baseIsToken0 ? (pool.liquidity * pool.sqrtPriceX96) >> 96n : (pool.liquidity << 96n) / pool.sqrtPriceX96
  const depth = timesFraction(virtual, twoPercent)
  const held = baseIsToken0 ? pool.reserve1 : pool.reserve0
  return depth < held ? depth : held > 0n ? held : 0n
}

/** Each token's pools. */
export function groupByToken<P extends RoutePool>(pools: readonly P[]): ReadonlyMap<Address, readonly P[]> {
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
