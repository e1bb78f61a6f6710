import type { Receipt, WirePool } from '@chainboard/contract'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { fetchJson } from '../../lib/fetchJson.ts'
import { poolsUrl } from '../../lib/marketUrls.ts'
import { receiptUrl } from '../../lib/urls.ts'

const poolsMax = 50

/** How a receipt is asked for. */
export function receiptOptions(address: string) {
  return queryOptions({
    queryKey: ['receipt', address.toLowerCase()],
    queryFn: ({ signal }) => fetchJson<Receipt>(receiptUrl(address), signal),
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: false,
  })
}

/** What a price was made of at one block. It does not change under the reader: a newer one is asked for by a press. */
export function useReceipt(address: string) {
  return useQuery(receiptOptions(address))
}

/** How the pools beside a receipt are asked for. */
export function poolsBesideOptions(token: string) {
  return queryOptions({
    queryKey: ['pools', 'receipt', token.toLowerCase()],
    queryFn: ({ signal }) => fetchJson<readonly WirePool[]>(poolsUrl({ token, page: 1, pageSize: poolsMax }), signal),
    staleTime: Number.POSITIVE_INFINITY,
  })
}

/** The largest pools of a token, counted or not. */
export function usePoolsBeside(token: string) {
  return useQuery(poolsBesideOptions(token))
}
