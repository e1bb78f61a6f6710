import type { WireToken } from '@chainboard/contract'
import { formatMoney } from '@chainboard/core'
import type { ReactNode } from 'react'
import { None } from '../../token/Money.tsx'
import type { PriceMode } from '../../token/priceMode.ts'
import { PriceAge, TokenPrice } from '../../token/TokenPrice.tsx'
import { aboveCard } from '../../ui/cardStyles.ts'
import { Delta } from '../../ui/Delta.tsx'

export const tokenFiguresLook = 'figures grid grid-cols-[minmax(0,5fr)_minmax(max-content,4fr)_minmax(max-content,4fr)] gap-x-3'

/** The three figures of a token in a line: price, change, market cap. */
export function TokenFigures({ token, mode }: { readonly token: WireToken; readonly mode: PriceMode }) {
  const unpriced = token.priceStatus === 'unpriced'
  const muted = token.priceStatus === 'stale'
  return (
    <dl className={tokenFiguresLook}>
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
