import type { WireConfig, WireToken } from '@chainboard/contract'
import { fillTemplate } from '../../lib/urls.ts'
import { useLiveToken } from '../../token/liveTokens.ts'
import type { PriceMode } from '../../token/priceMode.ts'
import { TokenMark } from '../../token/TokenMark.tsx'
import { TokenPrice } from '../../token/TokenPrice.tsx'
import { toTokenText } from '../../token/tokenText.ts'
import { WarningMark } from '../../token/WarningMark.tsx'
import { aboveCard, wholeCard } from '../../ui/cardStyles.ts'
import { Delta } from '../../ui/Delta.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import type { TokenOpeners } from './TokenActions.tsx'

const cardLook =
  'relative flex h-23 w-60 flex-col justify-center gap-1 border-line px-4 not-first:border-l desk:first:rounded-l-14 desk:last:rounded-r-14 min-[1160px]:w-auto touch:h-25'
const headLook = 'flex items-center gap-2'
const figuresLook = 'figures flex h-8.5 min-w-0 items-center gap-1.5 touch:h-9'

type Props = {
  readonly token: WireToken
  /** From 1. */
  readonly place: number
  readonly mode: PriceMode
  readonly openers: TokenOpeners
  readonly dex: WireConfig['dex'] | undefined
}

/** One place of the trending strip. The whole card opens the details, its link leads to the exchange. */
export function TrendingCard({ token: listed, place, mode, openers, dex }: Props) {
  const token = useLiveToken(listed)
  const { name, symbol } = toTokenText(token)
  return (
    <li
      onPointerEnter={openers.onIntent}
      onFocus={openers.onIntent}
      className={`group ${cardLook} transition-colors duration-120 hover:bg-surface-1 desk:hover:bg-surface-2`}
    >
      <div className={headLook}>
        <span className="figures text-12 text-ink-3">#{place}</span>
        <TokenMark token={token} size={28} />
        <button
          type="button"
          title={name}
          onClick={() => openers.onDetails(token.address)}
          className={`${wholeCard} printed flex min-w-0 flex-1 flex-col rounded-6 text-left`}
        >
          <span className="flex max-w-[calc(100%-5rem)] items-center gap-1 font-strong">
            <bdi className="truncate">{symbol}</bdi>
            <WarningMark token={token} />
          </span>
          <bdi className="max-w-full truncate text-12 text-ink-2">{name}</bdi>
        </button>
        {token.priceStatus !== 'unpriced' && (
          <span className="figures absolute top-2.25 right-4 text-13 touch:top-3">
            <Delta percent={token.priceChange24h} muted={token.priceStatus === 'stale'} />
          </span>
        )}
      </div>
      <div className={figuresLook}>
        <span className={`${aboveCard} min-w-0 text-16`}>
          <TokenPrice token={token} mode={mode} />
        </span>
        {dex && <TradeLink url={fillTemplate(dex.swapUrl, token.address)} symbol={symbol} />}
      </div>
    </li>
  )
}

function TradeLink({ url, symbol }: { readonly url: string | undefined; readonly symbol: string }) {
  if (!url) return null
  return (
    <a
      href={url}
      target="_blank"
      rel="noopener noreferrer"
      aria-label={`Trade ${symbol}`}
      className="print:hidden relative z-1 ml-auto inline-flex h-7 shrink-0 items-center rounded-6 border border-line-strong px-2 text-12 font-strong text-ink-2 transition-colors duration-120 hover:border-accent hover:text-accent touch:h-9 touch:px-3"
    >
      Trade
    </a>
  )
}

/** A place that is still being read, with the geometry of {@link TrendingCard}. */
export function TrendingCardSkeleton() {
  return (
    <li className={cardLook}>
      <div className={headLook}>
        <Skeleton width={14} height={10} />
        <span className="skeleton size-7 shrink-0 rounded-full!" />
        <span className="flex h-9 flex-col justify-center gap-2">
          <Skeleton width={48} />
          <Skeleton width={80} height={10} />
        </span>
      </div>
      <div className={figuresLook}>
        <Skeleton width={80} height={16} />
        <Skeleton width={56} />
      </div>
    </li>
  )
}
