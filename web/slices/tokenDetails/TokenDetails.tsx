import type { WireConfig, WireToken } from '@chainboard/contract'
import { formatMoney, formatPrice, formatUsdPrice, noValue, toDisplayText } from '@chainboard/core'
import type { ReactNode } from 'react'
import { useNow } from '../../lib/useNow.ts'
import { listReasons } from '../../token/describeOrigin.ts'
import { describePriceAge } from '../../token/describePrice.ts'
import { useLiveToken } from '../../token/liveTokens.ts'
import { WarningLines } from '../../token/WarningMark.tsx'
import { Delta } from '../../ui/Delta.tsx'
import { FlashText } from '../../ui/FlashText.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { detailRowLook, TokenDetailsRows } from './TokenDetailsRows.tsx'

type Props = {
  readonly token: WireToken
  readonly config: WireConfig | undefined
  /** Absent where the chain has no boosts. */
  readonly onBoost?: (() => void) | undefined
}

/** Everything known about one token: its figures, then where it lives and where its price comes from. */
export function TokenDetails({ token: listed, config, onBoost }: Props) {
  const token = useLiveToken(listed)
  return (
    <div className="figures flex flex-1 flex-col px-5">
      <Price token={token} />
      <WarningLines token={token} />
      <Figures token={token} />
      <TokenDetailsRows token={token} config={config} onBoost={onBoost} />
    </div>
  )
}

function Price({ token }: { readonly token: WireToken }) {
  const age = describePriceAge(token, useNow())
  return (
    <section aria-label="Price" className="flex min-h-27 flex-col justify-center py-4">
      <p className="text-12 text-ink-2">Price</p>
      {token.priceStatus === 'unpriced' ? (
        <Unpriced token={token} />
      ) : (
        <>
          <p className="flex flex-wrap items-baseline gap-x-3">
            <span className={`text-28 font-strong tracking-tight ${age ? 'text-ink-3' : ''}`}>
              <FlashText figure={token.priceInUsd} text={formatUsdPrice(token.priceInUsd)} />
            </span>
            {age && <span className="text-13 text-warn">{age}</span>}
          </p>
          {token.pairPrice > 0 && (
            <p className={`text-13 ${age ? 'text-ink-3' : 'text-ink-2'}`}>
              {formatPrice(token.pairPrice)} <bdi>{toDisplayText(token.pairSymbol ?? '', '', 16)}</bdi>
            </p>
          )}
        </>
      )}
    </section>
  )
}

function Unpriced({ token }: { readonly token: WireToken }) {
  const reasons = listReasons(token)
  return (
    <>
      <p className="text-28 font-strong tracking-tight text-ink-3">{noValue}</p>
      {(reasons.length > 0 ? reasons : ['No source has a price for this token']).map((reason) => (
        <p key={reason} className="text-13 text-ink-2 wrap-anywhere">
          {reason}
        </p>
      ))}
    </>
  )
}

/** From here on all of the volume counts as looked at. */
const coverageWhole = 0.99
const figureTerms = ['24h Change', '7d Change', 'Market Cap', '24h Volume'] as const
/** Room for the organic volume, which has a line of its own there. */
const figureLook = 'min-h-10 tablet:min-h-15'
const figuresLook = 'grid grid-cols-2 gap-y-3 border-line border-t py-4 tablet:grid-cols-4'

function Figures({ token }: { readonly token: WireToken }) {
  const unpriced = token.priceStatus === 'unpriced'
  const muted = token.priceStatus === 'stale'
  const money = (usd: number | null) =>
    unpriced || usd === null ? <span className="text-ink-3">{noValue}</span> : formatMoney(usd)
  const values: readonly ReactNode[] = [
    <Delta key="24h" percent={unpriced ? null : token.priceChange24h} muted={muted} />,
    <Delta key="7d" percent={unpriced ? null : token.priceChange7d} muted={muted} />,
    money(token.fdmc),
    <Volume key="volume" token={token} gross={money(token.volume24h)} />,
  ]
  return (
    <dl className={figuresLook}>
      {figureTerms.map((term, index) => (
        <div key={term} className={figureLook}>
          <dt className="text-12 text-ink-2">{term}</dt>
          <dd className={`flex min-h-6 flex-wrap items-baseline gap-x-2 text-16 ${muted ? 'text-ink-3' : ''}`}>
            {values[index]}
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** Organic volume beside the gross one, and how much of that was looked at while it is not nearly all. */
function Volume({ token, gross }: { readonly token: WireToken; readonly gross: ReactNode }) {
  const { organicVolume24h: organic, organicCoverage: coverage, volume24h, priceStatus } = token
  if (priceStatus === 'unpriced' || organic === null || volume24h === 0) return gross
  const seen = coverage < coverageWhole ? `, ${Math.floor(coverage * 100)}% checked` : ''
  return (
    <>
      {gross}
      <span className="text-12 text-ink-2">{`${formatMoney(organic)} organic${seen}`}</span>
    </>
  )
}

/** Details that are still being read, with the geometry of {@link TokenDetails}. */
export function TokenDetailsSkeleton() {
  return (
    <div role="status" className="flex flex-1 flex-col px-5">
      <span className="sr-only">Loading the token</span>
      <div className="flex min-h-27 flex-col justify-center gap-2 py-4">
        <Skeleton width={40} height={10} />
        <Skeleton width={136} height={26} />
        <Skeleton width={104} height={12} />
      </div>
      <div className={figuresLook}>
        {figureTerms.map((term) => (
          <span key={term} className={`flex flex-col gap-2 pt-1 ${figureLook}`}>
            <Skeleton width={64} height={10} />
            <Skeleton width={80} height={16} />
          </span>
        ))}
      </div>
      {[96, 120, 152, 184, 144, 104, 136, 168].map((width) => (
        <div key={width} className={detailRowLook}>
          <Skeleton width={56} height={12} />
          <Skeleton width={width} />
        </div>
      ))}
    </div>
  )
}
