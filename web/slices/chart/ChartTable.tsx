import type { WireChartPoint } from '@chainboard/contract'
import { formatUsdPrice } from '@chainboard/core'
import { CandleTable, Head } from './CandleTable.tsx'
import { formatPointTime } from './chartTicks.ts'
import type { ChartKind } from './drawPriceChart.ts'
import type { Chart } from './useChart.ts'

/** What is drawn, for those who do not see it: the points, or the candles with their volume. */
export function ChartTable({ chart, kind }: { readonly chart: Chart; readonly kind: ChartKind }) {
  return (
    <div className="sr-only">
      {kind === 'line' ? (
        <PointTable points={chart.points} />
      ) : (
        <CandleTable caption="Candles in US dollars, and the volume traded in each" candles={chart.candles ?? []} />
      )}
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
