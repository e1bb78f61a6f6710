import type { WireConfig, WireFeed } from '@chainboard/contract'
import { formatDate } from '@chainboard/core'
import { useState } from 'react'
import { Link, useSearchParams } from 'wouter'
import { formatMoment } from '../../lib/formatMoment.ts'
import { useHydrated } from '../../lib/hydration.tsx'
import { feedFileUrl } from '../../lib/marketUrls.ts'
import { dimAfterMs, useLasting } from '../../lib/useLasting.ts'
import { outlinedControl } from '../../ui/buttonStyles.ts'
import { EmptyNote } from '../../ui/EmptyNote.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { QueryView } from '../../ui/QueryView.tsx'
import { FeedFilters } from './FeedFilters.tsx'
import { type FeedOf, type FeedView, readFeedView, toFeedFilter, toFeedQuery, writeFeedView } from './feedView.ts'
import { TradeSkeleton, TradeTable } from './TradeTable.tsx'
import { useFeed } from './useFeed.ts'

type Props = FeedOf & { readonly explorer: WireConfig['explorer'] }

/** Swaps as far back as the index goes, with filters that are in the page's address. */
export function SwapFeed({ token, pool, wallet, explorer }: Props) {
  const [search, setSearch] = useSearchParams()
  const [live, setLive] = useState(true)
  const view = readFeedView(search)
  const setView = (change: Partial<FeedView>) => setSearch(writeFeedView(search, change))
  const of = { token, pool, wallet }
  const filter = toFeedFilter(of, view)
  const isFiltered = Object.keys(filter).length > Object.values(of).filter(Boolean).length
  const isNewest = view.before === undefined
  const query = useFeed(toFeedQuery(of, view), live && isNewest)
  const dimmed = useLasting(query.isPlaceholderData, dimAfterMs)
  return (
    <div className="flex flex-1 flex-col">
      <FeedFilters
        view={view}
        onView={setView}
        hasSides={token !== undefined}
        withoutWallet={wallet !== undefined}
        live={live}
        onLive={setLive}
        fileUrl={feedFileUrl(filter)}
      />
      <QueryView
        query={query}
        isEmpty={({ swaps, next }) => swaps.length === 0 && next === null}
        failureText="Failed to load swap data"
        waiting={<TradeSkeleton token={token} ofPool={pool !== undefined} ofWallet={wallet !== undefined} />}
        empty={({ since }) => <Nothing since={since} isFiltered={isFiltered} />}
      >
        {(feed) => (
          <div className={dimmed ? 'opacity-60' : ''}>
            {feed.swaps.length > 0 && (
              <TradeTable
                swaps={feed.swaps}
                token={token}
                explorer={explorer}
                muted={query.isError}
                ofPool={pool !== undefined}
                ofWallet={wallet !== undefined}
              />
            )}
            <Foot feed={feed} isNewest={isNewest} hrefOf={(before) => `?${writeFeedView(search, { before })}`} />
          </div>
        )}
      </QueryView>
    </div>
  )
}

function Nothing({ since, isFiltered }: { readonly since: number | null; readonly isFiltered: boolean }) {
  return (
    <EmptyNote title="No swaps found">
      {isFiltered ? 'No swap matches these filters.' : 'Swaps appear here seconds after they are mined.'}
      {since !== null && ` Swaps are kept since ${formatDate(since)}.`}
    </EmptyNote>
  )
}

type FootProps = { readonly feed: WireFeed; readonly isNewest: boolean; readonly hrefOf: (before: string | undefined) => string }

/** How far the list reaches, and the way to older and to the newest swaps. */
function Foot({ feed: { swaps, next, searchedUntil, since }, isNewest, hrefOf }: FootProps) {
  const inUtc = !useHydrated()
  return (
    <footer className="flex min-h-11 flex-wrap items-center justify-between gap-x-4 gap-y-2 py-4 text-13 text-ink-2">
      <p aria-live="polite" className="figures">
        {swaps.length === 1 ? '1 swap' : `${swaps.length} swaps`}
        {searchedUntil !== null && `, searched back to ${formatMoment(searchedUntil, 'short', inUtc)}`}
        {next === null && since !== null && `. Swaps are kept since ${formatDate(since)}`}
      </p>
      <span className="flex gap-2">
        {!isNewest && (
          <Link to={hrefOf(undefined)} className={`${outlinedControl} touch:h-11`}>
            Newest
          </Link>
        )}
        {next !== null && (
          <Link to={hrefOf(next)} className={`${outlinedControl} touch:h-11`}>
            {searchedUntil === null ? 'Older swaps' : 'Search further back'}
            <Icon name="right" size={14} />
          </Link>
        )}
      </span>
    </footer>
  )
}
