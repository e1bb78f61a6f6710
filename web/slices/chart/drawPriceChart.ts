import type { WireCandle } from '@chainboard/contract'
import { type ChartRange, formatMoney } from '@chainboard/core'
import {
  AreaSeries,
  CandlestickSeries,
  ColorType,
  CrosshairMode,
  createChart,
  HistogramSeries,
  type IChartApi,
  type ISeriesApi,
  LineStyle,
  type MouseEventParams,
  type SeriesType,
  TrackingModeExitMode,
  type UTCTimestamp,
} from 'lightweight-charts'
import { candleLook } from './candleLook.ts'
import { axisDecimals, type CandleSlot, fillCandleGaps } from './chartFigures.ts'
import type { Chart } from './useChart.ts'

export type ChartKind = 'line' | 'candles'

/** What the crosshair stands on. */
export type Reading = { readonly time: number; readonly figures: PointFigures | WireCandle }
type PointFigures = { readonly price: number }

export type PriceChart = {
  readonly setData: (chart: Chart) => void
  /** Where on the canvas the first and the last time stand, in px; `undefined` before there is data. */
  readonly findSpan: () => ChartSpan | undefined
  readonly destroy: () => void
}

export type ChartSpan = {
  /** What the canvas shows now: while the next range is laid out, still the one before. */
  readonly range: ChartRange
  readonly firstSeconds: number
  readonly lastSeconds: number
  readonly firstX: number
  readonly lastX: number
}

type Palette = {
  readonly accent: string
  readonly up: string
  readonly down: string
  readonly ink: string
  readonly line: string
  readonly bar: string
}

/** The canvas knows no CSS variables and no light-dark(): a hidden element tells what they come to here and now. */
function readPalette(host: HTMLElement): Palette {
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
  }
  probe.remove()
  return palette
}

/** `rgb(1, 2, 3)` -> `rgba(1, 2, 3, 0.2)` */
function fade(rgb: string, share: number): string {
  return rgb.replace('rgb(', 'rgba(').replace(')', `, ${share})`)
}

function createCanvas(host: HTMLElement, palette: Palette, kind: ChartKind): IChartApi {
  return createChart(host, {
    autoSize: true,
    layout: {
      background: { type: ColorType.Solid, color: 'transparent' },
      textColor: palette.ink,
      fontFamily: getComputedStyle(host).fontFamily,
      fontSize: 12,
      // The logo brings a <style> element, which the content security policy refuses; notice and link stand under the chart instead.
      attributionLogo: false,
    },
    grid: { vertLines: { visible: false }, horzLines: { visible: false } },
    rightPriceScale: {
      borderVisible: false,
      entireTextOnly: true,
      tickMarkDensity: 3.5,
      scaleMargins: { top: 0.08, bottom: kind === 'candles' ? 0.24 : 0.08 },
    },
    // Own axis in HTML: the library chooses its own ticks and only knows UTC.
    timeScale: { visible: false, fixLeftEdge: true, fixRightEdge: true },
    crosshair: {
      mode: CrosshairMode.Magnet,
      vertLine: { color: palette.ink, width: 1, style: LineStyle.Solid, labelVisible: false },
      horzLine: { visible: false, labelVisible: false },
    },
    trackingMode: { exitMode: TrackingModeExitMode.OnTouchEnd },
    handleScroll: false,
    handleScale: false,
  })
}

type Series = {
  readonly api: ISeriesApi<SeriesType>
  readonly setData: (chart: Chart) => readonly number[]
  readonly read: (params: MouseEventParams) => Reading['figures'] | undefined
}

/** Dollars up to which the axis shows every digit. */
const wholeMax = 1e9

function priceFormat(low: number, high: number) {
  const decimals = axisDecimals(low, high)
  // A pool may claim any price: all digits of a large one would leave no room for the line.
  const text = (price: number) =>
    high >= wholeMax
      ? formatMoney(price)
      : `$${price.toLocaleString('en-US', { minimumFractionDigits: decimals, maximumFractionDigits: decimals })}`
  return { priceFormat: { type: 'custom' as const, minMove: 10 ** -decimals, formatter: text } }
}

/** Unix seconds as the library calls them. @throws RangeError for what is no moment */
function toTime(seconds: number): UTCTimestamp {
  if (!isTime(seconds)) throw new RangeError(`${seconds} is no time`)
  return seconds
}

