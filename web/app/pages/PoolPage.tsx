import { toPageTitle } from '@chainboard/core'
import { Link } from 'wouter'
import { RequestError } from '../../lib/fetchJson.ts'
import { poolsPath } from '../../lib/marketPaths.ts'
import { useTitle } from '../../lib/useTitle.ts'
import { useConfig } from '../../slices/config/useConfig.ts'
import { toPair, toPoolName } from '../../slices/pools/describePool.ts'
import { PoolHead } from '../../slices/pools/PoolHead.tsx'
import { PoolSkeleton } from '../../slices/pools/PoolTable.tsx'
import { usePool } from '../../slices/pools/usePools.ts'
import { SwapFeed } from '../../slices/trades/SwapFeed.tsx'
import { outlinedControl } from '../../ui/buttonStyles.ts'
import { EmptyNote } from '../../ui/EmptyNote.tsx'
import { QueryView } from '../../ui/QueryView.tsx'
import { SearchButton } from '../SearchButton.tsx'

/** A pool with its swaps. */
export function PoolPage({ address }: { readonly address: string }) {
  const query = usePool(address)
  const config = useConfig()
  useTitle(config && query.data && toPageTitle(toPoolName(query.data, config), config.siteName))
  const isUnknown = query.error instanceof RequestError && (query.error.status === 404 || query.error.status === 400)
  return (
    <div className="flex min-h-[calc(100dvh-3.5rem)] flex-col pb-8">
      {isUnknown ? (
        <EmptyNote title="Pool not found" isPage>
          <p className="pb-4">No open pool of this exchange has the address in this link.</p>
          <Link to={poolsPath} className={outlinedControl}>
            Show all pools
          </Link>
        </EmptyNote>
      ) : (
        <QueryView
          query={query}
          isEmpty={() => false}
          failureText="Failed to load the pool"
          waiting={<PoolSkeleton rows={4} />}
          empty={() => null}
        >
          {(pool) => (
            <>
              <PoolHead pool={pool} config={config} actions={<SearchButton />} />
              <h2 className="text-16 font-strong">Swaps</h2>
              <SwapFeed token={toPair(pool, config).base.address} pool={pool.address} explorer={config?.explorer ?? null} />
            </>
          )}
        </QueryView>
      )}
    </div>
  )
}
