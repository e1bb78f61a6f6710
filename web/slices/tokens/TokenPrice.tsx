import { noValue, type WireToken } from '@chainboard/core'
import { useNow } from '../../lib/useNow.ts'
import { FlashText } from '../../ui/FlashText.tsx'
import { Hint } from '../../ui/Hint.tsx'
import { describePrice, describePriceAge } from './describePrice.ts'
import type { PriceMode } from './priceMode.ts'

/** The price cell: the price, N/A with its reason, or the last known price dimmed with its age. */
export function TokenPrice({ token, mode }: { readonly token: WireToken; readonly mode: PriceMode }) {
  const price = describePrice(token, mode)
  if (price.kind === 'none')
    return (
      <span className="text-ink-3">
        <Hint hint={price.reason}>{noValue}</Hint>
      </span>
    )
  const stale = token.priceStatus === 'stale'
  return (
    <span className="inline-flex max-w-full flex-col items-end">
      <span className={`max-w-full truncate ${stale ? 'text-ink-3' : 'text-ink'}`}>
        <FlashText key={mode} figure={price.figure} text={price.text} />
        {price.unit && <span className="text-12 text-ink-2"> {price.unit}</span>}
      </span>
      {stale && <PriceAge token={token} />}
    </span>
  )
}

function PriceAge({ token }: { readonly token: WireToken }) {
  const age = describePriceAge(token, useNow())
  return <span className="text-12 text-warn">{age}</span>
}
