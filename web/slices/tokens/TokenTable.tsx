import type { TokenSort } from '@chainboard/core'
import { memo, type ReactNode } from 'react'
import { Triangle } from '../../ui/Icon.tsx'
import { moveBetweenNames } from './nameFocus.ts'
import { capLook, placeLook, volumeLook } from './narrowColumns.ts'
import { tightCell } from './TokenRow.tsx'

type Column = {
  readonly key: string
  readonly text: string
  readonly sort?: TokenSort
  readonly align: 'left' | 'right' | 'center'
  readonly width: string
}

/** Fixed widths, so that neither a long name nor the skeleton moves a column. The token takes what is left. */
const columns: readonly Column[] = [
  { key: 'rank', text: '#', align: 'left', width: `${placeLook} w-7 desk:w-12` },
  { key: 'token', text: 'Token', sort: 'nameAsc', align: 'left', width: '' },
  { key: 'price', text: 'Price', sort: 'priceDesc', align: 'right', width: 'w-27 min-[744px]:w-23 desk:w-36 min-[1160px]:w-40' },
  {
    key: 'change',
    text: '24h Change',
    sort: 'changeDesc',
    align: 'right',
    width: 'w-24 min-[744px]:w-20 desk:w-30 min-[1160px]:w-34',
  },
  {
    key: 'volume',
    text: '24h Volume',
    sort: 'volumeDesc',
    align: 'right',
    width: `${volumeLook} w-25 min-[744px]:w-18 desk:w-28 min-[1160px]:w-32`,
  },
  {
    key: 'cap',
    text: 'Market Cap',
    sort: 'fdmcDesc',
    align: 'right',
    width: `${capLook} w-25 min-[744px]:w-19 desk:w-28 min-[1160px]:w-32`,
  },
  { key: 'lock', text: 'LP', align: 'center', width: 'w-9 min-[744px]:w-8 desk:w-14 min-[1160px]:w-18' },
  {
    key: 'actions',
    text: 'Actions',
    align: 'right',
    width:
      'print:hidden w-30 in-data-boost:w-31 touch:w-38 touch:in-data-boost:w-33 touch:min-[800px]:in-data-boost:w-42 desk:w-36 desk:in-data-boost:w-44',
  },
]

const alignment = { left: 'text-left', right: 'text-right', center: 'text-center' } as const

type Props = {
  readonly sort: TokenSort
  readonly onSort: (sort: TokenSort) => void
  readonly dimmed: boolean
  /** There is one action more. */
  readonly boost: boolean
  readonly children: ReactNode
}

/** Frame of the token table: its columns and their orders. Rows are the children. */
export function TokenTable({ sort, onSort, dimmed, boost, children }: Props) {
  return (
    <table data-sort={sort} data-boost={boost ? '' : undefined} className="w-full table-fixed border-collapse">
      <caption className="sr-only">All tokens with price, 24 hour change and volume, market cap and liquidity lock</caption>
      <TableHead sort={sort} onSort={onSort} />
      <tbody onKeyDown={moveBetweenNames} className={dimmed ? 'opacity-60' : ''}>
        {children}
      </tbody>
    </table>
  )
}

const TableHead = memo(function TableHead({ sort, onSort }: Pick<Props, 'sort' | 'onSort'>) {
  return (
    <thead>
      <tr>
        {columns.map((column) => (
          <HeadCell key={column.key} column={column} sort={sort} onSort={onSort} />
        ))}
      </tr>
    </thead>
  )
})

function HeadCell({
  column,
  sort,
  onSort,
}: {
  readonly column: Column
  readonly sort: TokenSort
  readonly onSort: (sort: TokenSort) => void
}) {
  const { sort: ownSort, text } = column
  const active = ownSort !== undefined && ownSort === sort
  const direction = ownSort === 'nameAsc' ? 'ascending' : 'descending'
  return (
    <th
      scope="col"
      aria-sort={active ? direction : undefined}
      className={`sticky top-14 z-10 h-10 bg-ground text-12 font-normal text-ink-3 shadow-[inset_0_-1px_0_var(--line)] desk:whitespace-nowrap ${tightCell} last:pr-3 ${column.width} ${alignment[column.align]}`}
    >
      {ownSort === undefined ? (
        text
      ) : (
        <button
          type="button"
          onClick={() => onSort(ownSort)}
          className={`inline-flex h-8 items-center gap-1 rounded-6 hover:text-ink ${alignment[column.align]} ${active ? 'font-strong text-ink' : ''}`}
        >
          {active && column.align === 'right' && <Triangle points="down" />}
          <span className="max-desk:w-min">{text}</span>
          {active && column.align === 'left' && <Triangle points="up" />}
        </button>
      )}
    </th>
  )
}
