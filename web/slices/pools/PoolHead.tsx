import type { WireConfig, WirePool } from '@chainboard/contract'
import { formatFeeTier, formatMoney, formatPrice, formatRelativeTime, noValue, shortenAddress } from '@chainboard/core'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { copyAddress } from '../../lib/copyAddress.ts'
import { poolsPath } from '../../lib/marketPaths.ts'
import { fillTemplate, tokenPagePath } from '../../lib/urls.ts'
import { useNow } from '../../lib/useNow.ts'
import { BackLink } from '../../ui/BackLink.tsx'
import { filledControl } from '../../ui/buttonStyles.ts'
import { Icon } from '../../ui/Icon.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { toPair, toSides, toSymbol } from './describePool.ts'

type Props = {
  readonly pool: WirePool
  readonly config: WireConfig | undefined
  /** What a visitor can do besides opening the pool on the exchange. */
  readonly actions: ReactNode
}

/** Which pool the page is about, and its figures. */
export function PoolHead({ pool, config, actions }: Props) {
  const url = config && fillTemplate(config.dex.poolUrl, pool.address)
  const { base, quote } = toPair(pool, config)
  return (
    <>
      <header className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 pt-4">
        <div className="flex min-w-0 items-center gap-2">
          <BackLink to={poolsPath} label="All pools" />
          <div className="min-w-0">
            <h1 className="flex flex-wrap items-center gap-2 text-20 font-strong tracking-tight">
              <span>
                <SideName side={base} />/<SideName side={quote} />
              </span>
              <span className="rounded-6 bg-surface-2 px-1.5 py-0.5 text-12 font-normal text-ink-2">
                {formatFeeTier(pool.fee)}
              </span>
            </h1>
            <p className="flex items-center text-13 text-ink-2">
              <span title={pool.address} className="font-mono text-12">
                {shortenAddress(pool.address)}
              </span>
              <IconButton
                icon="copy"
                iconSize={14}
                label="Copy address of the pool"
                onClick={() => void copyAddress(pool.address)}
                className="size-7!"
              />
            </p>
          </div>
        </div>
        <div className="flex items-center gap-2 max-tablet:w-full">
          {actions}
          {config && url && (
            <a
              href={url}
              target="_blank"
              rel="noopener noreferrer"
              className={`${filledControl} h-9! touch:h-11! max-tablet:flex-1`}
            >
              View Pool
              <Icon name="out" size={14} />
            </a>
          )}
        </div>
      </header>
      <PoolFigures pool={pool} config={config} />
    </>
  )
}

/** A listed token leads to its page. */
function SideName({ side }: { readonly side: WirePool['token0'] }) {
  const symbol = <bdi>{toSymbol(side)}</bdi>
  if (!side.listed) return <span title="This site does not list this token">{symbol}</span>
  return (
    <Link to={tokenPagePath(side.address)} className="rounded-6 hover:underline">
      {symbol}
    </Link>
  )
}

function PoolFigures({ pool, config }: Pick<Props, 'pool' | 'config'>) {
  const nowSeconds = useNow()
  const { base, quote, price } = toPair(pool, config)
  const [baseSymbol, quoteSymbol] = [toSymbol(base), toSymbol(quote)]
  const sides = toSides(pool, base.address)
  const money = (usd: number | null | undefined) => (usd === null || usd === undefined ? <None /> : formatMoney(usd))
  return (
    <dl className="figures my-4 grid grid-cols-2 gap-x-6 gap-y-4 border-line border-y py-4 tablet:grid-cols-4">
      <Figure term="Price">
        {price === null ? <None /> : `${formatPrice(price)} ${quoteSymbol}`}
        {price !== null && price > 0 && (
          <small>
            1 {quoteSymbol} = {formatPrice(1 / price)} {baseSymbol}
          </small>
        )}
      </Figure>
      <Figure term="Liquidity">
        {money(pool.liquidityUsd)}
        <small>
          {formatHeld(base.amount)} {baseSymbol}, {formatHeld(quote.amount)} {quoteSymbol}
        </small>
      </Figure>
      <Figure term="24h Volume">{money(pool.volume24h)}</Figure>
      <Figure term="Last swap">
        {pool.lastSwapAt === null ? 'Never' : formatRelativeTime(pool.lastSwapAt, nowSeconds)}
        {pool.firstSwapAt !== null && <small>first {formatRelativeTime(pool.firstSwapAt, nowSeconds)}</small>}
      </Figure>
      <Figure term={`Buy ${baseSymbol} up to +2%`}>{money(sides?.buyUsd)}</Figure>
      <Figure term={`Sell ${baseSymbol} down to -2%`}>{money(sides?.sellUsd)}</Figure>
      <Figure term={`${baseSymbol} price`}>{base.usdPrice === null ? <None /> : `$${formatPrice(base.usdPrice)}`}</Figure>
      <Figure term={`${quoteSymbol} price`}>{quote.usdPrice === null ? <None /> : `$${formatPrice(quote.usdPrice)}`}</Figure>
    </dl>
  )
}

function formatHeld(amount: number | null): string {
  return amount === null ? noValue : formatMoney(amount).replace('$', '')
}

function Figure({ term, children }: { readonly term: string; readonly children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="truncate text-12 text-ink-2">{term}</dt>
      <dd className="text-16 wrap-anywhere [&_small]:block [&_small]:text-12 [&_small]:text-ink-2">{children}</dd>
    </div>
  )
}

function None() {
  return <span className="text-ink-3">{noValue}</span>
}
