import type { Receipt, WirePool } from '@chainboard/contract'
import { shortenAddress } from '@chainboard/core'
import { Fragment } from 'react'
import { Link } from 'wouter'
import { poolPath } from '../../lib/marketPaths.ts'
import { Icon } from '../../ui/Icon.tsx'
import { describeSteps, findUsdSymbol, type LeftOut, listLeftOut, type PoolText, type StepText } from './describeReceipt.ts'

type Props = { readonly receipt: Receipt; readonly pools: readonly WirePool[] }

/** How a price came about, from the token on the left to the dollar on the right: each price with the pools that made it. */
export function RouteDrawing({ receipt, pools }: Props) {
  const leftOut = listLeftOut(receipt, pools)
  return (
    <>
      <ol className="figures flex gap-3 max-desk:flex-col desk:items-stretch">
        {describeSteps(receipt).map((step, place) => (
          <Fragment key={`${step.symbol} ${receipt.steps[place]?.token}`}>
            <Step step={step} isFirst={place === 0} />
            <Arrow />
          </Fragment>
        ))}
        <Dollar usd={receipt.usd} symbol={findUsdSymbol(receipt)} />
      </ol>
      {leftOut.length > 0 && <LeftOutList pools={leftOut} />}
    </>
  )
}

function Step({ step, isFirst }: { readonly step: StepText; readonly isFirst: boolean }) {
  const { symbol, price, pools } = step
  return (
    <li className="min-w-0 flex-1 rounded-14 border border-line bg-surface-1 p-4">
      <p className="flex min-h-7.5 items-baseline justify-between gap-3">
        <bdi className="font-strong">{symbol}</bdi>
        <span className={isFirst ? 'text-20 font-strong tracking-tight' : 'text-16 font-strong'}>{price}</span>
      </p>
      <p className="pb-2 text-12 text-ink-2">
        {pools.length === 1 ? 'its pool’s price' : `the median of ${pools.length} pools, by weight`}
      </p>
      <ul>
        {pools.map((pool) => (
          <PoolLine key={pool.address} pool={pool} />
        ))}
      </ul>
    </li>
  )
}

function PoolLine({ pool }: { readonly pool: PoolText }) {
  return (
    <li className="border-line border-t py-2">
      <p className="flex items-baseline justify-between gap-3">
        <Link to={poolPath(pool.address)} className="min-w-0 truncate rounded-6 hover:underline touch:-my-2 touch:py-2">
          <bdi>{pool.pair}</bdi> <span className="text-12 text-ink-2">{pool.fee}</span>
        </Link>
        <span>{pool.says}</span>
      </p>
      <p className="flex items-center justify-between gap-3 text-12 text-ink-2">
        <span>{pool.depth} within 2%, each way</span>
        <span>{pool.weightPercent}% of the weight</span>
      </p>
      <p className="text-12 text-ink-2">{pool.age}</p>
      <span aria-hidden="true" className="mt-1 flex h-1 rounded-full bg-surface-2">
        <span
          style={{ width: `${pool.weightPercent}%` }}
          className={`h-1 rounded-full ${pool.isOnRoute ? 'bg-accent' : 'bg-ink-3'}`}
        />
      </span>
    </li>
  )
}

function Arrow() {
  return (
    <li aria-hidden="true" className="flex items-center justify-center text-ink-3">
      <span className="max-desk:rotate-90">
        <Icon name="right" size={18} />
      </span>
    </li>
  )
}

function Dollar({ usd, symbol }: { readonly usd: string | null; readonly symbol: string | undefined }) {
  return (
    <li className="flex flex-col items-center justify-center rounded-14 border border-line border-dashed px-5 py-4 text-center">
      <span className="text-20 font-strong">$1</span>
      {symbol && <bdi className="text-14 font-strong">{symbol}</bdi>}
      {usd && (
        <span title={usd} className="font-mono text-12 text-ink-2">
          {shortenAddress(usd)}
        </span>
      )}
      <span className="text-12 text-ink-2">counts as a dollar</span>
    </li>
  )
}

function LeftOutList({ pools }: { readonly pools: readonly LeftOut[] }) {
  return (
    <section aria-label="Pools that do not count" className="pt-4 text-13 text-ink-2">
      <h3 className="pb-1 font-strong">Not counted</h3>
      <ul>
        {pools.map(({ address, pair, fee, why }) => (
          <li key={address} className="flex flex-wrap items-baseline justify-between gap-x-4 border-line border-t py-2">
            <Link to={poolPath(address)} className="rounded-6 hover:underline touch:-my-2 touch:inline-block touch:py-2">
              <bdi>{pair}</bdi> <span className="text-12">{fee}</span>
            </Link>
            <span>{why}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
