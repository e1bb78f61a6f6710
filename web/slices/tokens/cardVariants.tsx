import { TokenFigures, TokenFiguresSkeleton } from '../../token/TokenFigures.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { boostBadges, boostTimeLeft } from './boostParts.tsx'
import { footButtons, starAndBoost, tradeLink } from './cardButtons.tsx'
import {
  barePrice,
  bars,
  type CardPart,
  CardTitle,
  capAndLinks,
  change,
  heading,
  inLine,
  narrowPrice,
  phoneName,
  priceAndChange,
  tokenMark,
  trendingTitle,
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

/** The cards that a token is drawn by. What has two lines is as high from the first: the page may be painted when only that has arrived. */
export const cardVariants = {
  /** In the list of all tokens on a phone, in two lines; the details offer the rest. */
  phone: {
    look: 'relative grid h-16 grid-cols-[40px_minmax(0,1fr)_auto_auto] items-center gap-x-2.5 border-line border-b',
    rows: [{ key: 'all', parts: [tokenMark(40), phoneName('flex flex-col gap-2'), priceAndChange, starAndBoost] }],
  },
  /** The operator's choice: what it is, what it costs, where else to read about it. */
  featured: {
    look: 'relative flex h-24 w-[min(21.25rem,87vw)] flex-col rounded-14 border border-line bg-surface-1 touch:h-26',
    hover: frameHover,
    rows: [
      {
        key: 'head',
        look: 'grid h-14 shrink-0 grid-cols-[36px_minmax(0,1fr)_auto] items-center gap-x-2.5 px-3.5 pt-1',
        parts: [tokenMark(36), heading, narrowPrice],
      },
      { key: 'foot', look: 'flex flex-1 items-center gap-1 pr-1.5 pl-3.5 text-13', parts: [capAndLinks, footButtons] },
    ],
  },
  /** A token that somebody has paid for to stand here. */
  boosted: {
    look: 'relative flex min-h-26 w-[min(25.5rem,87vw)] flex-col gap-0.5 overflow-hidden rounded-14 border border-line bg-surface-1 px-3.5 pt-2.5 pb-3',
    hover: frameHover,
    rows: [
      {
        key: 'head',
        look: 'flex h-9 items-center gap-2.5',
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
        look: 'grid min-h-11 grid-cols-[minmax(0,1fr)_auto] gap-x-3 text-13',
        parts: [
          {
            key: 'figures',
            draw: ({ token, mode }) => <TokenFigures token={token} mode={mode} />,
            skeleton: () => <TokenFiguresSkeleton />,
          },
          boostTimeLeft,
        ],
      },
    ],
  },
  /** A place of the trending strip, with a link to the exchange. */
  trending: {
    look: 'relative flex h-14 w-56 items-center gap-2 border-line px-2.5 not-first:border-l desk:first:rounded-l-14 desk:last:rounded-r-14 min-[1232px]:w-auto touch:h-16',
    hover: 'group transition-colors duration-120 hover:bg-surface-1 desk:hover:bg-surface-2',
    rows: [
      {
        key: 'all',
        parts: [
          {
            key: 'place',
            draw: ({ place }) => <span className="figures text-12 text-ink-3">#{place}</span>,
            skeleton: () => <Skeleton width={14} height={10} />,
          },
          tokenMark(28),
        ],
      },
      {
        key: 'figures',
        look: 'min-h-10.25 min-w-0 flex-1',
        parts: [inLine('first', [trendingTitle, change]), inLine('second', [barePrice, tradeLink])],
      },
    ],
  },
} as const satisfies Record<string, CardVariant>
