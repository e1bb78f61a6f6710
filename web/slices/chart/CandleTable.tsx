import type { WireCandle } from '@chainboard/contract'
import { formatMoney, formatUsdPrice } from '@chainboard/core'
import { memo } from 'react'
import { formatPointTime } from './chartTicks.ts'

type Candle = Pick<WireCandle, 'time' | 'open' | 'high' | 'low' | 'close' | 'volumeUsd'>
type Props = { readonly caption: string; readonly candles: readonly Candle[] }

/** Candles with their volume, in the order in which they come, for those who do not see a chart. */
export function CandleTable({ caption, candles }: Props) {
  return (
    <table>
      <caption>{caption}</caption>
      <Head columns={['Time', 'Open', 'High', 'Low', 'Close', 'Volume']} />
      <tbody>
        {candles.map((candle) => (
          <CandleRow key={candle.time} candle={candle} />
        ))}
      </tbody>
    </table>
  )
}

/** Once for each candle that did not change. */
const CandleRow = memo(function CandleRow({ candle }: { readonly candle: Candle }) {
  const { time, open, high, low, close, volumeUsd } = candle
  return (
    <tr>
      <th scope="row">{formatPointTime(time)}</th>
      <td>{formatUsdPrice(open)}</td>
      <td>{formatUsdPrice(high)}</td>
      <td>{formatUsdPrice(low)}</td>
      <td>{formatUsdPrice(close)}</td>
      <td>{formatMoney(volumeUsd)}</td>
    </tr>
  )
})

export function Head({ columns }: { readonly columns: readonly string[] }) {
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
