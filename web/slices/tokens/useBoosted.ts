import type { WireToken } from '@chainboard/core'
import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import { fetchAnswer } from '../../lib/fetchJson.ts'
import { boostedUrl } from '../../lib/urls.ts'
import { findByAddress } from './useToken.ts'

/** The boosted tokens that are shown, those with the most time left first, and how many there are. */
export type BoostedTokens = { readonly tokens: readonly WireToken[]; readonly total: number }

/** More cards than anybody scrolls through. */
const shownMax = 50
const pollMs = 5_000

async function readBoosted(signal: AbortSignal): Promise<BoostedTokens> {
  const { body, headers } = await fetchAnswer<readonly WireToken[]>(boostedUrl(shownMax), signal)
  const total = Number(headers.get('x-total-count') ?? body.length)
  return { tokens: body, total: Number.isSafeInteger(total) ? total : body.length }
}

function boostedOptions() {
  return queryOptions({
    queryKey: ['tokens', 'boosted'],
    queryFn: ({ signal }): Promise<BoostedTokens> => readBoosted(signal),
    refetchInterval: pollMs,
  })
}

/** Which tokens are boosted, every five seconds; their figures move with liveTokens.ts. `offered` is undefined until it is known: they are asked for at once. */
export function useBoosted(offered: boolean | undefined) {
  return useQuery({ ...boostedOptions(), enabled: offered !== false })
}

const triesMax = 12
const firstWaitMs = 200
const waitMsMax = 3_000

/**
 * Asks the server until it knows of a boost that was just mined, and shows it wherever the token is on screen.
 * @param expiresAt unix seconds until which the chain says that the token is boosted
 * @returns false when it does not come to know of it within about half a minute
 */
export async function refreshBoosted(client: QueryClient, address: string, expiresAt: number): Promise<boolean> {
  let waitMs = firstWaitMs
  for (let tries = 0; tries < triesMax; tries += 1) {
    const known = await client.fetchQuery({ ...boostedOptions(), staleTime: 0 }).catch(() => undefined)
    const token = known && findByAddress(known.tokens, address)
    if (token?.boostInfo && token.boostInfo.expirationTime >= expiresAt) {
      await client.refetchQueries({ queryKey: ['live'] })
      return true
    }
    await new Promise((resolve) => setTimeout(resolve, waitMs))
    waitMs = Math.min(waitMsMax, waitMs * 1.6)
  }
  return false
}
