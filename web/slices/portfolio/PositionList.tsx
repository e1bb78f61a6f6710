import { useState } from 'react'
import { phoneQuery, useMediaQuery } from '../../lib/useMediaQuery.ts'
import type { Coin } from './describePosition.ts'
import { PositionCards, PositionCardsSkeleton } from './PositionCards.tsx'
import { PositionTable, PositionTableSkeleton } from './PositionTable.tsx'
import type { Position } from './valueWallet.ts'

/** The rest is there when asked for: a wallet may hold hundreds of tokens. */
const shownMax = 10
/** Fewer than that are no reason to ask. */
const hiddenMin = 3

type Props = {
  readonly title: string
  /** Whose they are. */
  readonly of: string
  readonly positions: readonly Position[]
  readonly coin: Coin
  readonly wholeE18: bigint
}

/** Positions under a heading, the most valuable first. */
export function PositionList({ title, of, positions, coin, wholeE18 }: Props) {
  const [whole, setWhole] = useState(false)
  const phone = useMediaQuery(phoneQuery)
  const Positions = phone ? PositionCards : PositionTable
  const beyond = positions.length - shownMax
  const hidden = whole || beyond < hiddenMin ? 0 : beyond
  return (
    <section>
      <PositionHeading title={title} />
      <Positions
        caption={`${title} of ${of}`}
        positions={hidden > 0 ? positions.slice(0, shownMax) : positions}
        coin={coin}
        wholeE18={wholeE18}
      />
      {hidden > 0 && (
        <button
          type="button"
          onClick={() => setWhole(true)}
          className="h-10 w-full rounded-8 text-13 font-strong text-ink-2 transition-colors duration-120 hover:bg-surface-2 hover:text-ink touch:h-11"
        >
          Show {hidden.toLocaleString('en-US')} more
        </button>
      )}
    </section>
  )
}

function PositionHeading({ title }: { readonly title: string }) {
  return <h3 className="pt-4 text-13 font-strong text-ink tablet:px-3">{title}</h3>
}

/** A list that is still being read, with the geometry of {@link PositionList}. */
export function PositionListSkeleton({ title, rows }: { readonly title: string; readonly rows: number }) {
  const phone = useMediaQuery(phoneQuery)
  const Rows = phone ? PositionCardsSkeleton : PositionTableSkeleton
  return (
    <section aria-hidden="true">
      <PositionHeading title={title} />
      <Rows rows={rows} />
    </section>
  )
}
