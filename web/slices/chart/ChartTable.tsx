import { formatUsdPrice } from '@chainboard/core'
import { formatPointTime } from './chartTicks.ts'
import type { Chart } from './useChart.ts'

/** The points of the chart for those who do not see it. */
export function ChartTable({ chart }: { readonly chart: Chart }) {
  return (
    <div className="sr-only">
      <table>
        <caption>Price in US dollars over time</caption>
        <thead>
          <tr>
            <th scope="col">Time</th>
            <th scope="col">Price</th>
          </tr>
        </thead>
        <tbody>
          {chart.points.map(({ time, price }) => (
            <tr key={time}>
              <th scope="row">{formatPointTime(time)}</th>
              <td>{formatUsdPrice(price)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
