import type { WireToken } from '@chainboard/contract'
import { useQuery } from '@tanstack/react-query'
import { fetchJson, withCacheBuster } from '../../lib/fetchJson.ts'
import { priceUrl } from '../../lib/priceApiUrls.ts'
import { trendingUrl } from '../../lib/urls.ts'

/** What the price API of this server answered, as it came. */
export type LiveAnswer = { readonly path: string; readonly status: number; readonly ms: number; readonly body: unknown }

const timeoutMs = 15_000

/** One real call, for the token that is traded most. It counts as any visitor's does, so it is asked once. */
export function useLiveAnswer() {
  return useQuery({
    queryKey: ['liveAnswer'],
    queryFn: async ({ signal }): Promise<LiveAnswer | null> => {
      const [token] = await fetchJson<WireToken[]>(trendingUrl, signal)
      return token ? askOnce(priceUrl(token.address), signal) : null
    },
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: false,
  })
}

/** Refusals are answers, too. @throws Error when nothing comes, or what is no JSON */
async function askOnce(path: string, signal: AbortSignal): Promise<LiveAnswer> {
  const start = performance.now()
  const answer = await fetch(withCacheBuster(path, Date.now().toString(36)), {
    signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
  })
  const body: unknown = await answer.json()
  return { path, status: answer.status, ms: Math.max(1, Math.round(performance.now() - start)), body }
}
