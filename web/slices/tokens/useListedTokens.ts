import type { WireToken } from '@chainboard/contract'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { fetchJson } from '../../lib/fetchJson.ts'
import { tokensUrl } from '../../lib/urls.ts'
import { findByAddress, findKnown, listedKey } from './useToken.ts'

/** As many as the server answers for at once. */
const addressesMax = 100

async function readTokens(addresses: readonly string[], signal: AbortSignal): Promise<readonly WireToken[]> {
  const starts = Array.from({ length: Math.ceil(addresses.length / addressesMax) }, (_, index) => index * addressesMax)
  const parts = starts.map((start) =>
    fetchJson<readonly WireToken[]>(tokensUrl(addresses.slice(start, start + addressesMax)), signal),
  )
  return (await Promise.all(parts)).flat()
}

/**
 * The tokens at some addresses. `find` answers `null` for one that nobody lists, and `undefined` for one that is not known
 * yet; a copy that another list on the page has brought will do until then.
 */
export function useListedTokens(addresses: readonly string[]) {
  const client = useQueryClient()
  const query = useQuery({
    queryKey: [...listedKey, addresses],
    queryFn: ({ signal }): Promise<readonly WireToken[]> => readTokens(addresses, signal),
    placeholderData: keepPreviousData,
  })
  const find = (address: string): WireToken | null | undefined => {
    const found = query.data && findByAddress(query.data, address)
    if (found) return found
    return query.data && !query.isPlaceholderData ? null : findKnown(client, address)?.token
  }
  return { query, find }
}
