import { type ChartRange, chartRanges } from '@chainboard/core'

/** Whether a chart has a range of this name. */
export function isChartRange(name: unknown): name is ChartRange {
  return typeof name === 'string' && Object.hasOwn(chartRanges, name)
}
