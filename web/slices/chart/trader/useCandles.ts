import type { WireCandles } from '@chainboard/contract'
import { type CandleInterval, candleIntervals } from '@chainboard/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { fetchJson } from '../../../lib/fetchJson.ts'
import { candlesUrl } from '../../../lib/marketUrls.ts'
import { addNewer, addOlder, type Candles } from './candles.ts'

const fastPollMs = 15_000
const slowPollMs = 60_000
const fastSeconds = 900

/** A token's candles: the newest page, read again and again, and those before it as they are asked for. */
export function useCandles(address: string | undefined, interval: CandleInterval) {
  const client = useQueryClient()
  const queryKey = ['candles', address?.toLowerCase(), interval]
  const query = useQuery({
    queryKey,
    queryFn: async ({ signal }): Promise<Candles> => {
      const page = await fetchJson<WireCandles>(candlesUrl(address ?? '', { interval }), signal)
      return addNewer(client.getQueryData(queryKey), page)
    },
    enabled: address !== undefined,
    staleTime: 0,
    refetchInterval: candleIntervals[interval].seconds <= fastSeconds ? fastPollMs : slowPollMs,
  })
  const older = useMutation({
    mutationFn: async (before: number) => {
      const page = await fetchJson<WireCandles>(candlesUrl(address ?? '', { interval, before }))
      client.setQueryData<Candles>(queryKey, (known) => known && addOlder(known, page))
    },
  })
  const before = query.data?.isFull ? null : query.data?.nextBefore
  return {
    query,
    /** Whether the page before is being read, or could not be. */
    older: older.isPending ? ('loading' as const) : older.isError ? ('failed' as const) : ('idle' as const),
    /** Reads the page before, unless it is under way or there is none. */
    loadOlder: () => {
      if (typeof before === 'number' && !older.isPending) older.mutate(before)
    },
  }
}
