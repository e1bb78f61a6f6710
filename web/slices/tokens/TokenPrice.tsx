import { noValue, type WireToken } from '@chainboard/core'
import { useNow } from '../../lib/useNow.ts'
import { FlashText } from '../../ui/FlashText.tsx'
import { Hint } from '../../ui/Hint.tsx'
import { describePrice, describePriceAge } from './describePrice.ts'
import type { PriceMode } from './priceMode.ts'

type Props = {
  readonly token: WireToken
  readonly mode: PriceMode
  /** Where the age of an old price stands; `elsewhere` leaves it to a {@link PriceAge}. */
  readonly age?: 'under' | 'beside' | 'elsewhere'
}

/** A price: N/A with its reason when there is none, and dimmed with its age when it is an old one. */
export function TokenPrice({ token, mode, age = 'under' }: Props) {
  const price = describePrice(token, mode)
  if (price.kind === 'none')
    return (
      <span className="text-ink-3">
        <Hint hint={price.reason}>{noValue}</Hint>
      </span>
    )
  const stale = token.priceStatus === 'stale'
  return (
    <span className={`inline-flex max-w-full ${age === 'under' ? 'flex-col items-end' : 'items-baseline gap-2'}`}>
      <span className={`max-w-full truncate ${stale ? 'text-ink-3' : 'text-ink'}`}>
        <FlashText key={`${mode} ${token.address}`} figure={price.figure} text={price.text} />
        {price.unit && <span className="text-12 text-ink-2"> {price.unit}</span>}
      </span>
      {age !== 'elsewhere' && <PriceAge token={token} />}
    </span>
  )
}

/** How old a price is that could not be refreshed. Nothing of a fresh one. */
export function PriceAge({ token }: { readonly token: WireToken }) {
  if (token.priceStatus !== 'stale') return null
  return <RunningAge token={token} />
}

function RunningAge({ token }: { readonly token: WireToken }) {
  const age = describePriceAge(token, useNow())
  return <span className="shrink-0 text-12 text-warn">{age}</span>
}
