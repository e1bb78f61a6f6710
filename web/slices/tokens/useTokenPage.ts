import type { WireToken } from '@chainboard/contract'
import { type TokenSort, tokenPageSize, tokenSorts } from '@chainboard/core'
import { keepPreviousData, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { fetchAnswer } from '../../lib/fetchJson.ts'
import { toSearchText } from '../../lib/searchText.ts'
import { type FilterQuery, homePath, tokenPageUrl } from '../../lib/urls.ts'
import type { TableLook } from './tableLook.ts'

export type TokenView = {
  readonly search: string
  readonly sort: TokenSort
  readonly page: number
  readonly filter: FilterQuery
}
/** What was found for `view`. */
export type TokenPage = { readonly view: TokenView; readonly tokens: readonly WireToken[]; readonly total: number }

/** Where pages of the table are kept. */
export const tokenPagesKey = ['tokens', 'page'] as const

async function readTokenPage(view: TokenView, signal: AbortSignal): Promise<TokenPage> {
  const { body, headers } = await fetchAnswer<readonly WireToken[]>(tokenPageUrl({ ...view, pageSize: tokenPageSize }), signal)
  const total = Number(headers.get('x-total-count') ?? body.length)
  return { view, tokens: body, total: Number.isSafeInteger(total) ? total : body.length }
}

/** How a page of the table is asked for. */
export function tokenPageOptions(view: TokenView) {
  return queryOptions({
    queryKey: [...tokenPagesKey, view],
    queryFn: ({ signal }): Promise<TokenPage> => readTokenPage(view, signal),
  })
}

/** The home page's address of a page of the table. */
export function tokenPageHref({ search, sort, page, filter }: TokenView, look: TableLook): string {
  const query = { q: search, sort: sort === tokenSorts[0] ? '' : sort, page: page > 1 ? String(page) : '', ...filter, ...look }
  return `${homePath}${toSearchText(query)}`
}

/** One page of the table; its figures move with liveTokens.ts. The page before stays until the next one is there. */
export function useTokenPage(view: TokenView) {
  return useQuery({ ...tokenPageOptions(view), placeholderData: keepPreviousData })
}

/** Fetches a page ahead of the click. */
export function usePrefetchTokenPage(): (view: TokenView) => void {
  const client = useQueryClient()
  return (view) => void client.prefetchQuery(tokenPageOptions(view))
}
