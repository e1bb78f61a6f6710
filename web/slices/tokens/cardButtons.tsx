import type { WireToken } from '@chainboard/contract'
import { fillTemplate } from '../../lib/urls.ts'
import { StarButton } from '../../token/StarButton.tsx'
import { toTokenText } from '../../token/tokenText.ts'
import { wholeCard } from '../../ui/cardStyles.ts'
import { Icon, type IconName } from '../../ui/Icon.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import type { CardPart } from './cardParts.tsx'

/** Targets of 44 px whose icons stand 32 px apart from what is beside them. */
export const cardActionsLook = 'relative z-1 flex touch:-mx-1.5 *:text-ink-3'
/** The icon of the last one stands at the edge, where the price ends. */
const listedActionsLook = 'relative z-1 -mr-3 flex h-11 items-center *:text-ink-3'

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

/** Off the watchlist, chart and swaps. */
export const listedActions: CardPart = {
  key: 'actions',
  draw: ({ token, openers }) => {
    const { symbol } = toTokenText(token)
    return (
      <fieldset aria-label={`Actions for ${symbol}`} className={listedActionsLook}>
        <StarButton symbol={symbol} starred onStar={() => openers.onStar(token.address)} />
        <IconButton icon="chart" label={`Price chart of ${symbol}`} onClick={() => openers.onChart(token.address)} />
        <IconButton icon="swap" label={`Recent swaps of ${symbol}`} onClick={() => openers.onSwaps(token.address)} />
      </fieldset>
    )
  },
}

/** Details, whose target is the whole card, chart and swaps. */
export const footButtons: CardPart = {
  key: 'foot',
  draw: ({ token, openers }) => (
    <>
      <FootButton icon="info" text="Details" token={token} onOpen={openers.onDetails} whole />
      <FootButton icon="chart" text="Chart" token={token} onOpen={openers.onChart} />
      <FootButton icon="swap" text="Swaps" token={token} onOpen={openers.onSwaps} />
    </>
  ),
}

type FootButtonProps = {
  readonly icon: IconName
  readonly text: string
  readonly token: WireToken
  readonly onOpen: (address: string) => void
  /** Its target is the whole card. */
  readonly whole?: boolean
}

function FootButton({ icon, text, token, onOpen, whole }: FootButtonProps) {
  return (
    <button
      type="button"
      aria-label={`${text} of ${toTokenText(token).symbol}`}
      onClick={() => onOpen(token.address)}
      className={`${whole ? wholeCard : 'relative z-1 border-line border-l'} inline-flex items-center justify-center gap-1.5 text-13 text-ink-2 transition-colors duration-120 first:rounded-bl-14 last:rounded-br-14 hover:text-ink`}
    >
      <Icon name={icon} size={15} />
      {text}
    </button>
  )
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
      className="print:hidden relative z-1 ml-auto inline-flex h-7 shrink-0 items-center rounded-6 border border-line-strong px-2 text-12 font-strong text-ink-2 transition-colors duration-120 hover:border-accent hover:text-accent touch:h-9 touch:px-3"
    >
      Trade
    </a>
  )
}
