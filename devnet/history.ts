import type { Pace } from './market.ts'

export type BlockTime = { readonly seconds: number; readonly pace: Pace }

const hour = 3_600
const day = 24 * hour
const minute = 60

/** A month of trades, and what comes before its first full day. */
export const historySeconds = 31 * day + 2 * hour
/** For tests that need no month. */
export const shortHistorySeconds = 3 * hour

/** Start of the history that ends at `nowSeconds`: a full hour. */
export function historyStart(nowSeconds: number, lengthSeconds: number): number {
  return Math.floor((nowSeconds - lengthSeconds) / hour) * hour
}

/**
 * Times of the blocks that fill a span: one an hour, in the last 24 hours one every 5 minutes, in the last 2 hours one a minute.
 * Rising, all after `fromSeconds`, the last one at most a minute before `nowSeconds`; hourly blocks stand somewhere inside their hour.
 * @param hourlyMax no more hourly blocks than this: a longer span gets one every few hours
 */
export function planBlocks(fromSeconds: number, nowSeconds: number, hourlyMax = Number.POSITIVE_INFINITY): BlockTime[] {
  const fineStart = ceilTo(nowSeconds - 2 * hour, 5 * minute)
  const mediumStart = ceilTo(nowSeconds - day, hour)
  const firstHour = ceilTo(fromSeconds + 1, hour)
  const step = hour * Math.max(1, Math.ceil((mediumStart - firstHour) / hour / hourlyMax))
  return [
    ...everyStep(firstHour, mediumStart, step, 'hour').map((block) => ({
      ...block,
      seconds: block.seconds + insideHour(block.seconds),
    })),
    ...everyStep(Math.max(mediumStart, ceilTo(fromSeconds + 1, 5 * minute)), fineStart, 5 * minute, 'fiveMinutes'),
    ...everyStep(Math.max(fineStart, ceilTo(fromSeconds + 1, minute)), nowSeconds + 1, minute, 'minute'),
  ]
}

function everyStep(from: number, until: number, step: number, pace: Pace): BlockTime[] {
  const count = Math.max(0, Math.ceil((until - from) / step))
  return Array.from({ length: count }, (_, place) => ({ seconds: from + place * step, pace }))
}

/** Between minute 5 and minute 55, different from hour to hour. */
function insideHour(seconds: number): number {
  return 5 * minute + (((seconds / hour) * 1_337) % (50 * minute))
}

function ceilTo(seconds: number, step: number): number {
  return Math.ceil(seconds / step) * step
}
