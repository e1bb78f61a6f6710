import type { WirePool } from '@chainboard/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { fetchAnswer, fetchJson } from '../../lib/fetchJson.ts'
import { type PoolsQuery, poolsUrl, poolUrl } from '../../lib/marketUrls.ts'

const pollMs = 15_000

export type PoolPage = {
  readonly pools: readonly WirePool[]
  readonly total: number
  /** US dollars in all that match. */
  readonly liquidityUsd: number
}

/** A page of pools, asked for again every 15 seconds. */
export function usePools(query: PoolsQuery) {
  return useQuery({
    queryKey: ['pools', query],
    queryFn: async ({ signal }): Promise<PoolPage> => {
      const { body, headers } = await fetchAnswer<readonly WirePool[]>(poolsUrl(query), signal)
      const total = Number(headers.get('x-total-count') ?? body.length)
      return { pools: body, total, liquidityUsd: Number(headers.get('x-total-liquidity') ?? 0) }
    },
    placeholderData: keepPreviousData,
    refetchInterval: pollMs,
  })
}

/** One pool. */
export function usePool(address: string) {
  return useQuery({
    queryKey: ['pool', address.toLowerCase()],
    queryFn: ({ signal }) => fetchJson<WirePool>(poolUrl(address), signal),
    refetchInterval: pollMs,
  })
}
