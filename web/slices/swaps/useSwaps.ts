import type { WireSwap } from '@chainboard/core'
import { useQuery } from '@tanstack/react-query'
import { fetchJson } from '../../lib/fetchJson.ts'
import { swapsUrl } from '../../lib/urls.ts'

const swapsMax = 20

/** The last swaps of a token, newest first; read anew whenever the list opens, then every 10 seconds. */
export function useSwaps(address: string) {
  return useQuery({
    queryKey: ['swaps', address.toLowerCase()],
    queryFn: ({ signal }): Promise<readonly WireSwap[]> => fetchJson(swapsUrl(address, swapsMax), signal),
    refetchOnMount: 'always',
    refetchInterval: 10_000,
  })
}
