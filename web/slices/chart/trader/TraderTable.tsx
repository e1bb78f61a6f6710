import { memo, useDeferredValue } from 'react'
import { CandleTable } from '../CandleTable.tsx'
import { type Bar, noBars } from './candles.ts'

/** Rows for those who do not see the chart: the file has all. */
const rowsMax = 100

/** The newest candles as a table, the newest first. It comes after the chart. */
export function TraderTable({ bars }: { readonly bars: readonly Bar[] }) {
  return <Table bars={useDeferredValue(bars, noBars)} />
}

const Table = memo(function Table({ bars }: { readonly bars: readonly Bar[] }) {
  const newest = bars.slice(-rowsMax).toReversed()
  const cut = newest.length < bars.length ? `: ${newest.length} of ${bars.length}. The CSV file has all of them.` : ''
  return (
    <div className="sr-only">
      <CandleTable caption={`Candles in US dollars, newest first${cut}`} candles={newest} />
    </div>
  )
})
