import type { ReactNode } from 'react'
import { Fragment, memo } from 'react'
import { useLiveToken } from '../../token/liveTokens.ts'
import type { CardPart, CardShown } from './cardParts.tsx'
import type { CardVariant } from './cardVariants.tsx'

type Props = CardShown & { readonly variant: CardVariant }

/** A token as a card. A press beside its buttons opens the details. */
export const TokenCard = memo(function TokenCard({ variant, token: listed, ...others }: Props) {
  const { look, hover, rows } = variant
  const shown = { ...others, token: useLiveToken(listed) }
  return (
    <li
      onPointerEnter={others.openers.onIntent}
      onFocus={others.openers.onIntent}
      className={hover === undefined ? look : `${look} ${hover}`}
    >
      {drawRows(rows, ({ draw }) => draw(shown))}
    </li>
  )
})

type SkeletonProps = {
  readonly variant: CardVariant
  /** Whether a card has a button for boosts. */
  readonly hasBoosts?: boolean
}

/** A card that is still being read, with the geometry of {@link TokenCard}. */
export function TokenCardSkeleton({ variant, hasBoosts = false }: SkeletonProps) {
  const { look, rows } = variant
  return <li className={look}>{drawRows(rows, ({ skeleton }) => skeleton?.(hasBoosts))}</li>
}

function drawRows(rows: CardVariant['rows'], draw: (part: CardPart) => ReactNode): ReactNode {
  return rows.map(({ key, look, parts }) => {
    const drawn = parts.map((part) => <Fragment key={part.key}>{draw(part)}</Fragment>)
    return look === undefined ? (
      <Fragment key={key}>{drawn}</Fragment>
    ) : (
      <div key={key} className={look}>
        {drawn}
      </div>
    )
  })
}
