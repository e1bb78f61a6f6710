import type { WireToken } from '@chainboard/contract'
import type { TokenSort } from '@chainboard/core'
import type { ReactNode } from 'react'
import { LockMark } from '../../token/LockMark.tsx'
import { Money } from '../../token/Money.tsx'
import type { PriceMode } from '../../token/priceMode.ts'
import { TokenName, TokenNameSkeleton } from '../../token/TokenName.tsx'
import { TokenPrice } from '../../token/TokenPrice.tsx'
import { Delta } from '../../ui/Delta.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { tightCell } from './rowLooks.ts'
import { TokenActions, type TokenOpeners } from './TokenActions.tsx'

/** What the table is sorted by, without the direction. */
export type SortKey = TokenSort extends infer S ? (S extends `${infer Key}Desc` ? Key : never) : never

/** What a cell is drawn from. `place`: of the row among all tokens, from 1; undefined in a list that has none. */
export type Shown = {
  readonly token: WireToken
  readonly place?: number
  readonly mode: PriceMode
  readonly openers: TokenOpeners
}

/** The columns of the specification. */
export type PlainKey = 'rank' | 'token' | 'price' | 'change' | 'volume' | 'cap' | 'lock' | 'actions'

/** A column of the table of tokens: its head, its cell and its skeleton follow from it. */
export type TokenColumn = {
  /** A `PlainKey`, or the key of a further one: extraColumns.tsx. */
  readonly key: string
  readonly head: string
  /** What the head says in full. */
  readonly title?: string
  /** By what a press on the head sorts, the most of it first, or the first name; absent: by nothing. Another press turns it round. */
  readonly sort?: SortKey
  readonly align: 'left' | 'right' | 'center'
  /** Fixed, so that neither a long name nor the skeleton moves a column. Empty: what is left. */
  readonly width: string
  /** Where there is no room for the column. */
  readonly hides?: string
  /** A figure of the token is dimmed with its price; other cells look like this. */
  readonly look: 'figure' | string
  readonly cell: (shown: Shown) => ReactNode
  readonly skeleton?: ReactNode
}

// A table that is narrower than an upright tablet has room for one of two columns: the market cap, or the volume when that is what it is
// sorted by. The places have no room there either.
const hidesPlace = 'max-[744px]:hidden'
const hidesVolume = 'max-[744px]:hidden max-[744px]:in-data-[sort^=volume]:table-cell'
const hidesCap = 'max-[744px]:in-data-[sort^=volume]:hidden'

/** Figures of a token without a price say nothing. */
const ifPriced = <T,>({ priceStatus }: WireToken, figure: T): T | null => (priceStatus === 'unpriced' ? null : figure)

/** The columns of the table of all tokens, from the left. */
export const tokenColumns: readonly (TokenColumn & { readonly key: PlainKey })[] = [
  {
    ...{ key: 'rank', head: '#', align: 'left', width: 'w-7 desk:w-12 in-data-tight:w-9!', hides: hidesPlace },
    look: `figures ${tightCell} text-left text-ink-3 max-desk:text-13`,
    cell: ({ place }) => place,
    skeleton: <Skeleton width={14} />,
  },
  {
    ...{ key: 'token', head: 'Token', sort: 'name', align: 'left', width: '', look: tightCell },
    cell: ({ token, openers }) => <TokenName token={token} openers={openers} />,
    skeleton: <TokenNameSkeleton />,
  },
  {
    ...{ key: 'price', head: 'Price', sort: 'price', align: 'right', look: 'figure' },
    width: 'w-27 min-[744px]:w-23 desk:w-36 min-[1160px]:w-40 in-data-tight:w-28! in-data-wide:w-32!',
    cell: ({ token, mode }) => <TokenPrice token={token} mode={mode} />,
    skeleton: <Skeleton width={72} />,
  },
  {
    ...{ key: 'change', head: '24h Change', sort: 'change', align: 'right', look: 'figure' },
    width: 'w-24 min-[744px]:w-20 desk:w-30 min-[1160px]:w-34 in-data-tight:w-22! in-data-wide:w-28!',
    cell: ({ token }) => (
      <div className="flex justify-end">
        <Delta percent={ifPriced(token, token.priceChange24h)} muted={token.priceStatus === 'stale'} />
      </div>
    ),
    skeleton: <Skeleton width={64} />,
  },
  {
    ...{ key: 'volume', head: '24h Volume', sort: 'volume', align: 'right', look: 'figure', hides: hidesVolume },
    width: 'w-25 min-[744px]:w-18 desk:w-28 min-[1160px]:w-32 in-data-tight:w-23! in-data-wide:w-28!',
    cell: ({ token }) => <Money amount={ifPriced(token, token.volume24h)} />,
    skeleton: <Skeleton width={64} />,
  },
  {
    ...{ key: 'cap', head: 'Market Cap', sort: 'fdmc', align: 'right', look: 'figure', hides: hidesCap },
    width: 'w-25 min-[744px]:w-19 desk:w-28 min-[1160px]:w-32 in-data-tight:w-23! in-data-wide:w-28!',
    cell: ({ token }) => <Money amount={ifPriced(token, token.fdmc)} />,
    skeleton: <Skeleton width={72} />,
  },
  {
    ...{ key: 'lock', head: 'LP', align: 'center', look: tightCell },
    width: 'w-9 min-[744px]:w-8 desk:w-14 min-[1160px]:w-18 in-data-tight:w-11!',
    cell: ({ token }) => <LockMark token={token} />,
    skeleton: <Skeleton width={16} />,
  },
  {
    ...{ key: 'actions', head: 'Actions', align: 'right', look: 'print:hidden pr-1 text-right' },
    width:
      'print:hidden w-30 in-data-boost:w-31 touch:w-38 touch:in-data-boost:w-33 touch:min-[800px]:in-data-boost:w-42 desk:w-36 desk:in-data-boost:w-44',
    cell: ({ token, openers }) => <TokenActions token={token} openers={openers} />,
  },
]

/** The order by a column in one direction. */
export function toSort(key: SortKey, direction: 'Asc' | 'Desc'): TokenSort {
  return `${key}${direction}`
}

/** Of what a column holds, by the side it stands at. */
export const alignment = { left: 'text-left', right: 'text-right', center: 'text-center' } as const
