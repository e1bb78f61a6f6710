import type { WireToken } from '@chainboard/contract'
import type { CandleInterval } from '@chainboard/core'
import { memo, Suspense, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { lazyPart } from '../../../lib/lazyPart.tsx'
import { useTheme } from '../../../lib/theme.ts'
import { useSeen } from '../../../lib/useSeen.ts'
import { Boundary } from '../../../ui/Boundary.tsx'
import { EmptyNote } from '../../../ui/EmptyNote.tsx'
import { FailureNote } from '../../../ui/FailureNote.tsx'
import { QueryView } from '../../../ui/QueryView.tsx'
import { Spinner } from '../../../ui/Spinner.tsx'
import { type Bar, type Candles, followBar, noBars, toBars } from './candles.ts'
import { ownPane } from './indicatorNames.ts'
import type { CanvasHandle } from './TraderCanvas.tsx'
import { TraderLine } from './TraderLine.tsx'
import { TraderTable } from './TraderTable.tsx'
import { firstLook, type TraderLook, TraderTools } from './TraderTools.tsx'
import { useCandles } from './useCandles.ts'
import { useFullScreen } from './useFullScreen.ts'

const failureText = 'Failed to load chart data'
const TraderCanvas = lazyPart(() => import('./TraderCanvas.tsx'))
/** Of the chart with its buttons, and of each pane below the prices. */
const [heightPx, panePx] = [520, 104]

type Props = {
  /** With its newest figures. */
  readonly token: WireToken
  /** `12m old` for a price that could not be refreshed. */
  readonly priceAge: string | undefined
  /** The network's accent, with which the other token's line is drawn. */
  readonly accentKey: string
}

/** Candles of one token for those who trade it, as far back as the server knows. */
export function TraderChart({ token, priceAge, accentKey }: Props) {
  const [chosen, setLook] = useState<TraderLook>(firstLook)
  // The pressed button is painted first, then the chart.
  const look = useSeen(chosen)
  const [reading, setReading] = useState<Bar>()
  const [handle, setHandle] = useState<CanvasHandle>()
  const { query, older, loadOlder } = useCandles(token.address, look.interval)
  const other = useCompared(look.other, look.interval, query.data)
  const nearOldest = useRef(() => {})
  // Before the chart hears of it in its own effects.
  useLayoutEffect(() => {
    nearOldest.current = () => older === 'idle' && loadOlder()
  })
  const onNearOldest = useCallback(() => nearOldest.current(), [])
  const whole = useRef<HTMLElement>(null)
  const fullScreen = useFullScreen(whole)
  const hasFair = query.data?.candles.some(({ fair }) => fair) ?? false
  const isStale = query.isError && query.data !== undefined
  return (
    <section
      ref={whole}
      aria-label="Price chart"
      style={
        fullScreen.on ? undefined : { height: heightPx + panePx * look.indicators.filter((key) => ownPane.includes(key)).length }
      }
      className={`flex min-w-0 flex-col ${fullScreen.on ? 'bg-ground p-4' : 'desk:pr-5'}`}
    >
      <TraderTools
        token={token}
        look={chosen}
        drawn={look}
        hasFair={hasFair}
        onLook={setLook}
        candles={query.data?.candles}
        handle={handle}
        {...(fullScreen.toggle ? { fullScreen: { on: fullScreen.on, toggle: fullScreen.toggle } } : {})}
      />
      <TraderLine token={token} look={look} candles={query.data} reading={reading} isMuted={priceAge !== undefined || isStale} />
      <div className="flex min-h-50 flex-1 flex-col pb-2">
        <QueryView
          query={query}
          isEmpty={({ candles }) => candles.length === 0}
          failureText={failureText}
          waiting={<Waiting />}
          empty={({ reason, since }) => <EmptyNote title="No chart data available">{reason ?? describeSince(since)}</EmptyNote>}
        >
          {(data) => (
            <Drawing
              // Candles of another length begin with a view of their own.
              key={look.interval}
              {...{ token, look, data, other, accentKey, onNearOldest }}
              kind={hasFair ? look.kind : 'last'}
              onReading={setReading}
              onHandle={setHandle}
            />
          )}
        </QueryView>
        <OlderLine state={older} candles={query.data} onRetry={loadOlder} />
      </div>
    </section>
  )
}

/** The other token's candles, read back as far as the chart's own go. */
function useCompared(other: WireToken | undefined, interval: CandleInterval, own: Candles | undefined) {
  const { query, older, loadOlder } = useCandles(other?.address, interval)
  const [oldest, otherOldest] = [own?.candles[0]?.time, query.data?.candles[0]?.time]
  const lags = oldest !== undefined && otherOldest !== undefined && otherOldest > oldest
  const load = useRef(loadOlder)
  useEffect(() => {
    load.current = loadOlder
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: each page that came may not be enough
  useEffect(() => {
    if (lags && older === 'idle') load.current()
  }, [lags, older, otherOldest])
  return other && query.data
}

type DrawingProps = {
  readonly token: WireToken
  readonly look: TraderLook
  readonly kind: TraderLook['kind']
  readonly data: Candles
  readonly other: Candles | undefined
  readonly accentKey: string
  readonly onReading: (bar: Bar | undefined) => void
  readonly onHandle: (handle: CanvasHandle | undefined) => void
  readonly onNearOldest: () => void
}

/** Not for what the pointer reads, nor for a button that was pressed. */
const Drawing = memo(function Drawing({ token, look, kind, data, other, accentKey, ...listeners }: DrawingProps) {
  const { theme } = useTheme()
  const bars = useMemo(() => toBars(data.candles, kind), [data.candles, kind])
  const compared = useMemo(() => (other ? toBars(other.candles, 'last') : noBars), [other])
  const price = kind === 'fair' ? token.priceInUsd : token.lastPriceUsd
  const newest = useMemo(() => followBar(bars, token.priceStatus === 'priced' ? price : null), [bars, price, token.priceStatus])
  return (
    <Boundary fallback={(retry) => <FailureNote text={failureText} {...retry} />}>
      <Suspense fallback={<Waiting />}>
        <TraderCanvas
          {...{ bars, compared, newest }}
          {...listeners}
          dayAgo={data.dayAgo?.price}
          indicators={look.indicators}
          isLog={look.isLog}
          isCompared={look.other !== undefined}
          paletteKey={`${theme} ${accentKey}`}
        />
        <TraderTable bars={bars} />
      </Suspense>
    </Boundary>
  )
})

function OlderLine({
  state,
  candles,
  onRetry,
}: {
  readonly state: 'idle' | 'loading' | 'failed'
  readonly candles: Candles | undefined
  readonly onRetry: () => void
}) {
  const text = candles?.isFull
    ? 'The chart holds 5,000 candles. A longer interval shows more.'
    : candles?.nextBefore === null && candles.since !== null
      ? describeSince(candles.since)
      : undefined
  return (
    <p role="status" className="h-5 truncate text-12 text-ink-3">
      {state === 'loading' && 'Loading earlier candles'}
      {state === 'failed' && (
        <>
          Failed to load earlier candles.{' '}
          <button type="button" onClick={onRetry} className="font-strong text-warn underline underline-offset-4">
            Try Again
          </button>
        </>
      )}
      {state === 'idle' && text}
    </p>
  )
}

function describeSince(since: number | null): string | undefined {
  if (since === null) return undefined
  const day = new Date(since * 1000).toLocaleDateString('en-US', { month: 'short', day: 'numeric', year: 'numeric' })
  return `Candles this short begin on ${day}. Older swaps are not kept.`
}

function Waiting() {
  return (
    <div className="flex flex-1 items-center justify-center">
      <Spinner label="Loading the chart" />
    </div>
  )
}
