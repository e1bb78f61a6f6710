import type { TokenSort } from '@chainboard/core'
import { memo, type ReactNode } from 'react'
import { moveBetweenNames } from '../../token/nameFocus.ts'
import { Triangle } from '../../ui/Icon.tsx'
import { tightCell } from './rowLooks.ts'
import { alignment, type TokenColumn, tokenColumns } from './tokenColumns.tsx'

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
        {tokenColumns.map((column) => (
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
  readonly column: TokenColumn
  readonly sort: TokenSort
  readonly onSort: (sort: TokenSort) => void
}) {
  const { sort: ownSort, head, align, width, hides = '' } = column
  const active = ownSort !== undefined && ownSort === sort
  const direction = ownSort === 'nameAsc' ? 'ascending' : 'descending'
  return (
    <th
      scope="col"
      aria-sort={active ? direction : undefined}
      className={`sticky top-14 z-10 h-10 bg-ground text-12 font-normal text-ink-3 shadow-[inset_0_-1px_0_var(--line)] desk:whitespace-nowrap ${tightCell} last:pr-3 ${hides} ${width} ${alignment[align]}`}
    >
      {ownSort === undefined ? (
        head
      ) : (
        <button
          type="button"
          onClick={() => onSort(ownSort)}
          className={`inline-flex h-8 items-center gap-1 rounded-6 hover:text-ink ${alignment[align]} ${active ? 'font-strong text-ink' : ''}`}
        >
          {active && align === 'right' && <Triangle points="down" />}
          <span className="max-desk:w-min">{head}</span>
          {active && align === 'left' && <Triangle points="up" />}
        </button>
      )}
    </th>
  )
}
