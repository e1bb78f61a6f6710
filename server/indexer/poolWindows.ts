import {
  type Address,
  depthUsd,
  guardE18,
  makeOffer,
  oneDollar,
  type PoolMoment,
  type PoolSpan,
  type PricedToken,
  type PriceWindow,
  type Settled,
  settle,
  shareWeights,
  usdE36Max,
  weighWindow,
} from '@chainboard/core'

/** How a pool's price and depth changed lately: the spans before the moment in force, which began at `changedAtSeconds`. */
export type PoolWindow = { readonly changedAtSeconds: number; readonly spans: readonly PoolSpan[] }

type Change = {
  /** `sqrtPriceX96` is 0 before the pool was opened. */
  readonly before: PoolMoment
  readonly after: PoolMoment
  readonly atSeconds: number
  readonly windowSeconds: number
  /** Whether it had traded before. */
  readonly hasTraded: boolean
}

/**
 * Notes what a block did to a pool. A span is as long as the window at most; one that lasted no time is none. A pool begins with its
 * first liquidity: an untraded one counts as if it had had that since it was opened.
 */
export function noteMoment(windows: Map<Address, PoolWindow>, pool: Address, change: Change): void {
  const { before, after, atSeconds, windowSeconds, hasTraded } = change
  const { sqrtPriceX96, depth0, depth1 } = before
  if (sqrtPriceX96 === after.sqrtPriceX96 && depth0 === after.depth0 && depth1 === after.depth1) return
  const window = windows.get(pool)
  const start = atSeconds - windowSeconds
  const fromSeconds = Math.max(start, window?.changedAtSeconds ?? start)
  const spans = (window?.spans ?? []).filter(({ untilSeconds }) => untilSeconds > start)
  const isFirst = !hasTraded && spans.length === 0 && depth0 === 0n && depth1 === 0n
  const depth = isFirst ? { depth0: after.depth0, depth1: after.depth1 } : { depth0, depth1 }
  if (sqrtPriceX96 !== 0n && fromSeconds < atSeconds) spans.push({ sqrtPriceX96, ...depth, fromSeconds, untilSeconds: atSeconds })
  windows.set(pool, { changedAtSeconds: atSeconds, spans })
}

/** The medians of a pool's window. */
export function weighPool(
  windows: ReadonlyMap<Address, PoolWindow>,
  pool: PoolMoment & { readonly address: Address },
  at: PriceWindow,
): PoolMoment {
  return weighWindow(windows.get(pool.address)?.spans ?? [], pool, at)
}

/** What a price needs of the world. */
export type PriceWorld = {
  readonly valuation: { readonly depthFloorUsdE18: bigint; readonly windowSeconds: number }
  readonly pools: ReadonlyMap<Address, PoolMoment & { readonly address: Address }>
  readonly windows: ReadonlyMap<Address, PoolWindow>
  readonly routes: ReadonlyMap<Address, PricedToken>
}

/** Prices at a moment, by the pools that the routes name and by what these are now. Each is worked out once. @returns undefined for a token without a price */
export function priceTokens(
  { valuation, pools, windows, routes }: PriceWorld,
  nowSeconds: number,
): (token: Address) => Settled | undefined {
  const { depthFloorUsdE18, windowSeconds } = valuation
  const known = new Map<Address, Settled | undefined>()
  const price = (token: Address): Settled | undefined => {
    if (known.has(token)) return known.get(token)
    const settled = work(routes.get(token))
    known.set(token, settled)
    return settled
  }
  const work = (plan: PricedToken | undefined): Settled | undefined => {
    if (!plan) return undefined
    if (plan.route.length === 0) return oneDollar
    const found = plan.offers.flatMap(({ hop }) => {
      const [pool, quote] = [pools.get(hop.pool), price(hop.quote)]
      if (!pool || !quote) return []
      const moment = weighPool(windows, pool, { nowSeconds, windowSeconds })
      const depthUsdE18 = depthUsd(moment, hop, quote.usdE36 / guardE18)
      if (depthUsdE18 < depthFloorUsdE18 || depthUsdE18 === 0n) return []
      const offer = makeOffer({ ...hop, depthUsdE18 }, moment.sqrtPriceX96, quote)
      return offer.usdE36 > usdE36Max ? [] : [offer]
    })
    const groups = Map.groupBy(found, ({ hop }) => hop.quote)
    const offers = [...groups].flatMap(([quote, own]) => shareWeights(own, price(quote) as Settled))
    return offers.length === 0 ? undefined : settle(offers)
  }
  return price
}
