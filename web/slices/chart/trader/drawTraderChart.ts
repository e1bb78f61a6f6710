import {
  ColorType,
  CrosshairMode,
  createChart,
  type IChartApi,
  type ITimeScaleApi,
  PriceScaleMode,
  type Time,
} from 'lightweight-charts'
import { fade, type Palette, readPalette } from '../chartPaint.ts'
import { type Bar, countInSight } from './candles.ts'
import { addTraderSeries, type TraderData, type TraderSetup } from './traderSeries.ts'

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

const nearBars = 30
const barsInSightMin = 10
/** The prices are so many times as high as each pane below them. */
const priceStretch = 3.5
const wheelFactor = 1.15

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

/** What is in sight of so many bars. */
function createView(timeScale: ITimeScaleApi<Time>, count: () => number) {
  const sight = (): Sight | undefined => {
    const range = timeScale.getVisibleLogicalRange()
    return range ? { fromNewest: range.from - count(), toNewest: range.to - count() } : undefined
  }
  const show = ({ fromNewest, toNewest }: Sight) =>
    timeScale.setVisibleLogicalRange({ from: count() + fromNewest, to: count() + toNewest })
  return {
    sight,
    show,
    pan(share: number) {
      const now = sight()
      if (!now) return
      const by = (now.toNewest - now.fromNewest) * share
      show({ fromNewest: now.fromNewest + by, toNewest: now.toNewest + by })
    },
    zoom(factor: number) {
      const now = sight()
      if (!now) return
      const width = Math.max(barsInSightMin, (now.toNewest - now.fromNewest) / factor)
      show({ fromNewest: now.toNewest - width, toNewest: now.toNewest })
    },
  }
}

/** Zooms with Ctrl and the wheel. @returns ends that */
function zoomByWheel(host: HTMLElement, zoom: (factor: number) => void): () => void {
  const onWheel = (event: WheelEvent) => {
    if (!event.ctrlKey && !event.metaKey) return
    event.preventDefault()
    zoom(event.deltaY < 0 ? wheelFactor : 1 / wheelFactor)
  }
  host.addEventListener('wheel', onWheel, { passive: false })
  return () => host.removeEventListener('wheel', onWheel)
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
  const series = addTraderSeries(chart, palette, setup)
  const timeScale = chart.timeScale()
  const { sight, show, pan, zoom } = createView(timeScale, series.count)
  chart.subscribeCrosshairMove(({ time }) => onReading(series.barAt(time)))
  timeScale.subscribeVisibleLogicalRangeChange((range) => {
    if (range && series.count() > 0 && range.from < nearBars) onNearOldest()
  })
  const endWheel = zoomByWheel(host, zoom)

  return {
    setData(data) {
      const first = before ?? { fromNewest: -countInSight(data.bars.length, host.clientWidth), toNewest: 2 }
      const seen = series.count() > 0 ? sight() : first
      series.setData(data)
      for (const [i, pane] of chart.panes().entries()) pane.setStretchFactor(i === 0 ? priceStretch : 1)
      if (seen) show(seen)
    },
    follow: series.follow,
    pan,
    zoom,
    picture: () => chart.takeScreenshot(),
    sight,
    destroy() {
      endWheel()
      chart.remove()
    },
  }
}
