/** Hours each chart range covers, and how many of them are averaged into one point. */
export const chartRanges = {
  '1d': { hours: 24, hoursPerPoint: 1 },
  '3d': { hours: 72, hoursPerPoint: 1 },
  '1w': { hours: 168, hoursPerPoint: 1 },
  '1m': { hours: 720, hoursPerPoint: 24 },
} as const

export type ChartRange = keyof typeof chartRanges

/** Labels on the time axis of a chart, at most. */
export const chartTicksMax = 8
