import {
  type Address,
  depthUsd,
  getFrom,
  type PricedToken,
  type PriceRange,
  rangeOfToken,
  toSpread,
  trustPrice,
} from '@chainboard/core'
import type { Pool } from '../store/pools.ts'
import type { PriceOf } from './pricePlan.ts'

type TrustWorld = { readonly pools: ReadonlyMap<Address, Pool>; readonly valuation: { readonly depthFloorUsdE18: bigint } }

type Moment = {
  readonly price: PriceOf
  readonly nowSeconds: number
  /** Pools of the block as they were before it: its own trades make none of them less quiet. */
  readonly before: ReadonlyMap<Address, Pick<Pool, 'lastSwapAtSeconds'>>
}

/** How far prices can be trusted at the end of a block, in hundredths. @returns undefined for a token without a price */
export function trustTokens(
  { pools, valuation }: TrustWorld,
  { price, nowSeconds, before }: Moment,
): (token: Address) => number | undefined {
  const ranges = new Map<Address, PriceRange>()
  const rangeFor = (token: Address): PriceRange => {
    const known = ranges.get(token)
    if (known) return known
    const range = workRange(price(token))
    ranges.set(token, range)
    return range
  }
  const workRange = (priced: PricedToken | undefined): PriceRange => {
    if (!priced) return { lowE36: 0n, highE36: 0n }
    return rangeOfToken(priced, {
      lastOf: ({ hop }) => {
        const pool = getFrom(pools, hop.pool)
        return { sqrtPriceX96: pool.sqrtPriceX96, depthUsdE18: depthUsd(pool, hop, price(hop.quote)?.usdE18 ?? 0n) }
      },
      rangeFor,
    })
  }
  const quietFor = ({ route }: PricedToken): number | undefined => {
    const times = route.map(({ pool }) => (before.get(pool) ?? pools.get(pool))?.lastSwapAtSeconds)
    return times.every((at) => at !== undefined) ? Math.max(0, ...times.map((at) => nowSeconds - at)) : undefined
  }
  const known = new Map<Address, number | undefined>()
  const work = (token: Address): number | undefined => {
    const priced = price(token)
    if (!priced) return undefined
    const { settled, tier } = priced
    const spread = toSpread(settled.usdE36, rangeFor(token))
    const { depthFloorUsdE18 } = valuation
    const quietSeconds = quietFor(priced)
    return Math.round(100 * trustPrice({ depthUsdE18: settled.depthUsdE18, depthFloorUsdE18, quietSeconds, tier, spread }))
  }
  return (token) => {
    if (!known.has(token)) known.set(token, work(token))
    return known.get(token)
  }
}
