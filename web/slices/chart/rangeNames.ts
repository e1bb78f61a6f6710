import type { ChartRange } from '@chainboard/core'
import { isChartRange } from '../../lib/chartRange.ts'

/** What a range is called in full. */
export const rangeNames: Readonly<Record<ChartRange, string>> = {
  '1d': 'Past 24 hours',
  '3d': 'Past 3 days',
  '1w': 'Past week',
  '1m': 'Past month',
}

/** All ranges, the shortest first. */
export const ranges: readonly ChartRange[] = Object.keys(rangeNames).filter(isChartRange)
