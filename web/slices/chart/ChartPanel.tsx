import { type ChartRange, chartRanges, formatMoney, formatPrice, formatUsdPrice, type WireToken } from '@chainboard/core'
import { lazy, Suspense, useState } from 'react'
import { useTheme } from '../../lib/theme.ts'
import { Boundary } from '../../ui/Boundary.tsx'
import { Delta } from '../../ui/Delta.tsx'
import { EmptyNote } from '../../ui/EmptyNote.tsx'
import { FailureNote } from '../../ui/FailureNote.tsx'
import { FlashText } from '../../ui/FlashText.tsx'
import { QueryView } from '../../ui/QueryView.tsx'
import { Segmented } from '../../ui/Segmented.tsx'
import { Spinner } from '../../ui/Spinner.tsx'
import { ChartTable } from './ChartTable.tsx'
import { toRangeChange } from './chartFigures.ts'
import { formatPointTime } from './chartTicks.ts'
import type { ChartKind, Reading } from './drawPriceChart.ts'
import { type Chart, useChart, usePrefetchChart } from './useChart.ts'

const failureText = 'Failed to load chart data'

export const loadPriceCanvas = () => import('./PriceCanvas.tsx')
const PriceCanvas = lazy(loadPriceCanvas)

const rangeNames: Record<ChartRange, string> = { '1d': 'Past day', '3d': 'Past 3 days', '1w': 'Past week', '1m': 'Past month' }
const rangeOptions = (Object.keys(chartRanges) as ChartRange[]).map((value) => ({
  value,
  text: value.toUpperCase(),
  title: rangeNames[value],
}))
const kindOptions: readonly { value: ChartKind; text: string; title: string }[] = [
  { value: 'line', text: 'Line', title: 'Line chart' },
  { value: 'candles', text: 'Candles', title: 'Candles and volume' },
]

type Props = {
  readonly token: WireToken
  readonly range: ChartRange
  readonly kind: ChartKind
  readonly onRange: (range: ChartRange) => void
  readonly onKind: (kind: ChartKind) => void
  /** The network's accent, with which the line is drawn. */
  readonly accentKey: string
}

/** Price history of one token: figures, range, and the chart. */
export function ChartPanel({ token, range, kind, onRange, onKind, accentKey }: Props) {
  const query = useChart({ address: token.address, range, withCandles: kind === 'candles' })
  const prefetch = usePrefetchChart()
  const [reading, setReading] = useState<Reading>()
  const { theme } = useTheme()
  return (
    <>
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-4 px-5 pt-4 pb-3">
        <CurrentPrice token={token} chart={query.data} reading={reading} />
        <div className="flex gap-2 max-tablet:w-full max-tablet:justify-between">
          <Segmented label="Kind of chart" options={kindOptions} value={kind} onChange={onKind} />
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
          preferServerText
          waiting={<Waiting />}
          empty={(chart) => <EmptyNote title="No chart data available">{chart.reason}</EmptyNote>}
        >
          {(chart, isPrevious) =>
            isEmpty(chart, kind) ? (
              <Waiting />
            ) : (
              <Boundary fallback={<FailureNote text={failureText} busy={false} onRetry={() => location.reload()} />}>
                <Suspense fallback={<Waiting />}>
                  <div
                    className={`flex min-h-0 flex-1 flex-col transition-opacity duration-150 ${isPrevious ? 'opacity-50 delay-150' : ''}`}
                  >
                    <PriceCanvas chart={chart} kind={kind} paletteKey={`${theme} ${accentKey}`} onReading={setReading} />
                    <ChartTable chart={chart} />
                  </div>
                </Suspense>
              </Boundary>
            )
          }
        </QueryView>
      </div>
    </>
  )
}

/** The chart of the previous kind has no candles to draw. */
function isEmpty(chart: Chart, kind: ChartKind): boolean {
  return kind === 'candles' ? !chart.candles?.length : chart.points.length === 0
}

function Waiting() {
  return (
    <div className="flex flex-1 items-center justify-center">
      <Spinner label="Loading the chart" />
    </div>
  )
}

type PriceProps = { readonly token: WireToken; readonly chart: Chart | undefined; readonly reading: Reading | undefined }

function CurrentPrice({ token, chart, reading }: PriceProps) {
  const priced = token.priceStatus !== 'unpriced'
  return (
    <div className="figures min-w-0">
      <p className="text-12 text-ink-2">Current Price</p>
      <p className="flex items-baseline gap-3">
        <span className="text-28 font-strong tracking-tight">
          {priced ? <FlashText figure={token.priceInUsd} text={formatUsdPrice(token.priceInUsd)} /> : 'N/A'}
        </span>
        {priced && chart && chart.points.length > 0 && <Delta percent={toRangeChange(chart.points, token.priceInUsd)} />}
      </p>
      <p aria-hidden="true" className="truncate text-13 text-ink-2">
        {reading ? describeReading(reading) : chart ? rangeNames[chart.range] : '\u00a0'}
      </p>
    </div>
  )
}

function describeReading({ time, figures }: Reading): string {
  const when = formatPointTime(time)
  if ('price' in figures) return `${when} · ${formatUsdPrice(figures.price)}`
  const { open, high, low, close, volumeUsd } = figures
  const prices = `O ${formatPrice(open)} H ${formatPrice(high)} L ${formatPrice(low)} C ${formatPrice(close)}`
  return `${when} · ${prices} · Vol ${formatMoney(volumeUsd)}`
}
