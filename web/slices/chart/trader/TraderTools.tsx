import type { WireToken, WireTraderCandle } from '@chainboard/contract'
import { type CandleInterval, toCsv } from '@chainboard/core'
import { saveTextFile } from '../../../lib/saveTextFile.ts'
import { toTokenText } from '../../../token/tokenText.ts'
import { outlinedControl } from '../../../ui/buttonStyles.ts'
import { IconButton } from '../../../ui/IconButton.tsx'
import { Segmented } from '../../../ui/Segmented.tsx'
import { ChartMenu } from './ChartMenu.tsx'
import { ComparePicker } from './ComparePicker.tsx'
import { type PriceKind, toCandleRows } from './candles.ts'
import { type IndicatorKey, indicatorKeys, indicatorNames } from './indicatorNames.ts'
import { savePicture, toFileName } from './savePicture.ts'
import type { CanvasHandle } from './TraderCanvas.tsx'

/** How a visitor wants the chart. */
export type TraderLook = {
  readonly interval: CandleInterval
  readonly kind: PriceKind
  readonly isLog: boolean
  readonly indicators: readonly IndicatorKey[]
  /** The token to compare with. */
  readonly other: WireToken | undefined
}

export const firstLook: TraderLook = { interval: '1h', kind: 'last', isLog: false, indicators: [], other: undefined }

const intervals: readonly { readonly value: CandleInterval; readonly text: string; readonly title: string }[] = [
  { value: '1m', text: '1m', title: '1 minute' },
  { value: '5m', text: '5m', title: '5 minutes' },
  { value: '15m', text: '15m', title: '15 minutes' },
  { value: '1h', text: '1h', title: '1 hour' },
  { value: '4h', text: '4h', title: '4 hours' },
  { value: '1d', text: '1d', title: '1 day' },
]
const kinds: readonly { readonly value: PriceKind; readonly text: string; readonly title: string }[] = [
  { value: 'last', text: 'Last', title: 'Prices of the last trades' },
  { value: 'fair', text: 'Fair', title: 'Fair prices: the median of the last minutes' },
]
const step = 0.25
const closer = 1.4

type Props = {
  readonly token: WireToken
  readonly look: TraderLook
  /** What the chart shows, and the candles are of: it follows `look`. */
  readonly drawn: TraderLook
  /** Intervals from an hour on have no fair price. */
  readonly hasFair: boolean
  readonly onLook: (look: TraderLook) => void
  readonly candles: readonly WireTraderCandle[] | undefined
  readonly handle: CanvasHandle | undefined
  readonly fullScreen?: { readonly on: boolean; readonly toggle: () => void }
}

/** The buttons above the chart. */
export function TraderTools({ token, look, drawn, hasFair, onLook, candles, handle, fullScreen }: Props) {
  const change = (part: Partial<TraderLook>) => onLook({ ...look, ...part })
  return (
    <div className="flex flex-wrap items-center gap-2 pt-3 print:hidden">
      <Segmented label="Interval" options={intervals} value={look.interval} onChange={(interval) => change({ interval })} />
      {hasFair && <Segmented label="Price" options={kinds} value={look.kind} onChange={(kind) => change({ kind })} />}
      <Indicators look={look} onLook={onLook} />
      <ChartMenu text={look.other ? `vs ${toTokenText(look.other).symbol}` : 'Compare'} label="Compare">
        {(close) => (
          <ComparePicker
            than={token.address}
            chosen={look.other}
            onChoose={(other) => {
              change({ other })
              close()
            }}
          />
        )}
      </ChartMenu>
      <button
        type="button"
        aria-pressed={look.isLog}
        disabled={look.other !== undefined}
        title="Logarithmic scale"
        onClick={() => change({ isLog: !look.isLog })}
        className={`${outlinedControl} aria-pressed:border-ink aria-pressed:bg-surface-2 disabled:opacity-50 touch:h-11`}
      >
        Log
      </button>
      <span className="flex items-center">
        <IconButton icon="left" label="Earlier" onClick={() => handle?.pan(-step)} />
        <IconButton icon="right" label="Later" onClick={() => handle?.pan(step)} />
        <IconButton icon="plus" label="Zoom in" onClick={() => handle?.zoom(closer)} />
        <IconButton icon="minus" label="Zoom out" onClick={() => handle?.zoom(1 / closer)} />
        <IconButton icon="picture" label="Save as PNG" onClick={() => handle && savePng(handle, token, drawn)} />
        <button
          type="button"
          title="Save the candles as CSV"
          disabled={!candles?.length}
          onClick={() => saveCsv(token, drawn, candles ?? [])}
          className="h-8 rounded-8 px-2 text-13 font-strong text-ink-2 hover:bg-surface-2 hover:text-ink touch:h-11"
        >
          CSV
        </button>
        {fullScreen && (
          <IconButton
            icon={fullScreen.on ? 'close' : 'expand'}
            label={fullScreen.on ? 'Leave full screen' : 'Full screen'}
            onClick={fullScreen.toggle}
          />
        )}
      </span>
    </div>
  )
}

function Indicators({ look, onLook }: Pick<Props, 'look' | 'onLook'>) {
  const chosen = look.indicators
  const toggle = (key: IndicatorKey) =>
    onLook({
      ...look,
      indicators: indicatorKeys.filter((each) => (each === key ? !chosen.includes(key) : chosen.includes(each))),
    })
  return (
    <ChartMenu text={chosen.length > 0 ? `Indicators (${chosen.length})` : 'Indicators'} label="Indicators">
      {() =>
        indicatorKeys.map((key) => (
          <label key={key} className="flex h-9 items-center gap-2 rounded-8 px-2 hover:bg-surface-2 touch:h-11">
            <input type="checkbox" checked={chosen.includes(key)} onChange={() => toggle(key)} className="size-4 accent-accent" />
            <span className="min-w-0 truncate">{indicatorNames[key]}</span>
          </label>
        ))
      }
    </ChartMenu>
  )
}

function saveCsv(token: WireToken, { interval }: TraderLook, candles: readonly WireTraderCandle[]): void {
  saveTextFile(toFileName(token.symbol, interval, 'csv'), 'text/csv', toCsv(toCandleRows(candles)))
}

function savePng(handle: CanvasHandle, token: WireToken, { interval, other }: TraderLook): void {
  const { name, symbol } = toTokenText(token)
  const { backgroundColor, color, fontFamily } = getComputedStyle(document.body)
  savePicture(handle.picture(), {
    name: toFileName(token.symbol, interval, 'png'),
    words: `${other ? `${symbol} and ${toTokenText(other).symbol}, %` : `${name} (${symbol})`} · ${interval} · ${location.host}`,
    ...{ ground: backgroundColor, ink: color, font: fontFamily },
  })
}
