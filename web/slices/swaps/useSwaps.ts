import type { WireSwap } from '@chainboard/contract'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { fetchJson } from '../../lib/fetchJson.ts'
import { swapsUrl } from '../../lib/urls.ts'

const swapsMax = 20
const pollMs = 15_000

function swapsOptions(address: string) {
  return queryOptions({
    queryKey: ['swaps', address.toLowerCase()],
    queryFn: ({ signal }): Promise<readonly WireSwap[]> => fetchJson(swapsUrl(address, swapsMax), signal),
  })
}

/** The last swaps of a token, newest first; read anew whenever the list opens, then every 15 seconds. */
export function useSwaps(address: string) {
  return useQuery({ ...swapsOptions(address), staleTime: 0, refetchInterval: pollMs })
}

/** Unix seconds of the last answer with swaps, without asking for one; `undefined` before there is any. */
export function useSwapsReadAt(address: string): number | undefined {
  const { dataUpdatedAt } = useQuery({ ...swapsOptions(address), enabled: false })
  return dataUpdatedAt === 0 ? undefined : dataUpdatedAt / 1000
}
