import {
  CandlestickSeries,
  ColorType,
  CrosshairMode,
  createChart,
  HistogramSeries,
  type IChartApi,
  type ISeriesApi,
  LineSeries,
  LineStyle,
  PriceScaleMode,
} from 'lightweight-charts'
import { candleLook } from '../candleLook.ts'
import { axisDecimals } from '../chartFigures.ts'
import { fade, type Palette, priceFormat, readPalette, toTime } from '../chartPaint.ts'
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

export type TraderChart = {
  readonly setData: (data: TraderData) => void
  /** Only the newest bar is another one. */
  readonly follow: (bar: Bar) => void
  /** Moves by a share of what is in sight: negative into the past. */
  readonly pan: (share: number) => void
  /** Above 1: closer. */
  readonly zoom: (factor: number) => void
  readonly picture: () => HTMLCanvasElement
  /** Bars in sight, counted from the newest; for another chart to begin with. */
  readonly sight: () => Sight | undefined
  readonly destroy: () => void
}

export type Sight = { readonly fromNewest: number; readonly toNewest: number }

export type TraderListeners = {
  readonly onReading: (bar: Bar | undefined) => void
  /** The left edge is near the oldest bar. */
  readonly onNearOldest: () => void
}

/** Bars that a new chart shows, at the most, and px for each. */
const [barsInSight, barPx] = [120, 6]
const nearBars = 30
const barsInSightMin = 10
/** The prices are so many times as high as each pane below them. */
const priceStretch = 3.5
const wheelFactor = 1.15

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

function createCanvas(host: HTMLElement, palette: Palette, { isLog, isCompared }: TraderSetup): IChartApi {
  return createChart(host, {
    autoSize: true,
    layout: {
      background: { type: ColorType.Solid, color: 'transparent' },
      textColor: palette.ink,
      fontFamily: getComputedStyle(host).fontFamily,
      fontSize: 12,
      // As in drawPriceChart.ts: the logo brings a <style> element, and the notice stands under the chart.
      attributionLogo: false,
      panes: { separatorColor: palette.line, enableResize: true },
    },
    grid: { vertLines: { visible: false }, horzLines: { color: fade(palette.line, 0.4) } },
    rightPriceScale: {
      borderVisible: false,
      entireTextOnly: true,
      mode: isCompared ? PriceScaleMode.Percentage : isLog ? PriceScaleMode.Logarithmic : PriceScaleMode.Normal,
      scaleMargins: { top: 0.06, bottom: 0.2 },
    },
    timeScale: { borderVisible: false, timeVisible: true, secondsVisible: false, rightOffset: 2, minBarSpacing: 0.5 },
    crosshair: { mode: CrosshairMode.Normal },
    // The page scrolls with the wheel; Ctrl and the wheel, two fingers and the buttons zoom.
    handleScroll: { mouseWheel: false, pressedMouseMove: true, horzTouchDrag: true, vertTouchDrag: false },
    handleScale: { mouseWheel: false, pinch: true, axisPressedMouseMove: true, axisDoubleClickReset: true },
  })
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

/** Draws a trader's chart into `host`, with the style sheet's colours of this moment. @param before what another one had in sight */
export function drawTraderChart(
  host: HTMLElement,
  setup: TraderSetup,
  { onReading, onNearOldest }: TraderListeners,
  before?: Sight,
): TraderChart {
  const palette = readPalette(host)
  const chart = createCanvas(host, palette, setup)
  const candles = chart.addSeries(CandlestickSeries, {
    // Hollow on the ground, not see-through: the newest price's label has the colour of its candle.
    ...{ ...candleLook(palette), upColor: palette.ground },
    ...{ lastValueVisible: true, priceLineVisible: false },
  })
  const volume = chart.addSeries(HistogramSeries, { ...quiet, color: palette.line, priceScaleId: '' })
  volume.priceScale().applyOptions({ scaleMargins: { top: 0.84, bottom: 0 } })
  const compared = setup.isCompared
    ? chart.addSeries(LineSeries, { ...quiet, lastValueVisible: true, color: palette.accent, lineWidth: 2 })
    : undefined
  let panes = 0
  const draws = setup.indicators.map((key) => {
    if (ownPane.includes(key)) panes += 1
    return addIndicator(chart, palette, key, ownPane.includes(key) ? panes : 0)
  })
  const dayAgo = candles.createPriceLine({
    ...{ price: 0, color: palette.ink, lineWidth: 1, lineStyle: LineStyle.Dotted, title: '24 h ago' },
    ...{ axisLabelVisible: false, lineVisible: false },
  })
  const timeScale = chart.timeScale()
  let bars: readonly Bar[] = []
  let byTime = new Map<number, Bar>()
  const sight = (): Sight | undefined => {
    const range = timeScale.getVisibleLogicalRange()
    return range ? { fromNewest: range.from - bars.length, toNewest: range.to - bars.length } : undefined
  }
  const show = ({ fromNewest, toNewest }: Sight) =>
    timeScale.setVisibleLogicalRange({ from: bars.length + fromNewest, to: bars.length + toNewest })

  chart.subscribeCrosshairMove(({ time }) => onReading(typeof time === 'number' ? byTime.get(time) : undefined))
  timeScale.subscribeVisibleLogicalRangeChange((range) => {
    if (range && bars.length > 0 && range.from < nearBars) onNearOldest()
  })
  const zoom = (factor: number) => {
    const now = sight()
    if (!now) return
    const width = Math.max(barsInSightMin, (now.toNewest - now.fromNewest) / factor)
    show({ fromNewest: now.toNewest - width, toNewest: now.toNewest })
  }
  const onWheel = (event: WheelEvent) => {
    if (!event.ctrlKey && !event.metaKey) return
    event.preventDefault()
    zoom(event.deltaY < 0 ? wheelFactor : 1 / wheelFactor)
  }
  host.addEventListener('wheel', onWheel, { passive: false })

  return {
    setData(data) {
      const seen =
        bars.length > 0 ? sight() : (before ?? { fromNewest: -Math.min(barsInSight, host.clientWidth / barPx), toNewest: 2 })
      bars = data.bars
      byTime = new Map(bars.map((bar) => [bar.time, bar]))
      const lows = bars.map(({ low }) => low)
      candles.applyOptions(setup.isCompared ? {} : priceFormat(Math.min(...lows), Math.max(...bars.map(({ high }) => high))))
      candles.setData(bars.map(toCandle))
      volume.setData(bars.map(({ time, volumeUsd }) => ({ time: toTime(time), value: volumeUsd })))
      compared?.setData(
        data.compared.flatMap(({ time, close }) => (byTime.has(time) ? [{ time: toTime(time), value: close }] : [])),
      )
      for (const draw of draws) draw(bars)
      const price = setup.isCompared ? undefined : data.dayAgo
      dayAgo.applyOptions({ price: price ?? 0, lineVisible: price !== undefined, title: price === undefined ? '' : '24 h ago' })
      for (const [i, pane] of chart.panes().entries()) pane.setStretchFactor(i === 0 ? priceStretch : 1)
      if (seen) show(seen)
    },
    follow(bar) {
      byTime.set(bar.time, bar)
      candles.update(toCandle(bar))
    },
    pan(share) {
      const now = sight()
      if (!now) return
      const by = (now.toNewest - now.fromNewest) * share
      show({ fromNewest: now.fromNewest + by, toNewest: now.toNewest + by })
    },
    zoom,
    picture: () => chart.takeScreenshot(),
    sight,
    destroy() {
      host.removeEventListener('wheel', onWheel)
      chart.remove()
    },
  }
}
