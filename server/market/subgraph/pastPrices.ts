import { type Address, startOfHour } from '@chainboard/core'
import type { HourRow } from './hourRow.ts'
import type { PoolRow } from './poolRow.ts'
import { compareSwaps, type SwapRow } from './swapRow.ts'

export type PastRequest = {
  readonly atSeconds: number
  readonly pools: readonly Pick<PoolRow, 'address' | 'createdAtSeconds'>[]
  /** Of each pool the last two until the hour of `atSeconds`, that one included; in any order. */
  readonly hours: readonly HourRow[]
  /** Of the hour of `atSeconds`; undefined for pools of which there were too many to read. */
  readonly swapsOf: (pool: Address) => readonly SwapRow[] | undefined
}

/**
 * sqrtPriceX96 of each pool at a moment: after its last swap until then. The hour that holds the moment is looked into swap by
 * swap; where there were too many, the close of the hour before stands for it. Pools that were not open then, or whose first
 * price is not known, are left out. Pure.
 */
export function pickPastPrices({ atSeconds, pools, hours, swapsOf }: PastRequest): ReadonlyMap<Address, bigint> {
  const hoursOf = Map.groupBy(hours, ({ pool }) => pool)
  return new Map(
    pools.flatMap((pool) => {
      const swaps = swapsOf(pool.address) ?? []
      const price = pickPrice(pool, { atSeconds, hours: hoursOf.get(pool.address) ?? [], swaps })
      return price === undefined ? [] : [[pool.address, price] as const]
    }),
  )
}

function pickPrice(
  { createdAtSeconds }: Pick<PoolRow, 'createdAtSeconds'>,
  { atSeconds, hours, swaps }: { atSeconds: number; hours: readonly HourRow[]; swaps: readonly SwapRow[] },
): bigint | undefined {
  const until = swaps.filter(({ timestampSeconds }) => timestampSeconds <= atSeconds).toSorted(compareSwaps)
  const lastSwap = until.at(-1)
  if (lastSwap) return lastSwap.sqrtPriceX96
  const cutHour = startOfHour(atSeconds)
  const ascending = hours.toSorted((a, b) => a.startSeconds - b.startSeconds)
  const before = ascending.findLast(({ startSeconds }) => startSeconds < cutHour)
  if (before) return before.sqrtPriceX96
  const opening = ascending.find(({ startSeconds }) => startSeconds === cutHour)
  if (!opening || createdAtSeconds > atSeconds) return undefined
  // Without a swap the hour's close is the price that the pool was opened at.
  return opening.swapCount === 0 ? opening.sqrtPriceX96 : opening.isOpenKnown ? opening.open : undefined
}
