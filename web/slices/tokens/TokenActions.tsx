import type { WireToken } from '@chainboard/contract'
import { copyAddress } from '../../lib/copyAddress.ts'
import { StarButton } from '../../token/StarButton.tsx'
import { toTokenText } from '../../token/tokenText.ts'
import { IconButton } from '../../ui/IconButton.tsx'

/** What a visitor can do with a token; the page decides how. */
export type TokenOpeners = {
  readonly onDetails: (address: string) => void
  readonly onChart: (address: string) => void
  readonly onSwaps: (address: string) => void
  /** Absent where the chain has no boosts. */
  readonly onBoost?: (address: string) => void
  /** The visitor wants the token on the watchlist, or off it. */
  readonly onStar: (address: string) => void
  readonly isStarred: (address: string) => boolean
  /** The visitor is about to open something. */
  readonly onIntent: () => void
}

/** Names have more need of the room there; the details offer the same. */
const narrowTouch = 'touch:max-[800px]:in-data-boost:hidden'

/** What a row of the table offers: watchlist, boost, address, chart, swaps. */
export function TokenActions({ token, openers }: { readonly token: WireToken; readonly openers: TokenOpeners }) {
  const { symbol } = toTokenText(token)
  const { onStar, isStarred, onBoost, onChart, onSwaps, onIntent } = openers
  return (
    <fieldset
      aria-label={`Actions for ${symbol}`}
      className="calm isolate inline-flex items-center text-ink-3 *:text-ink-3 *:group-hover:text-ink-2 *:hover:text-ink! *:w-7 in-data-boost:*:w-6 touch:*:w-9 touch:in-data-boost:*:w-8 desk:mouse:*:w-8"
      onPointerEnter={onIntent}
      onFocus={onIntent}
    >
      <StarButton symbol={symbol} starred={isStarred(token.address)} onStar={() => onStar(token.address)} />
      {onBoost && <IconButton icon="bolt" label={`Boost ${symbol}`} onClick={() => onBoost(token.address)} />}
      <IconButton
        icon="copy"
        label={`Copy address of ${symbol}`}
        onClick={() => void copyAddress(token.address)}
        className={narrowTouch}
      />
      <IconButton icon="chart" label={`Price chart of ${symbol}`} onClick={() => onChart(token.address)} />
      <IconButton icon="swap" label={`Recent swaps of ${symbol}`} onClick={() => onSwaps(token.address)} />
    </fieldset>
  )
}
