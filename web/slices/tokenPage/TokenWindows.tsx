import type { WireWindow } from '@chainboard/contract'
import { formatMoney, noValue } from '@chainboard/core'
import type { ReactNode } from 'react'
import { Delta } from '../../ui/Delta.tsx'
import { QueryView } from '../../ui/QueryView.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { useWindows } from './useWindows.ts'

/** What a phone has no room for is in the columns beside. */
const wide = 'max-tablet:hidden'
const columns = [
  { term: 'Change', look: '' },
  { term: 'Volume', look: '' },
  { term: 'Bought / sold', look: `w-40 desk:w-auto ${wide}` },
  { term: 'Swaps', look: wide },
  { term: 'Buys / sells', look: '' },
  { term: 'Traders', look: '' },
] as const

/** A token's figures over five spans of time, one under the other. */
export function TokenWindows({ address }: { readonly address: string }) {
  const query = useWindows(address)
  return (
    <div className="flex min-h-54 flex-col">
      <QueryView
        quiet
        query={query}
        isEmpty={({ windows }) => windows.length === 0}
        failureText="Failed to load the figures"
        waiting={<WindowsSkeleton />}
        empty={() => <p className="py-4 text-13 text-ink-2">The index is still empty.</p>}
      >
        {({ windows }) => (
          <table className={`figures w-full table-fixed border-collapse text-13 ${query.isError ? 'text-ink-3' : ''}`}>
            <caption className="sr-only">Figures for five periods</caption>
            <thead>
              <tr className="h-9 text-12 text-ink-3 *:border-line *:border-b *:font-normal">
                <th scope="col" className="w-10 text-left tablet:w-20">
                  <span className="sr-only">Span</span>
                </th>
                {columns.map(({ term, look }) => (
                  <th key={term} scope="col" className={`text-right ${look}`}>
                    {term}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {windows.map((window) => (
                <tr key={window.span} className="h-9 border-line border-b last:border-b-0">
                  <th scope="row" className="text-left font-normal text-ink-2">
                    {window.span}
                  </th>
                  {columns.map(({ term, look }) => (
                    <td key={term} className={`whitespace-nowrap text-right ${look}`}>
                      {toCell(term, window)}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </QueryView>
    </div>
  )
}

function toCell(term: (typeof columns)[number]['term'], { change, volumeUsd, swaps, trades }: WireWindow): ReactNode {
  const none = <span className="text-ink-3">{noValue}</span>
  if (term === 'Change') return <Delta percent={change} />
  if (term === 'Volume') return volumeUsd === null ? none : formatMoney(volumeUsd)
  if (term === 'Swaps') return swaps?.toLocaleString('en-US') ?? none
  if (!trades) return none
  if (term === 'Traders') return trades.traders.toLocaleString('en-US')
  if (term === 'Buys / sells')
    return <Pair up={trades.buys.toLocaleString('en-US')} down={trades.sells.toLocaleString('en-US')} />
  return <Pair up={formatMoney(trades.boughtUsd)} down={formatMoney(trades.soldUsd)} />
}

function Pair({ up, down }: { readonly up: string; readonly down: string }) {
  return (
    <>
      <span className="text-up">{up}</span>
      <span className="text-ink-3"> / </span>
      <span className="text-down">{down}</span>
    </>
  )
}

/** Figures that are still being read. */
export function WindowsSkeleton() {
  return (
    <div role="status">
      <span className="sr-only">Loading the figures</span>
      {['head', '5m', '1h', '6h', '24h', '7d'].map((row) => (
        <div key={row} className="flex h-9 items-center justify-between border-line border-b">
          {[24, 48, 56, 64, 44].map((width) => (
            <Skeleton key={width} width={width} height={12} />
          ))}
        </div>
      ))}
    </div>
  )
}
