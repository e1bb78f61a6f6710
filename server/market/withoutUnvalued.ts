import { daySeconds, hourSeconds } from '@chainboard/core'
import type { PoolHistory, PoolHour } from './source.ts'

/**
 * A history of which the newest hours alone are valued where pools came into the index: hours before the last 24 of such a pool are as if
 * nobody had traded. A candle would say that its trades were worth nothing, and one of a whole day that it was worth a part.
 */
export function withoutUnvalued(history: PoolHistory): PoolHistory {
  return {
    ...history,
    listHoursCovering: async (pools, hours) => {
      const byPool = await history.listHoursCovering(pools, hours)
      const valuedFrom = (hours.at(-1) ?? 0) + hourSeconds - daySeconds
      const leaveOut = (hour: PoolHour) => (hour.startSeconds < valuedFrom ? { ...hour, swapCount: 0 } : hour)
      return new Map([...byPool].map(([pool, own]) => [pool, own.some(isUnvalued) ? own.map(leaveOut) : own]))
    },
  }
}

function isUnvalued({ swapCount, volumeUsdE18 }: PoolHour): boolean {
  return swapCount > 0 && volumeUsdE18 === 0n
}
