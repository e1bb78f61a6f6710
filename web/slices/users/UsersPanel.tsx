import type { WireDashboard } from '@chainboard/contract'
import { useState } from 'react'
import { toQueryState } from '../../lib/queryState.ts'
import { outlinedControl } from '../../ui/buttonStyles.ts'
import { StaleNote } from '../../ui/StaleNote.tsx'
import { FavoriteRanking } from './FavoriteRanking.tsx'
import { RegistrationBars } from './RegistrationBars.tsx'
import { RegistrationGrid } from './RegistrationGrid.tsx'
import { UserFigures } from './UserFigures.tsx'
import { useDashboard } from './useDashboard.ts'

/** How many people use this site, and how. */
export function UsersPanel() {
  const query = useDashboard()
  const [refreshing, setRefreshing] = useState(false)
  const refresh = async () => {
    setRefreshing(true)
    await query.refetch()
    setRefreshing(false)
  }
  const state = toQueryState(query, () => false)
  // Asking anew after a failure is no reason to take its words away.
  const failed = state.kind === 'failed' || (state.kind === 'waiting' && query.errorUpdateCount > 0)
  const failedSinceMs = state.kind === 'ready' ? state.failedSinceMs : undefined
  return (
    <>
      <header className="flex items-center justify-between gap-4 pt-8 pb-4">
        <div>
          <h1 className="text-20 font-strong tracking-tight">Users</h1>
          <p className="text-13 text-ink-2">Anonymous totals, by UTC day.</p>
        </div>
        <button
          type="button"
          onClick={() => void refresh()}
          disabled={refreshing}
          className={`${outlinedControl} min-w-30 shrink-0 disabled:opacity-50 touch:h-11`}
        >
          {refreshing ? 'Refreshing…' : 'Refresh Data'}
        </button>
      </header>
      {failedSinceMs !== undefined && (
        <StaleNote sinceMs={failedSinceMs} busy={query.isFetching} onRetry={() => void refresh()} />
      )}
      {failed ? (
        <DashboardFailure busy={query.isFetching} onRetry={() => void refresh()} />
      ) : (
        <Dashboard data={state.kind === 'waiting' ? undefined : state.data} />
      )}
    </>
  )
}

function Dashboard({ data }: { readonly data: WireDashboard | undefined }) {
  return (
    <div aria-busy={!data}>
      {!data && (
        <p role="status" className="sr-only">
          Loading the statistics
        </p>
      )}
      <UserFigures data={data} />
      <div className="grid gap-x-12 gap-y-10 pt-8 desk:grid-cols-[minmax(0,7fr)_minmax(0,5fr)]">
        <div>
          <RegistrationBars days={data?.userRegistrationChart} />
        </div>
        <div className="flex flex-col desk:row-span-2">
          <FavoriteRanking favorites={data?.mostFavoritedTokens} />
        </div>
        <div>
          <RegistrationGrid days={data?.userRegistrationChart} />
        </div>
      </div>
    </div>
  )
}

function DashboardFailure({ busy, onRetry }: { readonly busy: boolean; readonly onRetry: () => void }) {
  return (
    <div role="alert" className="flex min-h-80 flex-col items-center justify-center gap-2 border-line border-y px-6 text-center">
      <h2 className="text-16 font-strong">Error Loading Dashboard</h2>
      <p className="text-14 text-down">Failed to load dashboard statistics</p>
      <button type="button" onClick={onRetry} disabled={busy} className={`${outlinedControl} mt-3 min-w-28 touch:h-11`}>
        {busy ? 'Trying…' : 'Try Again'}
      </button>
    </div>
  )
}
