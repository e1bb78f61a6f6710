import { useEffect, useRef } from 'react'
import { LibraryNotice } from '../LibraryNotice.tsx'
import type { Bar } from './candles.ts'
import { drawTraderChart, type Sight, type TraderChart, type TraderListeners } from './drawTraderChart.ts'
import type { IndicatorKey } from './indicatorNames.ts'
import type { TraderData } from './traderSeries.ts'

/** What buttons do with the chart. */
export type CanvasHandle = Pick<TraderChart, 'pan' | 'zoom' | 'picture'>

type Props = TraderData & {
  readonly indicators: readonly IndicatorKey[]
  readonly isLog: boolean
  readonly isCompared: boolean
  /** The newest bar with the price of now; undefined: as it is among `bars`. */
  readonly newest: Bar | undefined
  /** Changes with the colours of the page. */
  readonly paletteKey: string
  readonly onHandle: (handle: CanvasHandle | undefined) => void
} & TraderListeners

/** The canvas of a trader's chart. A module of its own: the chart library and the indicators come with it. */
export default function TraderCanvas(props: Props) {
  const { bars, compared, dayAgo, indicators, isLog, isCompared, newest, paletteKey, onHandle, onReading, onNearOldest } = props
  const host = useRef<HTMLDivElement>(null)
  const drawn = useRef<TraderChart>(undefined)
  const sight = useRef<Sight>(undefined)
  const setupKey = `${indicators.join()} ${isLog} ${isCompared}`

  // biome-ignore lint/correctness/useExhaustiveDependencies: setupKey stands for the setup, paletteKey for the colours that are read from the page
  useEffect(() => {
    if (!host.current) return
    const setup = { indicators, isLog, isCompared }
    const chart = drawTraderChart(host.current, setup, { onReading, onNearOldest }, sight.current)
    drawn.current = chart
    onHandle(chart)
    return () => {
      sight.current = chart.sight()
      drawn.current = undefined
      onHandle(undefined)
      onReading(undefined)
      chart.destroy()
    }
  }, [setupKey, paletteKey, onReading, onHandle, onNearOldest])

  // biome-ignore lint/correctness/useExhaustiveDependencies: a chart drawn anew needs its data again
  useEffect(() => drawn.current?.setData({ bars, compared, dayAgo }), [bars, compared, dayAgo, setupKey, paletteKey])

  // biome-ignore lint/correctness/useExhaustiveDependencies: and its newest bar after them
  useEffect(() => {
    if (newest) drawn.current?.follow(newest)
  }, [newest, bars, setupKey, paletteKey])

  return (
    <div className="flex min-h-0 flex-1 flex-col print:hidden">
      <div ref={host} aria-hidden="true" className="min-h-0 flex-1 touch-pan-y" />
      <LibraryNotice />
    </div>
  )
}
