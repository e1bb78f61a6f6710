import type { WireConfig } from '@chainboard/contract'
import { EmptyNote } from '../../ui/EmptyNote.tsx'
import { QueryView } from '../../ui/QueryView.tsx'
import { toSides } from './describePool.ts'
import { PoolSkeleton, PoolTable } from './PoolTable.tsx'
import { largestPools, usePools } from './usePools.ts'

/** Liquidity and depth of a token over its largest pools, in US dollars, and its first trade in them; undefined while they are not known. */
export function useTokenLiquidity(token: string) {
  const { data } = usePools(largestPools(token))
  if (!data) return undefined
  const sides = data.pools.flatMap((pool) => toSides(pool, token) ?? [])
  const firstSwaps = data.pools.flatMap(({ firstSwapAt }) => firstSwapAt ?? [])
  return {
    /** Unix seconds; undefined before the first. */
    firstSwapAt: firstSwaps.length === 0 ? undefined : Math.min(...firstSwaps),
    liquidityUsd: data.liquidityUsd,
    sellUsd: sides.reduce((sum, { sellUsd }) => sum + sellUsd, 0),
    buyUsd: sides.reduce((sum, { buyUsd }) => sum + buyUsd, 0),
  }
}

/** The pools of a token, the largest first. */
export function TokenPools({ token, config }: { readonly token: string; readonly config: WireConfig | undefined }) {
  const query = usePools(largestPools(token))
  return (
    <QueryView
      query={query}
      isEmpty={({ pools }) => pools.length === 0}
      failureText="Failed to load the pools"
      waiting={<PoolSkeleton />}
      empty={() => <EmptyNote title="No pools">No open pool of the exchange has this token.</EmptyNote>}
    >
      {({ pools, total, liquidityUsd }) => (
        <>
          <PoolTable pools={pools} config={config} token={token} liquidityUsd={liquidityUsd} muted={query.isError} />
          {total > pools.length && (
            <p className="py-4 text-13 text-ink-2">
              The {pools.length} largest of {total.toLocaleString('en-US')} pools.
            </p>
          )}
        </>
      )}
    </QueryView>
  )
}
