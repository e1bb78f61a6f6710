import type { WireConfig, WireToken } from '@chainboard/contract'
import { formatMoney, toDisplayText } from '@chainboard/core'
import { Fragment, type ReactNode } from 'react'
import { CardName } from '../../token/CardName.tsx'
import { CardPrice } from '../../token/CardPrice.tsx'
import { None } from '../../token/Money.tsx'
import { TokenLink } from '../../token/TokenLink.tsx'
import { TokenLinks } from '../../token/TokenLinks.tsx'
import { TokenMark } from '../../token/TokenMark.tsx'
import { TokenPrice } from '../../token/TokenPrice.tsx'
import { toTokenText } from '../../token/tokenText.ts'
import { WarningMark } from '../../token/WarningMark.tsx'
import { aboveCard, wholeCard } from '../../ui/cardStyles.ts'
import { Delta } from '../../ui/Delta.tsx'
import { Seal } from '../../ui/Icon.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import type { TokenOpeners } from './TokenActions.tsx'
import type { Shown } from './tokenColumns.tsx'

/** What a card is drawn from. */
export type CardShown = Shown & {
  /** Unix seconds at which the token's boost ends. */
  readonly boostEndsAt?: number
  /** Where the token is traded; undefined until the network is known. */
  readonly dex?: WireConfig['dex'] | undefined
}

/** A part of a card, and the bars in its place while the token is being read; without `skeleton` its place stays empty. */
export type CardPart = {
  readonly key: string
  readonly draw: (shown: CardShown) => ReactNode
  /** @param hasBoosts whether a card has a button for them */
  readonly skeleton?: (hasBoosts: boolean) => ReactNode
}

/** In px. */
type Bar = readonly [width: number, height: number]

/** A skeleton of bars in one box; no two bars of a box are equally wide. */
export function bars(look: string, ...all: readonly Bar[]): () => ReactNode {
  return () => (
    <span className={look}>
      {all.map(([width, height]) => (
        <Skeleton key={width} width={width} height={height} />
      ))}
    </span>
  )
}

const discs = { 28: 'size-7 shrink-0', 36: 'size-9 shrink-0', 40: 'size-10' } as const

/** The token's logo. @param size in px */
export function tokenMark(size: keyof typeof discs): CardPart {
  return {
    key: 'mark',
    draw: ({ token }) => <TokenMark token={token} size={size} />,
    skeleton: () => <span className={`skeleton ${discs[size]} rounded-full!`} />,
  }
}

/** Symbol over name; a tap on the card opens the details. @param barsLook of the box of its skeleton */
export function phoneName(barsLook: string): CardPart {
  return {
    key: 'name',
    draw: ({ token, openers }) => <CardName token={token} onDetails={openers.onDetails} />,
    skeleton: bars(barsLook, [64, 14], [104, 10]),
  }
}

/** The price over its change. */
export const priceAndChange: CardPart = {
  key: 'price',
  draw: ({ token, mode }) => <CardPrice token={token} mode={mode} />,
  skeleton: bars('flex flex-col items-end gap-2', [72, 14], [56, 10]),
}

/** The market cap beside the links in the middle of a card. */
export const capAndLinks: CardPart = {
  key: 'cap',
  draw: ({ token }) => (
    <>
      <p
        className={`figures flex flex-1 flex-wrap items-baseline gap-x-1 leading-4 ${token.priceStatus === 'stale' ? 'text-ink-3' : 'text-ink'}`}
      >
        <span className="text-12 text-ink-3">Market Cap</span>{' '}
        {token.priceStatus === 'unpriced' ? <None /> : formatMoney(token.fdmc)}
      </p>
      <TokenLinks token={token} />
    </>
  ),
  skeleton: () => <Skeleton width={128} />,
}

/** A heading: the name with its seal, and under it symbol and category. */
export const heading: CardPart = {
  key: 'heading',
  draw: ({ token, openers }) => <Heading token={token} openers={openers} />,
  skeleton: bars('flex flex-col gap-2', [112, 16], [88, 10]),
}

