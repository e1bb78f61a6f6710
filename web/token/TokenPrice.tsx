import type { WireToken } from '@chainboard/contract'
import { noValue } from '@chainboard/core'
import { useNow } from '../lib/useNow.ts'
import { FlashText } from '../ui/FlashText.tsx'
import { Hint } from '../ui/Hint.tsx'
import { describePrice, describePriceAge } from './describePrice.ts'
import type { PriceMode } from './priceMode.ts'

type Props = {
  readonly token: WireToken
  readonly mode: PriceMode
  /** Where the age of an old price stands; `elsewhere` leaves it to a {@link PriceAge}. */
  readonly age?: 'under' | 'elsewhere'
}

/**
 * A price: N/A with its reason when there is none, and dimmed with its age when it is an old one. What it is counted in stands under its
 * digits, so that a column of them ends at one edge. The digits are never cut: too many for their place go on in a second line.
 */
export function TokenPrice({ token, mode, age = 'under' }: Props) {
  const price = describePrice(token, mode)
  if (price.kind === 'none')
    return (
      <span className="text-ink-3">
        <Hint hint={price.reason}>{noValue}</Hint>
      </span>
    )
  const stale = token.priceStatus === 'stale'
  const ageUnder = stale && age === 'under'
  return (
    <span className={`block ${stale ? 'text-ink-3' : 'text-ink'}`}>
      <span className="wrap-anywhere block leading-4.5">
        <FlashText key={`${mode} ${token.address}`} figure={price.figure} text={price.text} />
      </span>
      {(price.unit || ageUnder) && (
        <span className="block text-12">
          {price.unit && (
            <bdi title={price.unit} className="inline-block max-w-full truncate align-bottom text-ink-2">
              {price.unit}
            </bdi>
          )}{' '}
          {ageUnder && <PriceAge token={token} />}
        </span>
      )}
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
  return <span className="inline-block shrink-0 align-bottom text-12 text-warn">{age}</span>
}
