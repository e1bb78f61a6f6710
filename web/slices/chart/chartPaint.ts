import { formatMoney } from '@chainboard/core'
import type { UTCTimestamp } from 'lightweight-charts'
import { axisDecimals } from './chartFigures.ts'

/** The colours of a chart, as `rgb(…)`. */
export type Palette = {
  readonly accent: string
  readonly up: string
  readonly down: string
  readonly ink: string
  readonly line: string
  readonly bar: string
  readonly second: string
  readonly third: string
  readonly ground: string
}

/** The canvas knows no CSS variables and no light-dark(): a hidden element tells what they come to here and now. */
export function readPalette(host: HTMLElement): Palette {
  const probe = document.createElement('span')
  host.append(probe)
  const resolve = (variable: string) => {
    probe.style.color = `var(${variable})`
    return getComputedStyle(probe).color
  }
  const palette = {
    accent: resolve('--accent'),
    up: resolve('--up'),
    down: resolve('--down'),
    ink: resolve('--ink-3'),
    line: resolve('--line-strong'),
    bar: resolve('--surface-3'),
    second: resolve('--verified'),
    third: resolve('--boost'),
    ground: resolve('--ground'),
  }
  probe.remove()
  return palette
}

/** `rgb(1, 2, 3)` -> `rgba(1, 2, 3, 0.2)` */
export function fade(rgb: string, share: number): string {
  return rgb.replace('rgb(', 'rgba(').replace(')', `, ${share})`)
}

/** Dollars up to which the axis shows every digit. */
const wholeMax = 1e9

/** How the axis of prices between two writes them. */
export function priceFormat(low: number, high: number) {
  const decimals = axisDecimals(low, high)
  // The axis asks for each of its prices with every frame, and to make a formatter takes longer than to use it.
  const { format } = new Intl.NumberFormat('en-US', { minimumFractionDigits: decimals, maximumFractionDigits: decimals })
  // A pool may claim any price: all digits of a large one would leave no room for the line.
  const text = (price: number) => (high >= wholeMax ? formatMoney(price) : `$${format(price)}`)
  return { priceFormat: { type: 'custom' as const, minMove: 10 ** -decimals, formatter: text } }
}

/** Unix seconds as the library calls them. @throws RangeError for what is no moment */
export function toTime(seconds: number): UTCTimestamp {
  if (!isTime(seconds)) throw new RangeError(`${seconds} is no time`)
  return seconds
}

function isTime(seconds: number): seconds is UTCTimestamp {
  return Number.isFinite(seconds)
}
