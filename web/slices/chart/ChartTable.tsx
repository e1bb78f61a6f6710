import type { WireCandle, WireChartPoint } from '@chainboard/contract'
import { formatMoney, formatUsdPrice } from '@chainboard/core'
import { formatPointTime } from './chartTicks.ts'
import type { ChartKind } from './drawPriceChart.ts'
import type { Chart } from './useChart.ts'

/** What is drawn, for those who do not see it: the points, or the candles with their volume. */
export function ChartTable({ chart, kind }: { readonly chart: Chart; readonly kind: ChartKind }) {
  return (
    <div className="sr-only">
      {kind === 'line' ? <PointTable points={chart.points} /> : <CandleTable candles={chart.candles ?? []} />}
    </div>
  )
}

function PointTable({ points }: { readonly points: readonly WireChartPoint[] }) {
  return (
    <table>
      <caption>Price in US dollars over time</caption>
      <Head columns={['Time', 'Price']} />
      <tbody>
        {points.map(({ time, price }) => (
          <tr key={time}>
            <th scope="row">{formatPointTime(time)}</th>
            <td>{formatUsdPrice(price)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function CandleTable({ candles }: { readonly candles: readonly WireCandle[] }) {
  return (
    <table>
      <caption>Candles in US dollars, and the volume traded in each</caption>
      <Head columns={['Time', 'Open', 'High', 'Low', 'Close', 'Volume']} />
      <tbody>
        {candles.map(({ time, open, high, low, close, volumeUsd }) => (
          <tr key={time}>
            <th scope="row">{formatPointTime(time)}</th>
            <td>{formatUsdPrice(open)}</td>
            <td>{formatUsdPrice(high)}</td>
            <td>{formatUsdPrice(low)}</td>
            <td>{formatUsdPrice(close)}</td>
            <td>{formatMoney(volumeUsd)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Head({ columns }: { readonly columns: readonly string[] }) {
  return (
    <thead>
      <tr>
        {columns.map((column) => (
          <th key={column} scope="col">
            {column}
          </th>
        ))}
      </tr>
    </thead>
  )
}
