import type { WireToken } from '@chainboard/contract'
import { useQuery } from '@tanstack/react-query'
import { fetchJson } from '../../lib/fetchJson.ts'
import { tokenPageUrl, tokensUrl } from '../../lib/urls.ts'

const foundMax = 6
const none: readonly WireToken[] = []
const addressShape = /^0x[0-9a-fA-F]{40}$/

/** Tokens by name, symbol or address; without a search those at the addresses in `recent`, in their order. */
export function useFoundTokens(search: string, recent: readonly string[]) {
  const asked = search === '' ? recent : addressShape.test(search) ? [search] : undefined
  const url = asked ? tokensUrl(asked) : tokenPageUrl({ search, sort: 'fdmcDesc', page: 1, pageSize: foundMax, filter: {} })
  const { data = none, isError } = useQuery({
    queryKey: ['palette', url],
    queryFn: ({ signal }): Promise<readonly WireToken[]> => fetchJson(url, signal),
    enabled: asked === undefined || asked.length > 0,
    placeholderData: (before) => (search === '' ? undefined : before),
    refetchInterval: false,
  })
  return { tokens: asked?.length === 0 ? none : data, failed: isError }
}
