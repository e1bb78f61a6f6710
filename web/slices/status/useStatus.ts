import type { WireStatus } from '@chainboard/contract'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { fetchAnswer } from '../../lib/fetchJson.ts'
import { statusUrl } from '../../lib/urls.ts'

export type StatusReport = {
  readonly status: WireStatus
  /** Seconds this device's clock is ahead of the server's. */
  readonly clockSkewSeconds: number
}

async function readStatus(signal: AbortSignal): Promise<StatusReport> {
  const { body, headers } = await fetchAnswer<WireStatus>(statusUrl, signal)
  const serverMs = Date.parse(headers.get('date') ?? '')
  return { status: body, clockSkewSeconds: Number.isNaN(serverMs) ? 0 : Math.round((Date.now() - serverMs) / 1000) }
}

/** How it is asked for. */
export const statusOptions = queryOptions({
  queryKey: ['status'],
  queryFn: ({ signal }): Promise<StatusReport> => readStatus(signal),
  staleTime: 0,
  refetchInterval: 5_000,
})

/** How fresh the data behind the page is, every 5 seconds. `failing`: the last call failed, or none has ever come to an end. */
export function useStatus() {
  const { data, isError, dataUpdatedAt, failureCount, errorUpdateCount } = useQuery(statusOptions)
  // Asking again after nothing but failures is no sign of life.
  const failing = isError || (data === undefined && failureCount + errorUpdateCount > 0)
  return { data, dataUpdatedAt, failing }
}
