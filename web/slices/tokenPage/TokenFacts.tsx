import type { WireToken } from '@chainboard/contract'
import { daySeconds, formatAmount, formatDate, formatMoney, noValue } from '@chainboard/core'
import type { ReactNode } from 'react'
import { safeUrl } from '../../lib/safeUrl.ts'
import { useNow } from '../../lib/useNow.ts'
import { describeLock } from '../../token/LockMark.tsx'

/** From here on all of the volume counts as looked at. */
const coverageWhole = 0.99
/** Beyond it digits say nothing. */
const exactSupplyMax = 1e6

type Props = {
  readonly token: WireToken
  /** What its pools say; undefined where that is not known. */
  readonly pools: Pools | undefined
}

type Pools = {
  readonly liquidityUsd: number
  readonly sellUsd: number
  readonly buyUsd: number
  /** Unix seconds; undefined before the first trade. */
  readonly firstSwapAt: number | undefined
}

/** The figures of a token beside its chart: term and value, one under the other. */
export function TokenFacts({ token, pools }: Props) {
  const unpriced = token.priceStatus === 'unpriced'
  const money = (usd: number | null) => (unpriced || usd === null ? <None /> : formatMoney(usd))
  const { organicVolume24h: organic, organicCoverage: coverage, supply } = token
  return (
    <dl className={`figures text-14 ${token.priceStatus === 'stale' ? 'text-ink-3' : ''}`}>
      <Fact term="Market Cap">{money(token.marketCap)}</Fact>
      <Fact term="FDMC" title="Fully diluted market cap: price × supply">
        {money(token.fdmc)}
      </Fact>
      <Fact term="Supply">{supply > 0 ? formatSupply(supply) : <None />}</Fact>
      <Fact term="24h Volume">{money(token.volume24h)}</Fact>
      {organic !== null && !unpriced && (
        <Fact term="Organic 24h Volume" title="Without self-trading: only net buys and sells that paid fees to others">
          {formatMoney(organic)}
          {coverage < coverageWhole && <span className="text-12 text-ink-2"> {Math.floor(coverage * 100)}% checked</span>}
        </Fact>
      )}
      <Fact term="Liquidity" title="Value of the tokens in all of its pools">
        {pools ? formatMoney(pools.liquidityUsd) : <None />}
      </Fact>
      <Fact term="Depth -2% / +2%" title="US dollars of sales / purchases that move the price by 2% in all of its pools">
        {pools ? (
          <>
            <span className="text-down">{formatMoney(pools.sellUsd)}</span>
            <span className="text-ink-3"> / </span>
            <span className="text-up">{formatMoney(pools.buyUsd)}</span>
          </>
        ) : (
          <None />
        )}
      </Fact>
      <Fact term="First trade" title="The oldest swap that this site knows in its largest pools">
        {pools?.firstSwapAt === undefined ? <None /> : <Since seconds={pools.firstSwapAt} />}
      </Fact>
      <Fact term="Rank" title="Place by market cap">
        {unpriced ? <None /> : `#${token.rank}`}
      </Fact>
      <LockFact token={token} />
    </dl>
  )
}

/** A day, and how long ago that is. */
function Since({ seconds }: { readonly seconds: number }) {
  const days = Math.floor(Math.max(0, useNow() - seconds) / daySeconds)
  return (
    <>
      {formatDate(seconds)}{' '}
      <span className="text-12 text-ink-2">{days === 1 ? '1 day' : `${days.toLocaleString('en-US')} days`}</span>
    </>
  )
}

function formatSupply(supply: number): string {
  return supply < exactSupplyMax ? formatAmount(supply) : formatMoney(supply).replace('$', '')
}

type FactProps = { readonly term: string; readonly title?: string; readonly children: ReactNode }

function Fact({ term, title, children }: FactProps) {
  return (
    <div className="flex min-h-9 items-center justify-between gap-4 border-line border-b py-1.5 last:border-b-0">
      <dt title={title} className="text-13 text-ink-2">
        {term}
      </dt>
      <dd className="min-w-0 text-right">{children}</dd>
    </div>
  )
}

function LockFact({ token }: { readonly token: WireToken }) {
  const text = describeLock(token)
  const url = safeUrl(token.lockUrl)
  return (
    <Fact term="Lock">
      <span className={text === 'Unlocked' ? 'text-warn' : text ? '' : 'text-ink-3'}>{text ?? 'None known'}</span>
      {text && url && (
        <a
          href={url}
          target="_blank"
          rel="noopener noreferrer"
          className="ml-2 inline-block rounded-6 py-1 text-13 text-ink-2 underline underline-offset-4 hover:text-ink"
        >
          View Lock
        </a>
      )}
    </Fact>
  )
}

function None() {
  return <span className="text-ink-3">{noValue}</span>
}
