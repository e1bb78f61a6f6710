import type { WireToken } from '@chainboard/contract'
import { formatMoney, formatPrice, formatUsdPrice, noValue } from '@chainboard/core'
import { Delta } from '../../ui/Delta.tsx'
import { FlashText } from '../../ui/FlashText.tsx'
import { describeSpan, toRangeChange } from './chartFigures.ts'
import { formatPointTime } from './chartTicks.ts'
import type { Reading } from './drawPriceChart.ts'
import type { Chart } from './useChart.ts'

type Props = {
  readonly token: WireToken
  /** `12m old` for a price that could not be refreshed. */
  readonly priceAge: string | undefined
  readonly chart: Chart | undefined
  readonly reading: Reading | undefined
}

/** The price now and its change over the chart's range; under it what the crosshair stands on. */
export function CurrentPrice({ token, priceAge, chart, reading }: Props) {
  const priced = token.priceStatus !== 'unpriced'
  const drawn = chart !== undefined && chart.points.length > 0
  const change = priced && drawn ? toRangeChange(chart, token) : undefined
  const line = reading ? describeReading(reading) : drawn ? describeSpan(chart.range, change?.from) : '\u00a0'
  return (
    <div className="figures min-w-0">
      <p className="flex gap-2 text-12 text-ink-2">Current Price {priceAge && <span className="text-warn">{priceAge}</span>}</p>
      <p className="flex items-baseline gap-3">
        <span className={`text-28 font-strong tracking-tight ${priced && !priceAge ? '' : 'text-ink-3'}`}>
          {priced ? <FlashText figure={token.priceInUsd} text={formatUsdPrice(token.priceInUsd)} /> : noValue}
        </span>
        {change && <Delta percent={change.percent} muted={priceAge !== undefined} />}
      </p>
      <p aria-hidden={reading !== undefined} className="truncate text-13 text-ink-2">
        {line}
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
