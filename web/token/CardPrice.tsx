import type { WireToken } from '@chainboard/contract'
import { aboveCard } from '../ui/cardStyles.ts'
import { Delta } from '../ui/Delta.tsx'
import type { PriceMode } from './priceMode.ts'
import { TokenPrice } from './TokenPrice.tsx'

type Props = { readonly token: WireToken; readonly mode: PriceMode }

/** The price on a card, and its change where there is one. */
export function CardPrice({ token, mode }: Props) {
  const room = token.priceStatus === 'unpriced' ? '' : 'min-h-11'
  return (
    <span className={`${aboveCard} figures flex min-w-0 flex-col items-end text-right ${room}`}>
      <span className="max-w-full text-16">
        <TokenPrice token={token} mode={mode} />
      </span>
      {token.priceStatus !== 'unpriced' && (
        <span className="text-13">
          <Delta percent={token.priceChange24h} muted={token.priceStatus === 'stale'} />
        </span>
      )}
    </span>
  )
}
