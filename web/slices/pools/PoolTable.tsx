import type { WireConfig, WirePool } from '@chainboard/contract'
import { formatFeeTier, formatMoney, formatRelativeTime, noValue } from '@chainboard/core'
import { Link } from 'wouter'
import { poolPath } from '../../lib/marketPaths.ts'
import { usePhone } from '../../lib/useMediaQuery.ts'
import { useNow } from '../../lib/useNow.ts'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { DepthBars } from './DepthBars.tsx'
import { toPair, toShare, toSides, toSymbol } from './describePool.ts'

type Props = {
  readonly pools: readonly WirePool[]
  readonly config: WireConfig | undefined
  /** Address of the token that depth is seen from; absent: what each pool is named after. */
  readonly token?: string | undefined
  /** US dollars in all pools of the list, for the share of each; absent: no share is shown. */
  readonly liquidityUsd?: number | undefined
  readonly muted: boolean
}

const head = 'h-10 border-line border-b px-2 text-12 font-normal text-ink-3'

/** Pools in rows, or as cards on a phone. */
export function PoolTable(props: Props) {
  const phone = usePhone()
  return (
    <>
      {phone !== false && (
        <div className={phone ? '' : 'tablet:hidden'}>
          <Cards {...props} />
        </div>
      )}
      {!phone && (
        <div className={phone === undefined ? 'max-tablet:hidden' : ''}>
          <Rows {...props} />
        </div>
      )}
    </>
  )
}

function Rows({ pools, config, token, liquidityUsd, muted }: Props) {
  const nowSeconds = useNow()
  const usdMax = deepest(pools)
  return (
    <table className={`figures w-full border-collapse ${muted ? 'text-ink-3' : ''}`}>
      <caption className="sr-only">Pools</caption>
      <thead>
        <tr>
          <th scope="col" className={`${head} text-left`}>
            Pool
          </th>
          <th scope="col" className={`${head} text-right`}>
            Liquidity
          </th>
          {liquidityUsd !== undefined && (
            <th scope="col" className={`${head} text-right`}>
              Share
            </th>
          )}
          <th scope="col" title="US dollars of sales / purchases that move the price by 2%" className={`${head} text-center`}>
            Depth ±2%
          </th>
          <th scope="col" className={`${head} text-right`}>
            24h Volume
          </th>
          <th scope="col" title="Time since the first swap" className={`${head} text-right max-desk:hidden`}>
            Age
          </th>
          <th scope="col" className={`${head} text-right`}>
            Last swap
          </th>
        </tr>
      </thead>
      <tbody>
        {pools.map((pool) => (
          <tr key={pool.address} className="h-14 border-line border-b *:px-2 last:border-b-0 hover:bg-surface-2">
            <td>
              <PoolName pool={pool} config={config} />
            </td>
            <td className="text-right">
              <Usd usd={pool.liquidityUsd} />
            </td>
            {liquidityUsd !== undefined && (
              <td className="text-right text-ink-2">{toShare(pool.liquidityUsd, liquidityUsd) ?? <None />}</td>
            )}
            <td className="text-center">
              <DepthBars sides={toSides(pool, token ?? toPair(pool, config).base.address)} usdMax={usdMax} />
            </td>
            <td className="text-right">
              <Usd usd={pool.volume24h} />
            </td>
            <td className="text-right text-ink-2 max-desk:hidden">
              {pool.firstSwapAt === null ? 'Never' : formatRelativeTime(pool.firstSwapAt, nowSeconds).replace(' ago', '')}
            </td>
            <td className="text-right text-ink-2">
              {pool.lastSwapAt === null ? 'Never' : formatRelativeTime(pool.lastSwapAt, nowSeconds)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Cards({ pools, config, token, liquidityUsd, muted }: Props) {
  const usdMax = deepest(pools)
  return (
    <ul className={`figures ${muted ? 'text-ink-3' : ''}`}>
      {pools.map((pool) => (
        <li
          key={pool.address}
          className="grid grid-cols-2 items-center gap-x-3 gap-y-1 border-line border-b py-3 last:border-b-0"
        >
          <PoolName pool={pool} config={config} />
          <span className="text-right">
            <Usd usd={pool.liquidityUsd} />{' '}
            {liquidityUsd !== undefined && <span className="text-12 text-ink-2">{toShare(pool.liquidityUsd, liquidityUsd)}</span>}
          </span>
          <span className="text-13 text-ink-2">
            Vol <Usd usd={pool.volume24h} />
          </span>
          <span className="text-right">
            <DepthBars sides={toSides(pool, token ?? toPair(pool, config).base.address)} usdMax={usdMax} />
          </span>
        </li>
      ))}
    </ul>
  )
}

function deepest(pools: readonly WirePool[]): number {
  return Math.max(0, ...pools.flatMap(({ depth }) => (depth ? [depth.upUsd, depth.downUsd] : [])))
}

function PoolName({ pool, config }: { readonly pool: WirePool } & Pick<Props, 'config'>) {
  const { base, quote } = toPair(pool, config)
  return (
    <Link
      to={poolPath(pool.address)}
      className="inline-flex min-w-0 max-w-full items-center gap-2 rounded-6 font-strong hover:underline touch:-my-2 touch:py-2"
    >
      <span className="truncate">
        <bdi>{toSymbol(base)}</bdi>/<bdi>{toSymbol(quote)}</bdi>
      </span>
      <span className="rounded-6 bg-surface-2 px-1.5 py-0.5 text-12 font-normal text-ink-2">{formatFeeTier(pool.fee)}</span>
    </Link>
  )
}

function Usd({ usd }: { readonly usd: number | null }) {
  return usd === null ? <None /> : formatMoney(usd)
}

function None() {
  return <span className="text-ink-3">{noValue}</span>
}

/** Pools that are still being read. @param props.rows how many are expected */
export function PoolSkeleton({ rows = 3 }: { readonly rows?: number }) {
  return (
    <div role="status">
      <span className="sr-only">Loading the pools</span>
      {Array.from({ length: rows }, (_, row) => row).map((row) => (
        <div key={row} className="flex h-14 items-center justify-between border-line border-b px-2">
          <Skeleton width={120} />
          <Skeleton width={72} />
          <Skeleton width={96} />
        </div>
      ))}
    </div>
  )
}
