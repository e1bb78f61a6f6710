import type { WireCandle } from '@chainboard/contract'
import type { ChartRange } from '@chainboard/core'
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
} from 'lightweight-charts'
import { candleLook } from './candleLook.ts'
import { type CandleSlot, fillCandleGaps } from './chartFigures.ts'
import { fade, type Palette, priceFormat, readPalette, toTime } from './chartPaint.ts'
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
