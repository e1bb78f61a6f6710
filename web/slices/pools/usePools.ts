import type { WirePool } from '@chainboard/contract'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { fetchAnswer, fetchJson } from '../../lib/fetchJson.ts'
import { type PoolsQuery, poolsUrl, poolUrl } from '../../lib/marketUrls.ts'

const pollMs = 15_000

export type PoolPage = {
  readonly pools: readonly WirePool[]
  readonly total: number
  /** US dollars in all that match. */
  readonly liquidityUsd: number
}

/** How a page of pools is asked for. */
export function poolsOptions(query: PoolsQuery) {
  return queryOptions({
    queryKey: ['pools', query],
    queryFn: async ({ signal }): Promise<PoolPage> => {
      const { body, headers } = await fetchAnswer<readonly WirePool[]>(poolsUrl(query), signal)
      const total = Number(headers.get('x-total-count') ?? body.length)
      return { pools: body, total, liquidityUsd: Number(headers.get('x-total-liquidity') ?? 0) }
    },
  })
}

/** A page of pools, asked for again every 15 seconds. */
export function usePools(query: PoolsQuery) {
  return useQuery({ ...poolsOptions(query), placeholderData: keepPreviousData, refetchInterval: pollMs })
}

/** The largest pools of a token, as many as its page shows. */
export const largestPools = (token: string): PoolsQuery => ({ token, page: 1, pageSize: 50 })

/** How one pool is asked for. */
export function poolOptions(address: string) {
  return queryOptions({
    queryKey: ['pool', address.toLowerCase()],
    queryFn: ({ signal }) => fetchJson<WirePool>(poolUrl(address), signal),
    refetchInterval: pollMs,
  })
}

/** One pool. */
export function usePool(address: string) {
  return useQuery(poolOptions(address))
}