function Heading({ token, openers }: Pick<TitleProps, 'token' | 'openers'>) {
  const { name, symbol } = toTokenText(token)
  const category = toDisplayText(token.category, '', 32)
  return (
    <div className="min-h-9 min-w-0">
      <h3 title={name} className="flex items-center gap-1 text-14 font-strong">
        <TokenLink token={token} onDetails={openers.onDetails} className="relative z-1 truncate rounded-6">
          <bdi>{name}</bdi>
        </TokenLink>
        {token.verified && <Seal label="Verified" />}
        <WarningMark token={token} />
      </h3>
      <p className="truncate text-12 text-ink-2">
        <bdi>{symbol}</bdi>
        {category !== '' && (
          <>
            {' · '}
            <bdi>{category}</bdi>
          </>
        )}
      </p>
    </div>
  )
}

/** {@link priceAndChange} beside a heading, to which it leaves most of the line. */
export const narrowPrice: CardPart = {
  key: 'price',
  draw: ({ token, mode }) => (
    <div className="max-w-36">
      <CardPrice token={token} mode={mode} />
    </div>
  ),
  skeleton: bars('flex flex-col items-end gap-2', [72, 16], [56, 10]),
}

type TitleProps = {
  readonly token: WireToken
  readonly openers: TokenOpeners
  /** What is in the first line; the other one is under it. */
  readonly first: 'name' | 'symbol'
  readonly look: string
  /** Only for those who do not see it. */
  readonly isNameHidden?: boolean
}

/** Name and symbol as the link whose target is the whole card. */
export function CardTitle({ token, openers, first, look, isNameHidden }: TitleProps) {
  const text = toTokenText(token)
  return (
    <TokenLink
      token={token}
      onDetails={openers.onDetails}
      title={text.name}
      className={`${wholeCard} printed flex min-w-0 flex-1 flex-col rounded-6 text-left ${isNameHidden ? '' : 'min-h-9'}`}
    >
      <span className={`flex items-center gap-1 font-strong ${look}`}>
        <bdi className="truncate">{text[first]}</bdi>
        <WarningMark token={token} />
      </span>
      <bdi className={isNameHidden ? 'sr-only' : 'max-w-full truncate text-12 text-ink-2'}>
        {first === 'name' ? text.symbol : text.name}
      </bdi>
    </TokenLink>
  )
}

/** The symbol of a trending token; its name is for those who do not see it. */
export const trendingTitle: CardPart = {
  key: 'title',
  draw: ({ token, openers }) => (
    <CardTitle token={token} openers={openers} first="symbol" look="max-w-full text-14" isNameHidden />
  ),
  skeleton: () => <Skeleton width={48} height={14} />,
}

/** Parts side by side, with the room there is between the first and the last. */
export function inLine(key: string, parts: readonly CardPart[]): CardPart {
  const toLine = (draw: (part: CardPart) => ReactNode) => (
    <span className="figures flex min-h-5 items-center justify-between gap-2">
      {parts.map((part) => (
        <Fragment key={part.key}>{draw(part)}</Fragment>
      ))}
    </span>
  )
  return {
    key,
    draw: (shown) => toLine(({ draw }) => draw(shown)),
    skeleton: (hasBoosts) => toLine(({ skeleton }) => skeleton?.(hasBoosts)),
  }
}

/** The change of a day; nothing without a price. */
export const change: CardPart = {
  key: 'change',
  draw: ({ token: { priceStatus, priceChange24h } }) =>
    priceStatus === 'unpriced' ? (
      <span />
    ) : (
      <span className="figures text-right text-13">
        <Delta percent={priceChange24h} muted={priceStatus === 'stale'} />
      </span>
    ),
  skeleton: () => <Skeleton width={56} height={12} />,
}

/** The price alone. */
export const barePrice: CardPart = {
  key: 'price',
  draw: ({ token, mode }) => (
    <span className={`${aboveCard} min-w-0 text-13`}>
      <TokenPrice token={token} mode={mode} />
    </span>
  ),
  skeleton: () => <Skeleton width={80} height={16} />,
}
