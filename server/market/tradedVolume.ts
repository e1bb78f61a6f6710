import { type Address, absolute, type FoundRoute } from '@chainboard/core'
import { listHourVolumes } from '../store/poolPeriods.ts'
import type { Pool } from '../store/pools.ts'
import type { Db, Tx } from '../store/store.ts'
import { listTradedAmounts } from '../store/swaps.ts'
import { listHoursCovering } from './indexHistory.ts'
import { hourSeconds, lastHours, startOfHour, usdByHour } from './usdHistory.ts'

const daySeconds = 86_400

type Request = {
  readonly nowSeconds: number
  readonly pools: readonly Pool[]
  readonly routes: ReadonlyMap<Address, FoundRoute>
  readonly decimals: ReadonlyMap<Address, number>
}

/**
 * US dollars x 10^18 that each pool traded in the 24 hours before `nowSeconds`: whole hours from the hour rows, the one that
 * the window cuts from its swaps. The side with the shorter way to US dollars is valued, at its price in that hour.
 */
export async function readPoolVolumes(
  db: Db | Tx,
  { nowSeconds, pools, routes, decimals }: Request,
): Promise<ReadonlyMap<Address, bigint>> {
  const hours = lastHours(nowSeconds, 25)
  const cutHour = startOfHour(nowSeconds - daySeconds)
  const whole = await listHourVolumes(db, cutHour + hourSeconds, nowSeconds + 1)
  const traded = await listTradedAmounts(
    db,
    pools.map(({ address }) => address),
    { fromSeconds: nowSeconds - daySeconds, toSeconds: cutHour + hourSeconds },
  )
  const volumes = [...whole, ...traded.map((swap) => ({ ...swap, startSeconds: cutHour }))]

  const sides = new Map(pools.map((pool) => [pool.address, pickValuedSide(pool, routes)]))
  const valued = new Set(volumes.flatMap(({ pool }) => sides.get(pool)?.token ?? []))
  const hops = [...valued].flatMap((token) => routes.get(token)?.route ?? [])
  const poolHours = await listHoursCovering(db, [...new Set(hops.map(({ pool }) => pool))], hours)
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

/** The token of a pool that is nearer to US dollars; undefined when neither has a price. */
function pickValuedSide(
  { token0, token1 }: Pick<Pool, 'token0' | 'token1'>,
  routes: ReadonlyMap<Address, FoundRoute>,
): { token: Address; isToken0: boolean } | undefined {
  const length0 = routes.get(token0)?.route.length ?? Number.POSITIVE_INFINITY
  const length1 = routes.get(token1)?.route.length ?? Number.POSITIVE_INFINITY
  if (length0 === length1 && length0 === Number.POSITIVE_INFINITY) return undefined
  return length0 < length1 ? { token: token0, isToken0: true } : { token: token1, isToken0: false }
}
