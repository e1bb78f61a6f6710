import type { WireToken } from '@chainboard/contract'
import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import { fetchAnswer } from '../../lib/fetchJson.ts'
import { boostedUrl } from '../../lib/urls.ts'
import { tokenOptions } from './useToken.ts'

/** The boosted tokens that are shown, those with the most time left first, and how many there are. */
export type BoostedTokens = { readonly tokens: readonly WireToken[]; readonly total: number }

/** As many as the server gives at once: who paid last has the least time left, and wants to find the token all the same. */
const shownMax = 250
const pollMs = 5_000

async function readBoosted(signal: AbortSignal): Promise<BoostedTokens> {
  const { body, headers } = await fetchAnswer<readonly WireToken[]>(boostedUrl(shownMax), signal)
  const total = Number(headers.get('x-total-count') ?? body.length)
  return { tokens: body, total: Number.isSafeInteger(total) ? total : body.length }
}

/** How they are asked for. */
export function boostedOptions() {
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

/** The tokens whose boost still runs, by the time that is left, the longest first. */
export function listRunning(tokens: readonly WireToken[], nowSeconds: number): readonly WireToken[] {
  const endOf = ({ boostInfo }: WireToken) => (boostInfo?.isBoosted ? boostInfo.expirationTime : 0)
  return tokens.filter((token) => endOf(token) > nowSeconds).toSorted((a, b) => endOf(b) - endOf(a))
}

/**
 * Tokens with their newest figures and with the boosts of the list that they stand in: whether a token is boosted is asked there, and
 * elsewhere it is told as not boosted when nobody knows.
 */
export function withBoosts(newest: readonly WireToken[], listed: readonly WireToken[]): readonly WireToken[] {
  return newest.map((token, place) => {
    const { boostInfo } = listed[place] ?? {}
    return boostInfo ? { ...token, boostInfo } : token
  })
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
    // Not among the boosted tokens: those may be more than the server gives at once.
    const token = await client.fetchQuery({ ...tokenOptions(address), staleTime: 0 }).catch(() => undefined)
    if (token?.boostInfo && token.boostInfo.expirationTime >= expiresAt) {
      await Promise.all([boostedOptions().queryKey, ['live']].map((queryKey) => client.refetchQueries({ queryKey })))
      return true
    }
    await new Promise((resolve) => setTimeout(resolve, waitMs))
    waitMs = Math.min(waitMsMax, waitMs * 1.6)
  }
  return false
}
