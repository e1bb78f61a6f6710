import type { TokenSort } from '@chainboard/core'
import { memo, type ReactNode } from 'react'
import { moveBetweenNames } from '../../token/nameFocus.ts'
import { Triangle } from '../../ui/Icon.tsx'
import { tightCell } from './rowLooks.ts'
import { alignment, type TokenColumn, toSort } from './tokenColumns.tsx'

/** Of the form that the heads belong to: what they do without scripts. */
export const headFormId = 'heads'

type Props = {
  readonly columns: readonly TokenColumn[]
  readonly sort: TokenSort
  readonly onSort: (sort: TokenSort) => void
  readonly dimmed: boolean
  /** There is one action more. */
  readonly boost: boolean
  readonly dense: boolean
  /** Columns stand closer, so that more of them fit, or wider apart in a window with room. */
  readonly spacing: 'plain' | 'tight' | 'wide'
  readonly children: ReactNode
}

/** Frame of the token table: its columns and their orders. Rows are the children. */
export function TokenTable({ columns, sort, onSort, dimmed, boost, dense, spacing, children }: Props) {
  return (
    <table
      data-sort={sort}
      data-boost={boost ? '' : undefined}
      data-dense={dense ? '' : undefined}
      data-tight={spacing === 'tight' ? '' : undefined}
      data-wide={spacing === 'wide' ? '' : undefined}
      className="w-full table-fixed border-collapse"
    >
      <caption className="sr-only">All tokens with price, 24 hour change and volume, market cap and liquidity lock</caption>
      <TableHead columns={columns} sort={sort} onSort={onSort} />
      <tbody onKeyDown={moveBetweenNames} className={dimmed ? 'opacity-60' : ''}>
        {children}
      </tbody>
    </table>
  )
}

type HeadProps = Pick<Props, 'columns' | 'sort' | 'onSort'>

const TableHead = memo(function TableHead({ columns, sort, onSort }: HeadProps) {
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

type CellProps = Omit<HeadProps, 'columns'> & { readonly column: TokenColumn }

function HeadCell({ column, sort, onSort }: CellProps) {
  const { sort: key, head, title, align, width, hides = '' } = column
  const rising = key && toSort(key, 'Asc')
  const falling = key && toSort(key, 'Desc')
  const active = sort === rising || sort === falling
  const ascending = sort === rising
  // Names begin with the first, figures with the most.
  const [first, other] = key === 'name' ? [rising, falling] : [falling, rising]
  const next = sort === first ? other : first
  const arrow = active && <Triangle points={ascending ? 'up' : 'down'} />
  return (
    <th
      scope="col"
      title={title}
      aria-sort={active ? (ascending ? 'ascending' : 'descending') : undefined}
      className={`sticky top-14 z-10 h-10 bg-ground text-12 font-normal text-ink-3 shadow-[inset_0_-1px_0_var(--line)] desk:whitespace-nowrap in-data-tight:whitespace-normal! in-data-tight:leading-3.5 ${tightCell} last:pr-3 ${hides} ${width} ${alignment[align]}`}
    >
      {next === undefined ? (
        head
      ) : (
        <button
          type="submit"
          form={headFormId}
          name="sort"
          value={next}
          onClick={() => onSort(next)}
          className={`inline-flex h-8 items-center gap-1 rounded-6 hover:text-ink ${alignment[align]} ${active ? 'font-strong text-ink' : ''}`}
        >
          {align === 'right' && arrow}
          <span className="max-desk:w-min in-data-tight:w-min">{head}</span>
          {align === 'left' && arrow}
        </button>
      )}
    </th>
  )
}
