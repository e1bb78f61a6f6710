import type { WireToken } from '@chainboard/contract'
import { formatMoney, formatPrice, formatUsdPrice, noValue, toDisplayText } from '@chainboard/core'
import type { ReactNode } from 'react'
import { useNow } from '../../lib/useNow.ts'
import { describeOrigin, listReasons } from '../../token/describeOrigin.ts'
import { describePriceAge } from '../../token/describePrice.ts'
import { Delta } from '../../ui/Delta.tsx'
import { FlashText } from '../../ui/FlashText.tsx'

type Props = {
  readonly token: WireToken
  /** The coin that prices are counted in. */
  readonly usdcAddress: string | undefined
  /** How the price came about: a link. */
  readonly evidence: ReactNode
}

/** What a token costs, how sure that is, and what was paid last. */
export function PriceBlock({ token, usdcAddress, evidence }: Props) {
  const nowSeconds = useNow()
  if (token.priceStatus === 'unpriced') return <Unpriced token={token} />
  const age = describePriceAge(token, nowSeconds)
  const origin = describeOrigin(token, usdcAddress, nowSeconds)
  return (
    <section aria-label="Price" className="figures flex flex-col gap-1">
      <p className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <span className={`text-28 font-strong tracking-tight ${age ? 'text-ink-3' : ''}`}>
          <FlashText figure={token.priceInUsd} text={formatUsdPrice(token.priceInUsd)} />
        </span>
        <span className="text-16">
          <Delta percent={token.priceChange24h} muted={age !== undefined} />
        </span>
        <span className="text-13 text-ink-2">24h</span>
        {age && <span className="text-13 text-warn">{age}</span>}
      </p>
      <p className={`flex flex-wrap items-baseline gap-x-4 gap-y-0.5 text-13 ${age ? 'text-ink-3' : 'text-ink-2'}`}>
        <Interval token={token} />
        {token.lastPriceUsd !== null && <span>Last trade {formatUsdPrice(token.lastPriceUsd)}</span>}
        {token.pairPrice > 0 && (
          <span>
            {formatPrice(token.pairPrice)} <bdi>{toDisplayText(token.pairSymbol ?? '', '', 16)}</bdi>
          </span>
        )}
      </p>
      {origin && (
        <p className="flex flex-wrap items-baseline gap-x-4 gap-y-0.5 text-13 text-ink-2">
          <span>{origin.source}</span>
          <span>{origin.quality}</span>
          {token.costToMove10Percent !== null && (
            <span>Moving it 10% costs {formatMoney(token.costToMove10Percent)} in fees</span>
          )}
          {evidence}
        </p>
      )}
      {origin?.reasons.map((reason) => (
        <p key={reason} className="text-13 text-ink-2 wrap-anywhere">
          {reason}
        </p>
      ))}
    </section>
  )
}

function Interval({ token: { priceLow, priceHigh } }: { readonly token: WireToken }) {
  if (priceLow === null || priceHigh === null) return null
  return (
    <span title="The lowest and highest price in its pools and in the last two hours">
      Between {formatUsdPrice(priceLow)} and {formatUsdPrice(priceHigh)}
    </span>
  )
}

function Unpriced({ token }: { readonly token: WireToken }) {
  const reasons = listReasons(token)
  return (
    <section aria-label="Price" className="flex flex-col gap-1">
      <p className="text-28 font-strong tracking-tight text-ink-3">{noValue}</p>
      {(reasons.length > 0 ? reasons : ['No source has a price for this token']).map((reason) => (
        <p key={reason} className="text-13 text-ink-2 wrap-anywhere">
          {reason}
        </p>
      ))}
    </section>
  )
}
