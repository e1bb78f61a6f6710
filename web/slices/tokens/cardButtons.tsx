import { fillTemplate } from '../../lib/urls.ts'
import { StarButton } from '../../token/StarButton.tsx'
import { toTokenText } from '../../token/tokenText.ts'
import { wholeCard } from '../../ui/cardStyles.ts'
import { IconButton } from '../../ui/IconButton.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import type { CardPart } from './cardParts.tsx'

/** Targets of 44 px whose icons stand 32 px apart from what is beside them. */
export const cardActionsLook = 'relative z-1 flex touch:-mx-1.5 *:text-ink-3'
/** Watchlist and boost, where a tap on the card leads to all the rest. */
export const starAndBoost: CardPart = {
  key: 'actions',
  draw: ({ token, openers: { isStarred, onStar, onBoost } }) => {
    const { symbol } = toTokenText(token)
    return (
      <span className={cardActionsLook}>
        <StarButton symbol={symbol} starred={isStarred(token.address)} onStar={() => onStar(token.address)} />
        {onBoost && <IconButton icon="bolt" label={`Boost ${symbol}`} onClick={() => onBoost(token.address)} />}
      </span>
    )
  },
  skeleton: (hasBoosts) => <span className={hasBoosts ? 'w-16 touch:w-19' : 'w-8'} />,
}

/** Details, whose target is the whole card, chart and swaps. */
export const footButtons: CardPart = {
  key: 'foot',
  draw: ({ token, openers }) => {
    const { symbol } = toTokenText(token)
    const { address } = token
    return (
      <span className="print:hidden flex border-line border-l pl-1 *:size-7 touch:*:size-9">
        <IconButton
          icon="info"
          iconSize={16}
          label={`Details of ${symbol}`}
          className={wholeCard}
          onClick={() => openers.onDetails(address)}
        />
        <IconButton
          icon="chart"
          iconSize={16}
          label={`Chart of ${symbol}`}
          className="relative z-1"
          onClick={() => openers.onChart(address)}
        />
        <IconButton
          icon="swap"
          iconSize={16}
          label={`Swaps of ${symbol}`}
          className="relative z-1"
          onClick={() => openers.onSwaps(address)}
        />
      </span>
    )
  },
}

/** A link to the exchange; nothing where it has no address for one. */
export const tradeLink: CardPart = {
  key: 'trade',
  draw: ({ token, dex }) =>
    dex && <TradeLink url={fillTemplate(dex.swapUrl, token.address)} symbol={toTokenText(token).symbol} />,
  skeleton: () => <Skeleton width={56} />,
}

function TradeLink({ url, symbol }: { readonly url: string | undefined; readonly symbol: string }) {
  if (!url) return null
  return (
    <a
      href={url}
      target="_blank"
      rel="noopener noreferrer"
      aria-label={`Trade ${symbol}`}
      className="print:hidden relative z-1 ml-auto inline-flex h-5 shrink-0 items-center rounded-6 text-12 font-strong text-ink-2 transition-colors duration-120 hover:text-accent touch:-my-1 touch:h-7"
    >
      Trade
    </a>
  )
}
