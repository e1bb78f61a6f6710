import type { WireToken } from '@chainboard/contract'
import { formatMoney, toDisplayText } from '@chainboard/core'
import { CardPrice } from '../../token/CardPrice.tsx'
import { useLiveToken } from '../../token/liveTokens.ts'
import { None } from '../../token/Money.tsx'
import type { PriceMode } from '../../token/priceMode.ts'
import { TokenLinks } from '../../token/TokenLinks.tsx'
import { TokenMark } from '../../token/TokenMark.tsx'
import { toTokenText } from '../../token/tokenText.ts'
import { WarningMark } from '../../token/WarningMark.tsx'
import { wholeCard } from '../../ui/cardStyles.ts'
import { Icon, type IconName, Seal } from '../../ui/Icon.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import type { TokenOpeners } from './TokenActions.tsx'

const cardLook =
  'relative flex h-37 flex-col print:h-27 rounded-14 border border-line bg-surface-1 max-tablet:w-[min(21.5rem,87vw)] touch:h-41'
const headLook = 'grid h-17 shrink-0 grid-cols-[40px_minmax(0,1fr)_auto] items-center gap-x-3 px-4 pt-2'
const middleLook = 'flex flex-1 items-center justify-between pr-2.5 pl-4 text-13'
const footLook = 'print:hidden grid h-10 shrink-0 grid-cols-3 border-line border-t touch:h-11'

type Props = { readonly token: WireToken; readonly mode: PriceMode; readonly openers: TokenOpeners }

/** A featured token: what it is, what it costs, where else to read about it. The whole card opens the details. */
export function FeaturedCard({ token: listed, mode, openers }: Props) {
  const token = useLiveToken(listed)
  const { symbol } = toTokenText(token)
  return (
    <li
      onPointerEnter={openers.onIntent}
      onFocus={openers.onIntent}
      className={`${cardLook} transition-colors duration-120 hover:border-line-strong`}
    >
      <Head token={token} mode={mode} />
      <div className={middleLook}>
        <p className={`figures ${token.priceStatus === 'stale' ? 'text-ink-3' : 'text-ink'}`}>
          <span className="text-12 text-ink-3">Market Cap</span>{' '}
          {token.priceStatus === 'unpriced' ? <None /> : formatMoney(token.fdmc)}
        </p>
        <TokenLinks token={token} />
      </div>
      <div className={footLook}>
        <Opener icon="info" text="Details" symbol={symbol} onOpen={() => openers.onDetails(token.address)} whole />
        <Opener icon="chart" text="Chart" symbol={symbol} onOpen={() => openers.onChart(token.address)} />
        <Opener icon="swap" text="Swaps" symbol={symbol} onOpen={() => openers.onSwaps(token.address)} />
      </div>
    </li>
  )
}

function Head({ token, mode }: { readonly token: WireToken; readonly mode: PriceMode }) {
  const { name, symbol } = toTokenText(token)
  const category = toDisplayText(token.category, '', 32)
  return (
    <div className={headLook}>
      <TokenMark token={token} size={40} />
      <div className="min-w-0">
        <h3 title={name} className="flex items-center gap-1 text-16 font-strong desk:max-[1160px]:text-14">
          <bdi className="truncate">{name}</bdi>
          {token.verified && <Seal label="Verified" />}
          <WarningMark token={token} />
        </h3>
        <p className="truncate text-13 text-ink-2">
          <bdi>{symbol}</bdi>
          {category !== '' && (
            <>
              {' · '}
              <bdi>{category}</bdi>
            </>
          )}
        </p>
      </div>
      <div className="max-w-36">
        <CardPrice token={token} mode={mode} />
      </div>
    </div>
  )
}

type OpenerProps = {
  readonly icon: IconName
  readonly text: string
  readonly symbol: string
  readonly onOpen: () => void
  /** Its target is the whole card. */
  readonly whole?: boolean
}

function Opener({ icon, text, symbol, onOpen, whole }: OpenerProps) {
  return (
    <button
      type="button"
      aria-label={`${text} of ${symbol}`}
      onClick={onOpen}
      className={`${whole ? wholeCard : 'relative z-1 border-line border-l'} inline-flex items-center justify-center gap-1.5 text-13 text-ink-2 transition-colors duration-120 first:rounded-bl-14 last:rounded-br-14 hover:text-ink`}
    >
      <Icon name={icon} size={15} />
      {text}
    </button>
  )
}

/** A card that is still being read, with the geometry of {@link FeaturedCard}. */
export function FeaturedCardSkeleton() {
  return (
    <li className={cardLook}>
      <div className={headLook}>
        <span className="skeleton size-10 rounded-full!" />
        <span className="flex flex-col gap-2">
          <Skeleton width={112} height={16} />
          <Skeleton width={88} height={10} />
        </span>
        <span className="flex flex-col items-end gap-2">
          <Skeleton width={72} height={16} />
          <Skeleton width={56} height={10} />
        </span>
      </div>
      <div className={middleLook}>
        <Skeleton width={128} />
      </div>
      <div className={footLook} />
    </li>
  )
}
