import type { WireToken } from '@chainboard/contract'
import { noValue } from '@chainboard/core'
import type { ReactNode } from 'react'
import { useNow } from '../../lib/useNow.ts'
import { Money } from '../../token/Money.tsx'
import { Delta } from '../../ui/Delta.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { fitColumns, roomOf } from './fitColumns.ts'
import { formatAge } from './formatAge.ts'
import { Sparkline } from './Sparkline.tsx'
import { type PlainKey, type TokenColumn, tokenColumns } from './tokenColumns.tsx'

type Extra = Pick<TokenColumn, 'title' | 'sort' | 'width' | 'head'> & {
  /** The column of the specification that it stands before. */
  readonly before: PlainKey
  /** Of its width, in px, in a window that is no wide one. */
  readonly px: number
  readonly cell: (token: WireToken) => ReactNode
}

/** A change in percent, dimmed with a price that is old. */
const change = (pick: (token: WireToken) => number | null) => (token: WireToken) => (
  <div className="flex justify-end">
    <Delta percent={isPriced(token) ? pick(token) : null} muted={token.priceStatus === 'stale'} />
  </div>
)
const isPriced = ({ priceStatus }: WireToken) => priceStatus !== 'unpriced'
const dash = <span className="text-ink-3">{noValue}</span>

/** Columns that the table can have besides those of the specification, from the left. A new one is an entry here, and nothing else. */
const extras = {
  m5: {
    ...{ head: '5m', title: 'Change in 5 minutes', sort: 'change5m', before: 'change', px: 76, width: 'w-19 in-data-wide:w-24' },
    cell: change((token) => token.priceChange5m),
  },
  h1: {
    ...{ head: '1h', title: 'Change in 1 hour', sort: 'change1h', before: 'change', px: 76, width: 'w-19 in-data-wide:w-24' },
    cell: change((token) => token.priceChange1h),
  },
  h6: {
    ...{ head: '6h', title: 'Change in 6 hours', sort: 'change6h', before: 'change', px: 76, width: 'w-19 in-data-wide:w-24' },
    cell: change((token) => token.priceChange6h),
  },
  d7: {
    ...{ head: '7d', title: 'Change in 7 days', sort: 'change7d', before: 'volume', px: 80, width: 'w-20 in-data-wide:w-24' },
    cell: change((token) => token.priceChange7d),
  },
  spark: {
    ...{ head: '7 days', title: 'Price over the last 7 days', before: 'volume', px: 112, width: 'w-28 in-data-wide:w-32' },
    cell: (token) => <Sparkline token={token} />,
  },
  liquidity: {
    ...{ head: 'Depth 2%', sort: 'liquidity', before: 'volume', px: 88, width: 'w-22 in-data-wide:w-26' },
    title: 'US dollars that can be traded within 2 % of the price',
    cell: (token) => <Money amount={token.depthUsd} />,
  },
  organic: {
    ...{ head: 'Organic', sort: 'organic', before: 'cap', px: 88, width: 'w-22 in-data-wide:w-26' },
    title: '24-hour volume without self-trading',
    cell: (token) => <Money amount={isPriced(token) ? token.organicVolume24h : null} />,
  },
  age: {
    ...{ head: 'Age', title: 'Time since the first trade', sort: 'age', before: 'lock', px: 56, width: 'w-14 in-data-wide:w-18' },
    cell: (token) => <Age token={token} />,
  },
  confidence: {
    ...{ head: 'Confidence', sort: 'confidence', before: 'lock', px: 80, width: 'w-20 in-data-wide:w-26' },
    title: 'Confidence in the price',
    cell: (token) => (isPriced(token) ? `${Math.round(token.confidence * 100)}%` : dash),
  },
} as const satisfies Record<string, Extra>

export type ExtraKey = keyof typeof extras

export const isExtra = (text: string): text is ExtraKey => Object.hasOwn(extras, text)

const entries = Object.entries<Extra>(extras).flatMap(([key, extra]) => (isExtra(key) ? [{ key, ...extra }] : []))

/** Their names, in the order of the table. */
export const extraNames: readonly { readonly key: ExtraKey; readonly head: string; readonly title: string }[] = entries.map(
  ({ key, head, title = head }) => ({ key, head, title }),
)

function toColumn({ key, head, title = head, sort, width, cell }: (typeof entries)[number]): TokenColumn {
  return {
    ...{ key, head, title, align: 'right', width, look: 'figure', ...(sort && { sort }) },
    cell: ({ token }) => cell(token),
    skeleton: <Skeleton width={40} />,
  }
}

/** Which of the chosen columns have room. @param shown as an address writes them: `h1.d7` */
export function fitExtras(shown: string, room: number): readonly ExtraKey[] {
  const widths = entries.map(({ key, px }) => [key, px] as const)
  return fitColumns(shown.split('.').filter(isExtra), widths, room)
}

/**
 * The columns of the specification, with others in their places between them.
 * @param shown as an address writes them
 * @param step how wide the window is, see fitColumns.ts
 */
export function toColumns(shown: string, step: number): readonly TokenColumn[] {
  const keys = fitExtras(shown, roomOf(step))
  const wanted = entries.filter(({ key }) => keys.includes(key))
  return tokenColumns.flatMap((column) => [...wanted.filter(({ before }) => before === column.key).map(toColumn), column])
}

function Age({ token: { firstTradeAt } }: { readonly token: WireToken }) {
  const now = useNow()
  if (firstTradeAt === null) return dash
  return <span title={new Date(firstTradeAt * 1000).toLocaleString()}>{formatAge(now - firstTradeAt)}</span>
}
