import {
  CandlestickSeries,
  HistogramSeries,
  type IChartApi,
  type ISeriesApi,
  LineSeries,
  LineStyle,
  PriceScaleMode,
} from 'lightweight-charts'
import { candleLook } from '../candleLook.ts'
import { axisDecimals } from '../chartFigures.ts'
import { type Palette, priceFormat, toTime } from '../chartPaint.ts'
import type { Bar } from './candles.ts'
import { type IndicatorKey, ownPane } from './indicatorNames.ts'
import { type LineName, toLines } from './indicators.ts'

/** What is drawn. Another one needs another chart. */
export type TraderSetup = {
  readonly indicators: readonly IndicatorKey[]
  readonly isLog: boolean
  /** In percent from the left edge, beside another token. */
  readonly isCompared: boolean
}

export type TraderData = {
  readonly bars: readonly Bar[]
  /** The other token's closes. */
  readonly compared: readonly Bar[]
  /** The price that the 24h change is measured from. */
  readonly dayAgo: number | undefined
}

/** What a trader's chart shows: the candles, and all that stands over and below them. */
export type TraderSeries = {
  readonly setData: (data: TraderData) => void
  /** Only the newest bar is another one. */
  readonly follow: (bar: Bar) => void
  readonly count: () => number
  /** @param time as the crosshair tells it */
  readonly barAt: (time: unknown) => Bar | undefined
}

const lineLooks: Readonly<Record<Exclude<LineName, 'histogram'>, { colour: keyof Palette; style: LineStyle }>> = {
  sma: { colour: 'second', style: LineStyle.Solid },
  ema: { colour: 'third', style: LineStyle.Dashed },
  upper: { colour: 'ink', style: LineStyle.Solid },
  middle: { colour: 'ink', style: LineStyle.Dotted },
  lower: { colour: 'ink', style: LineStyle.Solid },
  rsi: { colour: 'second', style: LineStyle.Solid },
  macd: { colour: 'second', style: LineStyle.Solid },
  signal: { colour: 'third', style: LineStyle.Dashed },
}

const quiet = { lastValueVisible: false, priceLineVisible: false } as const

type Draw = (bars: readonly Bar[]) => void

/** Lines over the candles, or in a pane of their own below. */
function addIndicator(chart: IChartApi, palette: Palette, key: IndicatorKey, pane: number): Draw {
  const series = new Map<LineName, ISeriesApi<'Line'> | ISeriesApi<'Histogram'>>()
  const open = (name: LineName) => {
    const made =
      name === 'histogram'
        ? chart.addSeries(HistogramSeries, { ...quiet, color: palette.bar }, pane)
        : chart.addSeries(
            LineSeries,
            {
              ...quiet,
              ...{ color: palette[lineLooks[name].colour], lineStyle: lineLooks[name].style, lineWidth: 1 },
              crosshairMarkerVisible: false,
            },
            pane,
          )
    // In a pane of its own it has a scale of its own, whatever the prices have.
    if (pane > 0) made.priceScale().applyOptions({ mode: PriceScaleMode.Normal, scaleMargins: { top: 0.1, bottom: 0.1 } })
    series.set(name, made)
    return made
  }
  return (bars) => {
    const lines = toLines(
      key,
      bars.map(({ close }) => close),
    )
    const known = lines.flatMap(({ values }) => values.filter((value) => value !== undefined))
    const decimals = axisDecimals(Math.min(...known), Math.max(...known))
    for (const { name, values } of lines) {
      const line = series.get(name) ?? open(name)
      if (pane > 0 && known.length > 0)
        line.applyOptions({ priceFormat: { type: 'price', precision: decimals, minMove: 10 ** -decimals } })
      line.setData(
        bars.flatMap(({ time }, i) => {
          const value = values[i]
          return value === undefined ? [] : [{ time: toTime(time), value }]
        }),
      )
    }
  }
}

function toCandle({ time, open, high, low, close }: Bar) {
  return { time: toTime(time), open, high, low, close }
}

function addCandles(chart: IChartApi, palette: Palette): ISeriesApi<'Candlestick'> {
  return chart.addSeries(CandlestickSeries, {
    // Hollow on the ground, not see-through: the newest price's label has the colour of its candle.
    ...{ ...candleLook(palette), upColor: palette.ground },
    ...{ lastValueVisible: true, priceLineVisible: false },
  })
}

function addVolume(chart: IChartApi, palette: Palette): ISeriesApi<'Histogram'> {
  const volume = chart.addSeries(HistogramSeries, { ...quiet, color: palette.line, priceScaleId: '' })
  volume.priceScale().applyOptions({ scaleMargins: { top: 0.84, bottom: 0 } })
  return volume
}

function addIndicators(chart: IChartApi, palette: Palette, keys: readonly IndicatorKey[]): readonly Draw[] {
  let panes = 0
  return keys.map((key) => {
    if (ownPane.includes(key)) panes += 1
    return addIndicator(chart, palette, key, ownPane.includes(key) ? panes : 0)
  })
}

/** The line of the price a day ago. It is not shown before it has one. */
function addDayAgo(candles: ISeriesApi<'Candlestick'>, palette: Palette): (price: number | undefined) => void {
  const line = candles.createPriceLine({
    ...{ price: 0, color: palette.ink, lineWidth: 1, lineStyle: LineStyle.Dotted, title: '24 h ago' },
    ...{ axisLabelVisible: false, lineVisible: false },
  })
  return (price) =>
    line.applyOptions({ price: price ?? 0, lineVisible: price !== undefined, title: price === undefined ? '' : '24 h ago' })
}

/** Adds what a setup shows, without data. */
export function addTraderSeries(chart: IChartApi, palette: Palette, { indicators, isCompared }: TraderSetup): TraderSeries {
  const candles = addCandles(chart, palette)
  const volume = addVolume(chart, palette)
  const compared = isCompared
    ? chart.addSeries(LineSeries, { ...quiet, lastValueVisible: true, color: palette.accent, lineWidth: 2 })
    : undefined
  const draws = addIndicators(chart, palette, indicators)
  const drawDayAgo = addDayAgo(candles, palette)
  let bars: readonly Bar[] = []
  let byTime = new Map<number, Bar>()

  return {
    setData(data) {
      bars = data.bars
      byTime = new Map(bars.map((bar) => [bar.time, bar]))
      const lows = bars.map(({ low }) => low)
      candles.applyOptions(isCompared ? {} : priceFormat(Math.min(...lows), Math.max(...bars.map(({ high }) => high))))
      candles.setData(bars.map(toCandle))
      volume.setData(bars.map(({ time, volumeUsd }) => ({ time: toTime(time), value: volumeUsd })))
      compared?.setData(
        data.compared.flatMap(({ time, close }) => (byTime.has(time) ? [{ time: toTime(time), value: close }] : [])),
      )
      for (const draw of draws) draw(bars)
      drawDayAgo(isCompared ? undefined : data.dayAgo)
    },
    follow(bar) {
      byTime.set(bar.time, bar)
      candles.update(toCandle(bar))
    },
    count: () => bars.length,
    barAt: (time) => (typeof time === 'number' ? byTime.get(time) : undefined),
  }
}
