import { type Address, absolute, type PricedToken } from '@chainboard/core'
import type { MarketPool } from './answerFromPools.ts'
import type { PoolHour } from './source.ts'
import { usdByHour } from './usdHistory.ts'

/** What a pool traded in an hour, or in a part of it, in smallest units; signs do not count. */
export type HourVolume = {
  readonly pool: Address
  readonly startSeconds: number
  readonly volume0: bigint
  readonly volume1: bigint
}

export type ValueRequest = {
  readonly volumes: readonly HourVolume[]
  readonly pools: readonly Pick<MarketPool, 'address' | 'token0' | 'token1'>[]
  readonly routes: ReadonlyMap<Address, PricedToken>
  readonly decimals: ReadonlyMap<Address, number>
  /** Starts of the hours that `volumes` are of, ascending. */
  readonly hours: readonly number[]
  /** Of every pool of `listValuingPools`: the hours in that span and the last one before it, ascending. */
  readonly poolHours: ReadonlyMap<Address, readonly PoolHour[]>
}

/**
 * US dollars x 10^18 that each pool traded. The side with the shorter way to US dollars is valued, at its price in that hour;
 * what had no price then counts nothing. Pure.
 */
export function valueVolumes(request: ValueRequest): ReadonlyMap<Address, bigint> {
  const { volumes, pools, routes, decimals, hours, poolHours } = request
  const sides = new Map(pools.map((pool) => [pool.address, pickValuedSide(pool, routes)]))
  const valued = new Set(volumes.flatMap(({ pool }) => sides.get(pool)?.token ?? []))
  const prices = new Map(
    [...valued].map((token) => {
      const samples = usdByHour(routes.get(token)?.route ?? [], hours, poolHours)
      return [token, new Map(samples.map(({ atSeconds, value }) => [atSeconds, value]))]
    }),
  )
  const totals = new Map<Address, bigint>()
  for (const { pool, startSeconds, volume0, volume1 } of volumes) {
    const side = sides.get(pool)
    const usdE18 = side && prices.get(side.token)?.get(startSeconds)
    if (!side || usdE18 === undefined) continue
    const raw = absolute(side.isToken0 ? volume0 : volume1)
    const value = (raw * usdE18) / 10n ** BigInt(decimals.get(side.token) ?? 0)
    totals.set(pool, (totals.get(pool) ?? 0n) + value)
  }
  return totals
}

/** The pools whose prices `valueVolumes` needs to value what `pools` traded. */
export function listValuingPools({ pools, routes }: Pick<ValueRequest, 'pools' | 'routes'>): ReadonlySet<Address> {
  const valued = new Set(pools.flatMap((pool) => pickValuedSide(pool, routes)?.token ?? []))
  return new Set([...valued].flatMap((token) => (routes.get(token)?.route ?? []).map(({ pool }) => pool)))
}

/** The token of a pool that is nearer to US dollars; undefined when neither has a price. */
function pickValuedSide(
  { token0, token1 }: Pick<MarketPool, 'token0' | 'token1'>,
  routes: ReadonlyMap<Address, PricedToken>,
): { token: Address; isToken0: boolean } | undefined {
  const length0 = routes.get(token0)?.route.length ?? Number.POSITIVE_INFINITY
  const length1 = routes.get(token1)?.route.length ?? Number.POSITIVE_INFINITY
  if (length0 === length1 && length0 === Number.POSITIVE_INFINITY) return undefined
  return length0 < length1 ? { token: token0, isToken0: true } : { token: token1, isToken0: false }
}
