import type { WireToken } from '@chainboard/contract'
import { noValue } from '@chainboard/core'
import { useNow } from '../../lib/useNow.ts'
import { Money } from '../../token/Money.tsx'
import { Delta } from '../../ui/Delta.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { fitColumns, roomOf } from './fitColumns.ts'
import { formatAge } from './formatAge.ts'
import { Sparkline } from './Sparkline.tsx'
import type { ExtraKey } from './tableLook.ts'
import { type SortKey, type TokenColumn, tokenColumns } from './tokenColumns.tsx'

type Extra = Pick<TokenColumn, 'key' | 'head' | 'title'> & { readonly sort?: SortKey; readonly width: string }

/** What else the table can show, and the column that each stands before. */
const extras: readonly (Extra & { readonly key: ExtraKey; readonly before: TokenColumn['key'] })[] = [
  { key: 'm5', head: '5m', title: 'Change in 5 minutes', sort: 'change5m', before: 'change', width: 'w-19 in-data-wide:w-24' },
  { key: 'h1', head: '1h', title: 'Change in 1 hour', sort: 'change1h', before: 'change', width: 'w-19 in-data-wide:w-24' },
  { key: 'h6', head: '6h', title: 'Change in 6 hours', sort: 'change6h', before: 'change', width: 'w-19 in-data-wide:w-24' },
  { key: 'd7', head: '7d', title: 'Change in 7 days', sort: 'change7d', before: 'volume', width: 'w-20 in-data-wide:w-24' },
  { key: 'spark', head: '7 days', title: 'Price of the last 7 days', before: 'volume', width: 'w-28 in-data-wide:w-32' },
  {
    ...{ key: 'liquidity', head: 'Depth 2%', sort: 'liquidity', before: 'volume', width: 'w-22 in-data-wide:w-26' },
    title: 'US dollars that trade within 2 % of the price',
  },
  {
    ...{ key: 'organic', head: 'Organic', sort: 'organic', before: 'cap', width: 'w-22 in-data-wide:w-26' },
    title: 'Organic volume of 24 hours: without trades of a wallet with itself',
  },
  { key: 'age', head: 'Age', title: 'Time since the first trade', sort: 'age', before: 'lock', width: 'w-14 in-data-wide:w-18' },
  {
    key: 'confidence',
    head: 'Confidence',
    title: 'Confidence in the price',
    sort: 'confidence',
    before: 'lock',
    width: 'w-20 in-data-wide:w-26',
  },
]

/** Their names, in the order of the table. */
export const extraNames: readonly { readonly key: ExtraKey; readonly head: string; readonly title: string }[] = extras.map(
  ({ key, head, title = head }) => ({ key, head, title }),
)

function toColumn({ key, head, title = head, sort, width }: (typeof extras)[number]): TokenColumn {
  return {
    ...{ key, head, title, align: 'right', width, look: 'figure', ...(sort && { sort }) },
    cell: ({ token }) => <ExtraCell column={key} token={token} />,
    skeleton: <Skeleton width={40} />,
  }
}

/**
 * The columns of the specification, with others in their places between them.
 * @param shown as an address writes them
 * @param step how wide the window is, see fitColumns.ts
 */
export function toColumns(shown: string, step: number): readonly TokenColumn[] {
  const keys = fitColumns(shown, roomOf(step))
  const wanted = extras.filter(({ key }) => keys.includes(key))
  return tokenColumns.flatMap((column) => [...wanted.filter(({ before }) => before === column.key).map(toColumn), column])
}

type Props = { readonly column: ExtraKey; readonly token: WireToken }

const changes = {
  m5: (token: WireToken) => token.priceChange5m,
  h1: (token: WireToken) => token.priceChange1h,
  h6: (token: WireToken) => token.priceChange6h,
  d7: (token: WireToken) => token.priceChange7d,
} as const

/** A figure of a token that the specification's columns do not have. */
function ExtraCell({ column, token }: Props) {
  const priced = token.priceStatus !== 'unpriced'
  switch (column) {
    case 'spark':
      return <Sparkline token={token} />
    case 'liquidity':
      return <Money amount={token.depthUsd} />
    case 'organic':
      return <Money amount={priced ? token.organicVolume24h : null} />
    case 'age':
      return <Age token={token} />
    case 'confidence':
      return priced ? `${Math.round(token.confidence * 100)}%` : <span className="text-ink-3">{noValue}</span>
    default:
      return (
        <div className="flex justify-end">
          <Delta percent={priced ? changes[column](token) : null} muted={token.priceStatus === 'stale'} />
        </div>
      )
  }
}

function Age({ token: { firstTradeAt } }: { readonly token: WireToken }) {
  const now = useNow()
  if (firstTradeAt === null) return <span className="text-ink-3">{noValue}</span>
  return <span title={new Date(firstTradeAt * 1000).toLocaleString()}>{formatAge(now - firstTradeAt)}</span>
}
