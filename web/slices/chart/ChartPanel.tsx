import type { WireToken } from '@chainboard/contract'
import type { ChartRange } from '@chainboard/core'
import { Suspense, useMemo, useState } from 'react'
import { lazyPart } from '../../lib/lazyPart.tsx'
import { useTheme } from '../../lib/theme.ts'
import { Boundary } from '../../ui/Boundary.tsx'
import { EmptyNote } from '../../ui/EmptyNote.tsx'
import { FailureNote } from '../../ui/FailureNote.tsx'
import { QueryView } from '../../ui/QueryView.tsx'
import { Segmented } from '../../ui/Segmented.tsx'
import { Spinner } from '../../ui/Spinner.tsx'
import { ChartTable } from './ChartTable.tsx'
import { CurrentPrice } from './CurrentPrice.tsx'
import { followPrice } from './chartFigures.ts'
import type { ChartKind, Reading } from './drawPriceChart.ts'
import { rangeNames, ranges } from './rangeNames.ts'
import { type Chart, useChart, usePrefetchChart } from './useChart.ts'

const failureText = 'Failed to load chart data'

const PriceCanvas = lazyPart(() => import('./PriceCanvas.tsx'))
/** Fetches the code that draws. */
export const loadPriceCanvas = PriceCanvas.load

const rangeOptions = ranges.map((value) => ({
  value,
  text: value.toUpperCase(),
  title: rangeNames[value],
}))
const kindOptions: readonly { value: ChartKind; text: string; title: string }[] = [
  { value: 'line', text: 'Line', title: 'Line chart' },
  { value: 'candles', text: 'Candles', title: 'Candles and volume' },
]

type Props = {
  /** With its newest figures. */
  readonly token: WireToken
  /** `12m old` for a price that could not be refreshed. */
  readonly priceAge: string | undefined
  readonly range: ChartRange
  readonly kind: ChartKind
  readonly onRange: (range: ChartRange) => void
  readonly onKind: (kind: ChartKind) => void
  /** The network's accent, with which the line is drawn. */
  readonly accentKey: string
}

/** Price history of one token: figures, range, and the chart. */
export function ChartPanel({ token, priceAge, range, kind, onRange, onKind, accentKey }: Props) {
  const query = useChart({ address: token.address, range, withCandles: kind === 'candles' })
  const prefetch = usePrefetchChart()
  const [reading, setReading] = useState<Reading>()
  return (
    <>
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-4 px-5 pt-4 pb-3">
        <CurrentPrice token={token} priceAge={priceAge} chart={query.data} reading={reading} />
        <div className="flex gap-2 max-tablet:w-full max-tablet:justify-between">
          <Segmented label="Chart type" options={kindOptions} value={kind} onChange={onKind} />
          <Segmented
            label="Range"
            options={rangeOptions}
            value={range}
            onChange={onRange}
            onPreview={(preview) => prefetch({ address: token.address, range: preview, withCandles: kind === 'candles' })}
          />
        </div>
      </div>
      <div className="flex min-h-50 flex-1 flex-col px-5 pb-2">
        <QueryView
          query={query}
          isEmpty={(chart) => isEmpty(chart, kind)}
          failureText={failureText}
          waiting={<Waiting />}
          empty={(chart) => <EmptyNote title="No chart data available">{whyEmpty(chart)}</EmptyNote>}
        >
          {(chart, isPrevious) =>
            isEmpty(chart, kind) ? (
              <Waiting />
            ) : (
              <Drawing token={token} chart={chart} kind={kind} faded={isPrevious} accentKey={accentKey} onReading={setReading} />
            )
          }
        </QueryView>
      </div>
    </>
  )
}

type DrawingProps = Pick<Props, 'token' | 'kind' | 'accentKey'> & {
  readonly chart: Chart
  /** It is the previous range, and the next is under way. */
  readonly faded: boolean
  readonly onReading: (reading: Reading | undefined) => void
}

function Drawing({ token, chart, kind, faded, accentKey, onReading }: DrawingProps) {
  const { theme } = useTheme()
  const price = token.priceStatus === 'priced' ? token.priceInUsd : undefined
  const current = useMemo(() => (kind === 'line' ? followPrice(chart, price) : chart), [chart, kind, price])
  return (
    <Boundary fallback={(retry) => <FailureNote text={failureText} {...retry} />}>
      <Suspense fallback={<Waiting />}>
        <div className={`flex min-h-0 flex-1 flex-col transition-opacity duration-150 ${faded ? 'opacity-50 delay-150' : ''}`}>
          <PriceCanvas chart={current} kind={kind} paletteKey={`${theme} ${accentKey}`} onReading={onReading} />
          <ChartTable chart={current} kind={kind} />
        </div>
      </Suspense>
    </Boundary>
  )
}

/** The chart of the previous kind has no candles to draw. */
function isEmpty(chart: Chart, kind: ChartKind): boolean {
  return kind === 'candles' ? !chart.candles?.length : chart.points.length === 0
}

/** The server's reason; without one there are points, but no trade to make a candle of. */
function whyEmpty({ points, reason }: Chart): string | undefined {
  return points.length > 0 ? 'No trades in this range. The line shows the price.' : reason
}

function Waiting() {
  return (
    <div className="flex flex-1 items-center justify-center">
      <Spinner label="Loading the chart" />
    </div>
  )
}
