import type { WireChart } from '@chainboard/contract'
import type { ChartRange } from '@chainboard/core'
import { keepPreviousData, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { fetchJson } from '../../lib/fetchJson.ts'
import { chartUrl } from '../../lib/urls.ts'

export type ChartView = { readonly address: string; readonly range: ChartRange; readonly withCandles: boolean }

/** A chart with the range it was asked for, which may be the previous one while the next is under way. */
export type Chart = WireChart & { readonly range: ChartRange }

function chartOptions({ address, range, withCandles }: ChartView) {
  return queryOptions({
    queryKey: ['chart', address.toLowerCase(), range, withCandles],
    queryFn: async ({ signal }): Promise<Chart> => ({
      ...(await fetchJson<WireChart>(chartUrl(address, range, withCandles), signal)),
      range,
    }),
  })
}

/** Price history of one token; read anew whenever the chart opens or its range changes, then once a minute. */
export function useChart(view: ChartView) {
  return useQuery({ ...chartOptions(view), placeholderData: keepPreviousData, staleTime: 0 })
}

/** Fetches a range ahead of the click. */
export function usePrefetchChart(): (view: ChartView) => void {
  const client = useQueryClient()
  return (view) => void client.prefetchQuery(chartOptions(view))
}
