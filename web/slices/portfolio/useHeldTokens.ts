import type { WireToken } from '@chainboard/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { fetchJson } from '../../lib/fetchJson.ts'
import { tokensUrl } from '../../lib/urls.ts'

/** What the server answers for at once. */
const addressesMax = 100
const pollMs = 15_000

/** By address in lower case. */
export type TokensByAddress = ReadonlyMap<string, WireToken>

/** What tokens are called and what they cost, followed as prices move. Those nobody lists are not in the answer. */
export function useHeldTokens(addresses: readonly string[]) {
  const ids = [...new Set(addresses.map((address) => address.toLowerCase()))].sort()
  const calls = Math.ceil(ids.length / addressesMax)
  return useQuery({
    queryKey: ['portfolio', 'tokens', ids],
    queryFn: async ({ signal }): Promise<TokensByAddress> => {
      const starts = Array.from({ length: calls }, (_, call) => call * addressesMax)
      const answers = await Promise.all(
        starts.map((start) => fetchJson<readonly WireToken[]>(tokensUrl(ids.slice(start, start + addressesMax)), signal)),
      )
      return new Map(answers.flat().map((token) => [token.address.toLowerCase(), token]))
    },
    enabled: ids.length > 0,
    placeholderData: keepPreviousData,
    staleTime: pollMs / 2,
    refetchInterval: pollMs * Math.max(1, calls),
  })
}
