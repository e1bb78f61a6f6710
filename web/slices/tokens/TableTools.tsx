import { useState } from 'react'
import { Link } from 'wouter'
import { poolsPath, swapsPath } from '../../lib/marketPaths.ts'
import { outlinedControl, quietControl } from '../../ui/buttonStyles.ts'
import { Segmented } from '../../ui/Segmented.tsx'
import { AddressNote } from './AddressNote.tsx'
import { ColumnsMenu } from './ColumnsMenu.tsx'
import { FilterFields } from './FilterFields.tsx'
import { IgnoredNote } from './IgnoredNote.tsx'
import { storeLook, type TableLook } from './tableLook.ts'
import type { TokenView } from './useTokenPage.ts'

type Props = {
  readonly view: TokenView
  readonly onView: (change: Partial<TokenView>) => void
  /** What is chosen, here or on the last visit. */
  readonly look: TableLook
  readonly onLook: (look: TableLook) => void
  /** The further columns that are wanted, as the address writes them. */
  readonly shown: string
  /** How many of them fit the window. */
  readonly fitting: number
}

const quickViews = [
  { value: 'all', text: 'All' },
  { value: 'gainers', text: 'Gainers', title: 'Up in 24 hours' },
  { value: 'losers', text: 'Losers', title: 'Down in 24 hours' },
  { value: 'new', text: 'New', title: 'First traded in the last 7 days' },
] as const

type Quick = (typeof quickViews)[number]['value']

const newDays = 7

/** What stands between the heading of the table and its rows: which tokens, which columns, how high the rows. */
export default function TableTools({ view, onView, look, onLook, shown, fitting }: Props) {
  const { move, newDays: days, ...others } = view.filter
  const count = Object.keys(others).length + (days === undefined || days === newDays ? 0 : 1)
  const [open, setOpen] = useState(count > 0)
  const quick: Quick = move ?? (days === newDays ? 'new' : 'all')
  const choose = (next: Quick) => {
    const only = next === 'new' ? { newDays } : next === 'all' ? {} : { move: next }
    const sort = next === 'gainers' ? 'changeDesc' : next === 'losers' ? 'changeAsc' : next === 'new' ? 'ageAsc' : 'fdmcDesc'
    onView({ filter: { ...others, ...only }, sort, page: 1 })
  }
  const change = (next: TableLook) => {
    const all = { ...look, ...next }
    storeLook(all)
    onLook(all)
  }
  const dense = look.rows === 'dense'
  return (
    <>
      <div className="flex items-center gap-2 max-tablet:-mx-4 max-tablet:overflow-x-auto max-tablet:px-4 max-tablet:[scrollbar-width:none]">
        <Segmented label="Which tokens" options={quickViews} value={quick} onChange={choose} />
        <button
          type="button"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
          className={`${outlinedControl} shrink-0 touch:h-11`}
        >
          Filters{count > 0 && <span className="figures rounded-full bg-surface-3 px-1.5 text-12">{count}</span>}
        </button>
        <nav aria-label="Lists of the exchange" className="flex flex-1 gap-1 max-desk:hidden">
          <Link to={poolsPath} className={`${quietControl} h-9 px-3 text-13`}>
            All pools
          </Link>
          <Link to={swapsPath} className={`${quietControl} h-9 px-3 text-13`}>
            All swaps
          </Link>
        </nav>
        <span className="flex-1 desk:hidden" />
        <button
          type="button"
          aria-pressed={dense}
          onClick={() => change({ rows: dense ? 'comfortable' : 'dense' })}
          className={`${outlinedControl} shrink-0 aria-pressed:bg-surface-2 max-tablet:hidden touch:h-11`}
        >
          Dense
        </button>
        <ColumnsMenu shown={shown} fitting={fitting} onColumns={(columns) => change({ columns })} />
      </div>
      {open && <FilterFields filter={view.filter} onFilter={(filter) => onView({ filter, page: 1 })} />}
      <AddressNote search={view.search} />
      <IgnoredNote />
    </>
  )
}
