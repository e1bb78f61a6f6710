import type { WireConfig, WireSwap, WireToken } from '@chainboard/contract'
import { formatRelativeTime } from '@chainboard/core'
import { phoneQuery, useMediaQuery } from '../../lib/useMediaQuery.ts'
import { useNow } from '../../lib/useNow.ts'
import { EmptyNote } from '../../ui/EmptyNote.tsx'
import { QueryView } from '../../ui/QueryView.tsx'
import { describeSwap } from './describeSwap.ts'
import { SwapCard } from './SwapCard.tsx'
import { SwapsSkeleton } from './SwapsSkeleton.tsx'
import { SwapRow, SwapTable } from './SwapTable.tsx'
import { useSwaps } from './useSwaps.ts'

type Props = { readonly token: WireToken; readonly explorer: WireConfig['explorer'] }

/** The last swaps of one token: a table, or cards on a phone. */
export function SwapsPanel({ token, explorer }: Props) {
  const query = useSwaps(token.address)
  return (
    <div className="flex flex-1 flex-col">
      <QueryView
        query={query}
        isEmpty={(swaps) => swaps.length === 0}
        failureText="Failed to load swap data"
        waiting={<SwapsSkeleton />}
        empty={() => (
          <EmptyNote title="No recent swaps found">
            {token.priceInfo
              ? 'No swap data available. Swaps appear here seconds after they are mined.'
              : 'No pool address provided'}
          </EmptyNote>
        )}
      >
        {(swaps) => <SwapList swaps={swaps} token={token} explorer={explorer} muted={query.isError} />}
      </QueryView>
    </div>
  )
}

type ListProps = Props & {
  readonly swaps: readonly WireSwap[]
  /** They are old, and reading them again fails. */
  readonly muted: boolean
}

function SwapList({ swaps, token, explorer, muted }: ListProps) {
  const phone = useMediaQuery(phoneQuery)
  const nowSeconds = useNow()
  const items = swaps.map((swap) => ({
    key: swap.id,
    text: describeSwap(swap, token.symbol, explorer),
    time: formatRelativeTime(swap.timestamp, nowSeconds),
  }))
  if (phone)
    return (
      <ul className={`px-5 pb-4 ${muted ? 'text-ink-3' : ''}`}>
        {items.map(({ key, text, time }) => (
          <SwapCard key={key} swap={text} time={time} />
        ))}
      </ul>
    )
  return (
    <SwapTable muted={muted}>
      {items.map(({ key, text, time }) => (
        <SwapRow key={key} swap={text} time={time} />
      ))}
    </SwapTable>
  )
}
