import type { WireWindows } from '@chainboard/contract'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { fetchJson } from '../../lib/fetchJson.ts'
import { windowsUrl } from '../../lib/marketUrls.ts'

const pollMs = 15_000

/** How a token's figures over spans of time are asked for. */
export function windowsOptions(address: string) {
  return queryOptions({
    queryKey: ['windows', address.toLowerCase()],
    queryFn: ({ signal }) => fetchJson<WireWindows>(windowsUrl(address), signal),
    refetchInterval: pollMs,
  })
}

/** A token's figures over spans of time, every 15 seconds. */
export function useWindows(address: string) {
  return useQuery(windowsOptions(address))
}
