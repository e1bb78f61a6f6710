import type { WireFeed } from '@chainboard/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { fetchJson } from '../../lib/fetchJson.ts'
import { type FeedQuery, feedUrl } from '../../lib/marketUrls.ts'

const liveMs = 5_000

/** A page of swaps; the newest one is asked for again every five seconds while it is live. */
export function useFeed(query: FeedQuery, live: boolean) {
  return useQuery({
    queryKey: ['feed', query],
    queryFn: ({ signal }) => fetchJson<WireFeed>(feedUrl(query), signal),
    placeholderData: keepPreviousData,
    staleTime: 0,
    refetchInterval: live ? liveMs : false,
  })
}
