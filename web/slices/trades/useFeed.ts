import type { WireFeed } from '@chainboard/contract'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { fetchJson } from '../../lib/fetchJson.ts'
import { type FeedQuery, feedUrl } from '../../lib/marketUrls.ts'

const liveMs = 5_000

/** How a page of swaps is asked for. */
export function feedOptions(query: FeedQuery) {
  return queryOptions({
    queryKey: ['feed', query],
    queryFn: ({ signal }) => fetchJson<WireFeed>(feedUrl(query), signal),
    staleTime: 0,
  })
}

/** A page of swaps; the newest one is asked for again every five seconds while it is live. */
export function useFeed(query: FeedQuery, live: boolean) {
  return useQuery({
    ...feedOptions(query),
    placeholderData: keepPreviousData,
    refetchInterval: live ? liveMs : false,
  })
}
