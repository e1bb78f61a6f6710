import type { WireToken } from '@chainboard/contract'
import { formatMoney } from '@chainboard/core'
import type { ReactNode } from 'react'
import { aboveCard } from '../ui/cardStyles.ts'
import { Delta } from '../ui/Delta.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { None } from './Money.tsx'
import type { PriceMode } from './priceMode.ts'
import { PriceAge, TokenPrice } from './TokenPrice.tsx'

const look = 'figures grid grid-cols-[minmax(0,5fr)_minmax(max-content,4fr)_minmax(max-content,4fr)] gap-x-3'

/** The three figures of a token in a line: price, change, market cap. */
export function TokenFigures({ token, mode }: { readonly token: WireToken; readonly mode: PriceMode }) {
  const unpriced = token.priceStatus === 'unpriced'
  const muted = token.priceStatus === 'stale'
  return (
    <dl className={look}>
      <Figure term="Price" age={muted && <PriceAge token={token} />}>
        <span className={`${aboveCard} block`}>
          <TokenPrice token={token} mode={mode} age="elsewhere" />
        </span>
      </Figure>
      <Figure term="24h Change">
        <Delta percent={unpriced ? null : token.priceChange24h} muted={muted} />
      </Figure>
      <Figure term="Market Cap">
        <span className={muted ? 'text-ink-3' : ''}>{unpriced ? <None /> : formatMoney(token.fdmc)}</span>
      </Figure>
    </dl>
  )
}

type FigureProps = { readonly term: string; readonly age?: ReactNode; readonly children: ReactNode }

function Figure({ term, age, children }: FigureProps) {
  return (
    <div>
      <dt className="whitespace-nowrap text-12 text-ink-3">
        {term}
        {age && <> {age}</>}
      </dt>
      <dd className="min-h-5 leading-4.5">{children}</dd>
    </div>
  )
}

/** Figures that are still being read, with the geometry of {@link TokenFigures}. */
export function TokenFiguresSkeleton() {
  return (
    <div className={look}>
      {[72, 56, 64].map((width) => (
        <span key={width} className="flex h-9 flex-col justify-center gap-2">
          <Skeleton width={48} height={10} />
          <Skeleton width={width} />
        </span>
      ))}
    </div>
  )
}
