import { type ChartRange, chartTicksMax } from '@chainboard/core'

/** Steps between ticks in hours, finest first: the first that fits is taken. */
const stepsHours: Record<ChartRange, readonly number[]> = {
  '1d': [4, 6, 12],
  '3d': [12, 24],
  '1w': [24, 48, 72],
  '1m': [120, 240],
}

/** Full steps of the visitor's own day between two times, so that ticks stand at midnight and noon and not at odd minutes. */
function listSteps(firstSeconds: number, lastSeconds: number, stepHours: number): number[] {
  const at = new Date(firstSeconds * 1000)
  at.setHours(0, 0, 0, 0)
  const ticks: number[] = []
  while (at.getTime() / 1000 <= lastSeconds) {
    if (at.getTime() / 1000 >= firstSeconds) ticks.push(at.getTime() / 1000)
    // By the calendar, not by seconds: a day of summer time's change has 23 or 25 hours.
    if (stepHours >= 24) at.setDate(at.getDate() + stepHours / 24)
    else at.setHours(at.getHours() + stepHours)
  }
  return ticks
}

/** Unix seconds of the ticks of a time axis, at most `ticksMax` of them. */
export function toChartTicks(
  range: ChartRange,
  firstSeconds: number,
  lastSeconds: number,
  ticksMax: number = chartTicksMax,
): number[] {
  const limit = Math.min(ticksMax, chartTicksMax)
  const choices = stepsHours[range].map((step) => listSteps(firstSeconds, lastSeconds, step))
  return choices.find((ticks) => ticks.length <= limit) ?? choices.at(-1)?.slice(0, limit) ?? []
}

/** A formatter takes ten times as long as the rest of a tick. */
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const

/** `Nov 20`, where the reader is. */
const toDay = (at: Date) => `${months[at.getMonth()]} ${at.getDate()}`
const two = (part: number) => String(part).padStart(2, '0')

/** `1d`: `16:00`; `3d`: day/month and hour, `20/11 12:00`; others: `Nov 20`. */
export function formatTick(range: ChartRange, atSeconds: number): string {
  const at = new Date(atSeconds * 1000)
  const time = `${two(at.getHours())}:${two(at.getMinutes())}`
  if (range === '1d') return time
  if (range === '3d') return `${at.getDate()}/${at.getMonth() + 1} ${time}`
  return toDay(at)
}

/** A point's time in full, for the crosshair and the table: `Nov 20, 16:00`. */
export function formatPointTime(atSeconds: number): string {
  const at = new Date(atSeconds * 1000)
  return `${toDay(at)}, ${two(at.getHours())}:${two(at.getMinutes())}`
}
