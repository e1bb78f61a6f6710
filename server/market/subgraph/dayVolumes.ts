import { type Address, hourSeconds, startOfHour } from '@chainboard/core'
import type { HourVolume } from '../valueVolumes.ts'
import type { HourRow } from './hourRow.ts'
import type { SwapRow } from './swapRow.ts'

export type DayVolumesRequest = {
  /** The start of the window, 24 hours back. */
  readonly sinceSeconds: number
  /** From the hour of `sinceSeconds` on, in any order. */
  readonly hours: readonly HourRow[]
  /** Of the hour of `sinceSeconds`; undefined for pools of which there were too many to read. */
  readonly swapsOf: (pool: Address) => readonly SwapRow[] | undefined
}

/**
 * What pools traded since a moment. Of the hour that the moment cuts its swaps count; where there were too many, as much of
 * the hour's volume as there is time of it left. Pure.
 */
export function listVolumesSince({ sinceSeconds, hours, swapsOf }: DayVolumesRequest): HourVolume[] {
  const cutHour = startOfHour(sinceSeconds)
  const leftSeconds = BigInt(cutHour + hourSeconds - sinceSeconds)
  return hours.flatMap(({ pool, startSeconds, volume0, volume1 }): HourVolume[] => {
    if (startSeconds > cutHour) return [{ pool, startSeconds, volume0, volume1 }]
    const swaps = swapsOf(pool)?.filter(({ timestampSeconds }) => timestampSeconds > sinceSeconds)
    if (swaps) return swaps.map(({ amount0, amount1 }) => ({ pool, startSeconds, volume0: amount0, volume1: amount1 }))
    const share = (volume: bigint) => (volume * leftSeconds) / BigInt(hourSeconds)
    return [{ pool, startSeconds, volume0: share(volume0), volume1: share(volume1) }]
  })
}
