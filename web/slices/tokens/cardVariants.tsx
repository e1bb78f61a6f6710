import { TokenFigures, TokenFiguresSkeleton } from '../../token/TokenFigures.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { boostBadges, boostTimeLeft } from './boostParts.tsx'
import { footButtons, listedActions, starAndBoost, tradeLink } from './cardButtons.tsx'
import {
  barePrice,
  bars,
  type CardPart,
  CardTitle,
  capAndLinks,
  capLine,
  cornerChange,
  heading,
  narrowPrice,
  phoneName,
  priceAndChange,
  tokenMark,
} from './cardParts.tsx'

type CardRow = {
  readonly key: string
  /** Of the box around the parts; without it they are the card's own children. */
  readonly look?: string
  readonly parts: readonly CardPart[]
}

/** A way to draw a token as a card: card and skeleton follow from it. */
export type CardVariant = {
  readonly look: string
  /** What a card has beside its look once it can be pressed. */
  readonly hover?: string
  readonly rows: readonly CardRow[]
}

const frameHover = 'transition-colors duration-120 hover:border-line-strong'

/** The cards that a token is drawn by. */
export const cardVariants = {
  /** In the list of all tokens on a phone, in two lines; the details offer the rest. */
  phone: {
    look: 'relative grid h-16 grid-cols-[40px_minmax(0,1fr)_auto_auto] items-center gap-x-2.5 border-line border-b',
    rows: [{ key: 'all', parts: [tokenMark(40), phoneName('flex flex-col gap-2'), priceAndChange, starAndBoost] }],
  },
  /** In a visitor's list on a phone, with all that a row of it has. */
  listed: {
    look: 'relative grid grid-cols-[40px_minmax(0,1fr)_auto] items-center gap-x-2.5 border-line border-b pt-2.5 pb-1',
    rows: [
      {
        key: 'all',
        parts: [tokenMark(40), phoneName('flex h-11 flex-col justify-center gap-2'), priceAndChange, capLine, listedActions],
      },
    ],
  },
  /** The operator's choice: what it is, what it costs, where else to read about it. */
  featured: {
    look: 'relative flex h-37 flex-col print:h-27 rounded-14 border border-line bg-surface-1 max-tablet:w-[min(21.5rem,87vw)] touch:h-41',
    hover: frameHover,
    rows: [
      {
        key: 'head',
        look: 'grid h-17 shrink-0 grid-cols-[40px_minmax(0,1fr)_auto] items-center gap-x-3 px-4 pt-2',
        parts: [tokenMark(40), heading, narrowPrice],
      },
      { key: 'middle', look: 'flex flex-1 items-center justify-between pr-2.5 pl-4 text-13', parts: [capAndLinks] },
      {
        key: 'foot',
        look: 'print:hidden grid h-10 shrink-0 grid-cols-3 border-line border-t touch:h-11',
        parts: [footButtons],
      },
    ],
  },
  /** A token that somebody has paid for to stand here. */
  boosted: {
    look: 'relative flex h-44 w-76 max-w-[86vw] flex-col gap-2 rounded-14 border border-line bg-surface-1 px-4 py-3.5 print:h-auto',
    hover: frameHover,
    rows: [
      {
        key: 'head',
        look: 'flex h-10 items-start gap-3',
        parts: [
          tokenMark(36),
          {
            key: 'title',
            draw: ({ token, openers }) => <CardTitle token={token} openers={openers} first="name" look="max-w-full text-14" />,
            skeleton: bars('flex h-9 flex-1 flex-col justify-center gap-2', [104, 14], [48, 10]),
          },
          boostBadges,
        ],
      },
      {
        key: 'figures',
        parts: [
          {
            key: 'figures',
            draw: ({ token, mode }) => <TokenFigures token={token} mode={mode} />,
            skeleton: () => <TokenFiguresSkeleton />,
          },
        ],
      },
      { key: 'time', parts: [boostTimeLeft] },
    ],
  },
  /** A place of the trending strip, with a link to the exchange. */
  trending: {
    look: 'relative flex h-23 w-60 flex-col justify-center gap-1 border-line px-4 not-first:border-l desk:first:rounded-l-14 desk:last:rounded-r-14 min-[1160px]:w-auto touch:h-25',
    hover: 'group transition-colors duration-120 hover:bg-surface-1 desk:hover:bg-surface-2',
    rows: [
      {
        key: 'head',
        look: 'flex items-center gap-2',
        parts: [
          {
            key: 'place',
            draw: ({ place }) => <span className="figures text-12 text-ink-3">#{place}</span>,
            skeleton: () => <Skeleton width={14} height={10} />,
          },
          tokenMark(28),
          {
            key: 'title',
            draw: ({ token, openers }) => (
              <CardTitle token={token} openers={openers} first="symbol" look="max-w-[calc(100%-5rem)]" />
            ),
            skeleton: bars('flex h-9 flex-col justify-center gap-2', [48, 14], [80, 10]),
          },
          cornerChange,
        ],
      },
      { key: 'figures', look: 'figures flex h-8.5 min-w-0 items-center gap-1.5 touch:h-9', parts: [barePrice, tradeLink] },
    ],
  },
} as const satisfies Record<string, CardVariant>
