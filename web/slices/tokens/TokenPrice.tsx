import { noValue, type WireToken } from '@chainboard/core'
import { useNow } from '../../lib/useNow.ts'
import { FlashText } from '../../ui/FlashText.tsx'
import { Hint } from '../../ui/Hint.tsx'
import { describePrice, describePriceAge } from './describePrice.ts'
import type { PriceMode } from './priceMode.ts'

type Props = {
  readonly token: WireToken
  readonly mode: PriceMode
  /** The age of an old price stands beside it instead of under it. */
  readonly inline?: boolean
}

/** A price: N/A with its reason when there is none, and dimmed with its age when it is an old one. */
export function TokenPrice({ token, mode, inline }: Props) {
  const price = describePrice(token, mode)
  if (price.kind === 'none')
    return (
      <span className="text-ink-3">
        <Hint hint={price.reason} align={inline ? 'left' : 'right'} below={!inline}>
          {noValue}
        </Hint>
      </span>
    )
  const stale = token.priceStatus === 'stale'
  return (
    <span className={`inline-flex max-w-full ${inline ? 'items-baseline gap-2' : 'flex-col items-end'}`}>
      <span className={`max-w-full truncate ${stale ? 'text-ink-3' : 'text-ink'}`}>
        <FlashText key={`${mode} ${token.address}`} figure={price.figure} text={price.text} />
        {price.unit && <span className="text-12 text-ink-2"> {price.unit}</span>}
      </span>
      {stale && <PriceAge token={token} />}
    </span>
  )
}

function PriceAge({ token }: { readonly token: WireToken }) {
  const age = describePriceAge(token, useNow())
  return <span className="shrink-0 text-12 text-warn">{age}</span>
}
