import type { WireToken } from '@chainboard/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { fetchJson } from '../../lib/fetchJson.ts'
import { tokensUrl } from '../../lib/urls.ts'
import { type TokenPage, tokenPagesKey } from './useTokenPage.ts'

const addressShape = /^0x[0-9a-fA-F]{40}$/

function findByAddress(tokens: readonly WireToken[], address: string): WireToken | undefined {
  return tokens.find((token) => token.address.toLowerCase() === address.toLowerCase())
}

/** One token by address; `null` when nobody lists it. Shows the table's copy until its own answer is there. */
export function useToken(address: string) {
  const client = useQueryClient()
  return useQuery({
    queryKey: ['tokens', 'one', address.toLowerCase()],
    queryFn: async ({ signal }): Promise<WireToken | null> =>
      addressShape.test(address) ? (findByAddress(await fetchJson(tokensUrl([address]), signal), address) ?? null) : null,
    placeholderData: (): WireToken | undefined => {
      const pages = client.getQueriesData<TokenPage>({ queryKey: tokenPagesKey })
      return pages.flatMap(([, page]) => findByAddress(page?.tokens ?? [], address) ?? []).at(0)
    },
  })
}
