import type { WireToken } from '@chainboard/contract'
import { tokenSorts } from '@chainboard/core'
import { useQuery } from '@tanstack/react-query'
import { fetchJson } from '../../lib/fetchJson.ts'
import { tokenPageUrl } from '../../lib/urls.ts'

/** As many as one answer may have: a symbol that more tokens have is nobody's. */
const candidatesMax = 250

/** The tokens that have a symbol, in whatever case it is written; the largest first. */
export function useTokensBySymbol(symbol: string, enabled: boolean) {
  return useQuery({
    queryKey: ['tokens', 'symbol', symbol.toLowerCase()],
    enabled,
    queryFn: async ({ signal }): Promise<readonly WireToken[]> => {
      const url = tokenPageUrl({ search: symbol.slice(0, 64), sort: tokenSorts[0], page: 1, pageSize: candidatesMax, filter: {} })
      return pickBySymbol(await fetchJson<readonly WireToken[]>(url, signal), symbol)
    },
  })
}

/** Of what a search for a symbol found, those that are called that, and not only like it. */
export function pickBySymbol(tokens: readonly WireToken[], symbol: string): WireToken[] {
  const wanted = symbol.trim().toLowerCase()
  return tokens.filter((token) => token.symbol.trim().toLowerCase() === wanted)
}
