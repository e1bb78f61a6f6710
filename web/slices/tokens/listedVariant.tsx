import { formatMoney, noValue } from '@chainboard/core'
import { StarButton } from '../../token/StarButton.tsx'
import { toTokenText } from '../../token/tokenText.ts'
import { IconButton } from '../../ui/IconButton.tsx'
import { bars, type CardPart, phoneName, priceAndChange, tokenMark } from './cardParts.tsx'
import type { CardVariant } from './cardVariants.tsx'

/** The icon of the last one stands at the edge, where the price ends. */
const listedActionsLook = 'relative z-1 -mr-3 flex h-11 items-center *:text-ink-3'

/** The market cap in a second line of the card. */
const capLine: CardPart = {
  key: 'cap',
  draw: ({ token: { priceStatus, fdmc } }) => (
    <span className={`figures col-start-2 text-13 ${priceStatus === 'priced' ? 'text-ink' : 'text-ink-3'}`}>
      <span className="text-12 text-ink-3">Market Cap </span>
      {priceStatus === 'unpriced' ? noValue : formatMoney(fdmc)}
    </span>
  ),
  skeleton: bars('col-start-2 flex h-11 items-center', [112, 10]),
}

/** Off the watchlist, chart and swaps. */
const listedActions: CardPart = {
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

/** A token in a visitor's list on a phone, with all that a row of it has. */
export const listedVariant: CardVariant = {
  look: 'relative grid grid-cols-[40px_minmax(0,1fr)_auto] items-center gap-x-2.5 border-line border-b pt-2.5 pb-1',
  rows: [
    {
      key: 'all',
      parts: [tokenMark(40), phoneName('flex h-11 flex-col justify-center gap-2'), priceAndChange, capLine, listedActions],
    },
  ],
}
