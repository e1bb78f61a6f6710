import { formatMoney, formatUsdPrice } from '@chainboard/core'
import { formatPointTime } from '../chartTicks.ts'
import type { Bar } from './candles.ts'

/** Rows for those who do not see the chart: the file has all. */
const rowsMax = 100
const columns = ['Time', 'Open', 'High', 'Low', 'Close', 'Volume'] as const

/** The newest candles as a table, the newest first. */
export function TraderTable({ bars }: { readonly bars: readonly Bar[] }) {
  const newest = bars.slice(-rowsMax).toReversed()
  return (
    <div className="sr-only">
      <table>
        <caption>
          Candles in US dollars, newest first
          {newest.length < bars.length && `: ${newest.length} of ${bars.length}. The CSV file has all of them.`}
        </caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {newest.map(({ time, open, high, low, close, volumeUsd }) => (
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
    </div>
  )
}
