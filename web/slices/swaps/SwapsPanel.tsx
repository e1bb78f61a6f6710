import { formatRelativeTime, tokenPageSize, type WireConfig, type WireSwap, type WireToken } from '@chainboard/core'
import { phoneQuery, useMediaQuery } from '../../lib/useMediaQuery.ts'
import { useNow } from '../../lib/useNow.ts'
import { EmptyNote } from '../../ui/EmptyNote.tsx'
import { QueryView } from '../../ui/QueryView.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { describeSwap } from './describeSwap.ts'
import { SwapCard } from './SwapCard.tsx'
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
        preferServerText
        waiting={<Waiting />}
        empty={() => <EmptyNote title="No recent swaps found">Swaps show here seconds after they are in a block.</EmptyNote>}
      >
        {(swaps) => <SwapList swaps={swaps} token={token} explorer={explorer} />}
      </QueryView>
    </div>
  )
}

function SwapList({ swaps, token, explorer }: Props & { readonly swaps: readonly WireSwap[] }) {
  const phone = useMediaQuery(phoneQuery)
  const nowSeconds = useNow()
  const items = swaps.map((swap) => ({
    key: swap.id,
    text: describeSwap(swap, token.symbol, explorer),
    time: formatRelativeTime(swap.timestamp, nowSeconds),
  }))
  if (phone)
    return (
      <ul className="px-5 pb-4">
        {items.map(({ key, text, time }) => (
          <SwapCard key={key} swap={text} time={time} />
        ))}
      </ul>
    )
  return (
    <SwapTable>
      {items.map(({ key, text, time }) => (
        <SwapRow key={key} swap={text} time={time} />
      ))}
    </SwapTable>
  )
}

function Waiting() {
  return (
    <div role="status" className="flex flex-col px-5 pt-2">
      <span className="sr-only">Loading the swaps</span>
      {Array.from({ length: tokenPageSize }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a fixed list of bars
        <div key={index} className="flex h-11 items-center justify-between border-line border-b">
          <Skeleton width={44} />
          <Skeleton width={64} />
          <Skeleton width={120} />
          <Skeleton width={64} />
        </div>
      ))}
    </div>
  )
}
