import { TxLink } from '../../ui/TxLink.tsx'
import type { SwapText } from './describeSwap.ts'
import { SwapAccount, SwapType } from './SwapTable.tsx'

/** Of a card, and of the bars in its place. */
export const swapCardLook =
  'figures grid grid-cols-[minmax(0,1fr)_auto_44px] items-center gap-x-2 border-line border-b py-2 last:border-b-0'

/** One swap on a phone, in two lines. */
export function SwapCard({ swap, time }: { readonly swap: SwapText; readonly time: string }) {
  return (
    <li className={swapCardLook}>
      <div className="min-w-0">
        <p className="flex items-baseline gap-2">
          <SwapType type={swap.type} />
          <bdi className="truncate">{swap.amount}</bdi>
        </p>
        <p className="text-13 text-ink-2" title={swap.absoluteTime}>
          {time}
        </p>
      </div>
      <div className="text-right">
        <p>{swap.value}</p>
        <SwapAccount swap={swap} />
      </div>
      <TxLink url={swap.txUrl} />
    </li>
  )
}
