import { formatMoney, type WireToken } from '@chainboard/core'
import { type ReactNode, useId, useState } from 'react'
import { outlinedControl } from '../../ui/buttonStyles.ts'
import { Delta } from '../../ui/Delta.tsx'
import { Icon, Seal } from '../../ui/Icon.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { describeLock } from './LockMark.tsx'
import { useLiveToken } from './liveTokens.ts'
import type { PriceMode } from './priceMode.ts'
import { copyAddress, type TokenOpeners } from './TokenActions.tsx'
import { TokenMark } from './TokenMark.tsx'
import { TokenPrice } from './TokenPrice.tsx'
import { None } from './TokenRow.tsx'
import { toTokenText } from './tokenText.ts'

const cardLook = 'border-line border-b'
const lineLook = 'grid h-16 grid-cols-[40px_minmax(0,1fr)_auto_20px] items-center gap-x-3'

type Props = { readonly token: WireToken; readonly mode: PriceMode; readonly openers: TokenOpeners }

/** One token on a phone: two lines, and a tap for the rest. */
export function TokenCard({ token: listed, mode, openers }: Props) {
  const token = useLiveToken(listed)
  const [open, setOpen] = useState(false)
  const restId = useId()
  const { name, symbol } = toTokenText(token)
  const unpriced = token.priceStatus === 'unpriced'
  return (
    <li className={cardLook}>
      <div className={`${lineLook} relative`}>
        <TokenMark token={token} size={40} />
        <span className="min-w-0">
          <span className="flex items-center gap-1 text-16 font-strong">
            <bdi className="truncate">{symbol}</bdi>
            {token.verified && <Seal label="Verified" size={15} />}
          </span>
          <bdi className="block truncate text-left text-13 text-ink-2">{name}</bdi>
        </span>
        <span className="figures flex min-w-0 flex-col items-end">
          <span className="relative z-1 text-16">
            <TokenPrice token={token} mode={mode} />
          </span>
          {token.priceStatus === 'priced' && (
            <span className="text-13">
              <Delta percent={token.priceChange24h} />
            </span>
          )}
        </span>
        <button
          type="button"
          aria-expanded={open}
          aria-controls={restId}
          aria-label={`More about ${symbol}`}
          onClick={() => {
            setOpen(!open)
            openers.onIntent()
          }}
          className="flex justify-center text-ink-3 after:absolute after:inset-0"
        >
          <span className={`transition-transform duration-150 ${open ? 'rotate-180' : ''}`}>
            <Icon name="down" size={16} />
          </span>
        </button>
      </div>
      <div id={restId} hidden={!open} className="appear pb-4">
        <dl className="figures mb-3 grid grid-cols-3 gap-3 text-13">
          <Fact term="24h Volume">{unpriced ? <None /> : formatMoney(token.volume24h)}</Fact>
          <Fact term="Market Cap">{unpriced ? <None /> : formatMoney(token.fdmc)}</Fact>
          <Fact term="LP">{describeLock(token) ?? 'No lock'}</Fact>
        </dl>
        <CardActions token={token} openers={openers} />
      </div>
    </li>
  )
}

function Fact({ term, children }: { readonly term: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt className="text-12 text-ink-3">{term}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function CardActions({ token, openers }: { readonly token: WireToken; readonly openers: TokenOpeners }) {
  const button = `${outlinedControl} h-11! flex-1`
  return (
    <div className="flex gap-2">
      <button type="button" onClick={() => openers.onChart(token.address)} className={button}>
        <Icon name="chart" size={16} /> Chart
      </button>
      <button type="button" onClick={() => openers.onSwaps(token.address)} className={button}>
        <Icon name="swap" size={16} /> Swaps
      </button>
      <button type="button" onClick={() => void copyAddress(token.address)} className={button}>
        <Icon name="copy" size={16} /> Address
      </button>
    </div>
  )
}

/** A card that is still being read, with the geometry of {@link TokenCard}. */
export function TokenCardSkeleton() {
  return (
    <li className={cardLook}>
      <div className={lineLook}>
        <span className="skeleton size-10 rounded-full!" />
        <span className="flex flex-col gap-2">
          <Skeleton width={64} />
          <Skeleton width={104} height={10} />
        </span>
        <span className="flex flex-col items-end gap-2">
          <Skeleton width={72} />
          <Skeleton width={56} height={10} />
        </span>
      </div>
    </li>
  )
}
