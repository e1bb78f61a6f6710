import type { WireToken, WireTrendingToken } from '@chainboard/contract'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { fetchJson } from '../../lib/fetchJson.ts'
import { highlightedUrl, trendingUrl } from '../../lib/urls.ts'
import { useBoosted } from './useBoosted.ts'

const staleMs = 5 * 60_000
const afterFailureMs = 60_000
/** Longer than this the rest of the page does not wait to know its place. */
const holdMsMax = 2_000

/** Which tokens and in what order is asked for every five minutes; their figures move with liveTokens.ts. */
function toListOptions<T extends WireToken>(key: 'trending' | 'highlighted', url: string) {
  return queryOptions({
    queryKey: ['tokens', key],
    queryFn: ({ signal }): Promise<readonly T[]> => fetchJson(url, signal),
    staleTime: staleMs,
    refetchInterval: (query): number => (query.state.status === 'error' ? afterFailureMs : staleMs),
  })
}

/** How the two lists are asked for. */
export const trendingOptions = toListOptions<WireTrendingToken>('trending', trendingUrl)
export const featuredOptions = toListOptions<WireToken>('highlighted', highlightedUrl)

/** The tokens with the highest organic volume of the last 24 hours, highest first; fewer than five when fewer have any. */
export function useTrending() {
  return useQuery(trendingOptions)
}

/** The tokens the operator features, in the operator's order. */
export function useFeatured() {
  return useQuery(featuredOptions)
}

type Settled = { readonly trending: boolean; readonly featured: boolean; readonly boosted: boolean; readonly tooLong: boolean }

/**
 * Whether the room of each list is known, so that what stands under it can be shown and will not move: its tokens are there,
 * or asking for them failed once, or it takes too long: then nothing else is waited for either. `boosts` says whether this chain has
 * any, and is undefined until that is known.
 */
export function useListsSettled(boosts: boolean | undefined): Settled {
  const [tooLong, setTooLong] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setTooLong(true), holdMsMax)
    return () => clearTimeout(timer)
  }, [])
  const isSettled = ({ data, failureCount }: Pick<ReturnType<typeof useFeatured>, 'failureCount'> & { readonly data: unknown }) =>
    tooLong || data !== undefined || failureCount > 0
  const boosted = isSettled(useBoosted(boosts))
  return {
    trending: isSettled(useTrending()),
    featured: isSettled(useFeatured()),
    boosted: boosts === false || (boosts === undefined ? tooLong : boosted),
    tooLong,
  }
}