function isTime(seconds: number): seconds is UTCTimestamp {
  return Number.isFinite(seconds)
}

function addLine(chart: IChartApi, palette: Palette): Series {
  const series = chart.addSeries(AreaSeries, {
    lineColor: palette.accent,
    topColor: fade(palette.accent, 0.22),
    bottomColor: fade(palette.accent, 0),
    lineWidth: 2,
    lastValueVisible: false,
    priceLineVisible: false,
    crosshairMarkerRadius: 4,
  })
  return {
    api: series,
    setData({ points }) {
      const prices = points.map(({ price }) => price)
      series.applyOptions(priceFormat(Math.min(...prices), Math.max(...prices)))
      series.setData(points.map(({ time, price }) => ({ time: toTime(time), value: price })))
      return points.map(({ time }) => time)
    },
    read(params) {
      const bar = params.seriesData.get(series)
      return bar && 'value' in bar ? { price: bar.value } : undefined
    },
  }
}

function toBar(slot: CandleSlot) {
  const time = toTime(slot.time)
  return 'open' in slot ? { time, open: slot.open, high: slot.high, low: slot.low, close: slot.close } : { time }
}

function addCandles(chart: IChartApi, palette: Palette): Series {
  const candles = chart.addSeries(CandlestickSeries, {
    ...candleLook(palette),
    lastValueVisible: false,
    priceLineVisible: false,
  })
  const volume: ISeriesApi<'Histogram'> = chart.addSeries(HistogramSeries, {
    color: palette.line,
    priceScaleId: '',
    lastValueVisible: false,
    priceLineVisible: false,
  })
  let traded: readonly WireCandle[] = []
  volume.priceScale().applyOptions({ scaleMargins: { top: 0.84, bottom: 0 } })
  return {
    api: candles,
    setData(answer) {
      const slots = fillCandleGaps(answer.candles ?? [])
      traded = slots.filter((slot) => 'open' in slot)
      candles.applyOptions(priceFormat(Math.min(...traded.map(({ low }) => low)), Math.max(...traded.map(({ high }) => high))))
      candles.setData(slots.map(toBar))
      volume.setData(traded.map(({ time, volumeUsd }) => ({ time: toTime(time), value: volumeUsd })))
      return slots.map(({ time }) => time)
    },
    read: (params) => traded.find(({ time }) => time === params.time),
  }
}

type Listeners = { readonly onReading: (reading: Reading | undefined) => void; readonly onLayout: () => void }

/** Draws a price chart into `host`. Colours are the style sheet's at this moment: draw anew when the theme changes. */
export function drawPriceChart(host: HTMLElement, kind: ChartKind, { onReading, onLayout }: Listeners): PriceChart {
  const palette = readPalette(host)
  const chart = createCanvas(host, palette, kind)
  const series = kind === 'line' ? addLine(chart, palette) : addCandles(chart, palette)
  const timeScale = chart.timeScale()
  let times: readonly number[] = []
  let range: ChartRange = '1d'

  chart.subscribeCrosshairMove((params) => {
    const { point, time } = params
    const figures = point && typeof time === 'number' ? series.read(params) : undefined
    onReading(figures && typeof time === 'number' ? { time, figures } : undefined)
  })
  // A finger rests on nothing: a tap reads the point that is nearest.
  chart.subscribeClick((params) => {
    const figures = series.read(params)
    if (!figures || typeof params.time !== 'number') return
    chart.setCrosshairPosition('price' in figures ? figures.price : figures.close, params.time, series.api)
    onReading({ time: params.time, figures })
  })
  timeScale.subscribeSizeChange(() => {
    timeScale.fitContent()
    onLayout()
  })

  return {
    setData(answer) {
      times = series.setData(answer)
      range = answer.range
      timeScale.fitContent()
      // Positions are known once the library has laid the new data out.
      requestAnimationFrame(onLayout)
    },
    findSpan() {
      const [firstSeconds, lastSeconds] = [times[0], times.at(-1)]
      if (firstSeconds === undefined || lastSeconds === undefined) return undefined
      const firstX = timeScale.timeToCoordinate(toTime(firstSeconds))
      const lastX = timeScale.timeToCoordinate(toTime(lastSeconds))
      return firstX === null || lastX === null ? undefined : { range, firstSeconds, lastSeconds, firstX, lastX }
    },
    destroy: () => chart.remove(),
  }
}
