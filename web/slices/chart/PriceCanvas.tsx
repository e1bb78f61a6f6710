import { useEffect, useRef, useState } from 'react'
import { type ChartKind, type ChartSpan, drawPriceChart, type PriceChart, type Reading } from './drawPriceChart.ts'
import { LibraryNotice } from './LibraryNotice.tsx'
import { TimeAxis } from './TimeAxis.tsx'
import type { Chart } from './useChart.ts'

type Props = {
  readonly chart: Chart
  readonly kind: ChartKind
  /** Changes with the colours of the page. */
  readonly paletteKey: string
  readonly onReading: (reading: Reading | undefined) => void
}

/** The canvas with its time axis. A module of its own, because the chart library is the largest piece of the app. */
export default function PriceCanvas({ chart, kind, paletteKey, onReading }: Props) {
  const host = useRef<HTMLDivElement>(null)
  const drawn = useRef<PriceChart>(undefined)
  const [span, setSpan] = useState<ChartSpan>()

  // biome-ignore lint/correctness/useExhaustiveDependencies: paletteKey stands for the colours that drawPriceChart reads from the page
  useEffect(() => {
    if (!host.current) return
    const priceChart = drawPriceChart(host.current, kind, { onReading, onLayout: () => setSpan(priceChart.findSpan()) })
    drawn.current = priceChart
    return () => {
      drawn.current = undefined
      onReading(undefined)
      priceChart.destroy()
    }
  }, [kind, paletteKey, onReading])

  // biome-ignore lint/correctness/useExhaustiveDependencies: a chart drawn anew needs its data again
  useEffect(() => drawn.current?.setData(chart), [chart, kind, paletteKey])

  return (
    <div className="flex min-h-0 flex-1 flex-col print:hidden">
      <div ref={host} aria-hidden="true" className="min-h-0 flex-1 touch-pan-y" />
      <TimeAxis span={span} />
      <LibraryNotice />
    </div>
  )
}
