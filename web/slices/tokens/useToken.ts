import type { WireToken } from '@chainboard/contract'
import { isSameHex } from '@chainboard/core'
import { type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { fetchJson } from '../../lib/fetchJson.ts'
import { tokensUrl } from '../../lib/urls.ts'
import { type TokenPage, tokenPagesKey } from './useTokenPage.ts'

/** Where the strips and the featured grid keep their tokens. */
const stripKeys = [
  ['tokens', 'trending'],
  ['tokens', 'highlighted'],
  ['tokens', 'boosted'],
] as const

/** Where lists that the visitor made keep theirs. */
export const listedKey = ['tokens', 'listed'] as const

const addressShape = /^0x[0-9a-fA-F]{40}$/

/** The token of a list at an address, in whatever case that is written. */
export function findByAddress(tokens: readonly WireToken[], address: string): WireToken | undefined {
  return tokens.find((token) => isSameHex(token.address, address))
}

type Known = { readonly token: WireToken; readonly atMs: number }

/** The copy of a token that a list on the page has already brought, and when. */
export function findKnown(client: QueryClient, address: string): Known | undefined {
  const keys = [tokenPagesKey, listedKey].flatMap((queryKey) => client.getQueriesData({ queryKey }).map(([key]) => key))
  for (const key of [...keys, ...stripKeys]) {
    const state = client.getQueryState<TokenPage | readonly WireToken[]>(key)
    const token = state?.data && findByAddress('tokens' in state.data ? state.data.tokens : state.data, address)
    if (token) return { token, atMs: state.dataUpdatedAt }
  }
  return undefined
}

/** How one token is asked for by its address: `null` when nobody lists it. */
export function tokenOptions(address: string) {
  return queryOptions({
    queryKey: ['tokens', 'one', address.toLowerCase()],
    queryFn: async ({ signal }): Promise<WireToken | null> =>
      addressShape.test(address) ? (findByAddress(await fetchJson(tokensUrl([address]), signal), address) ?? null) : null,
  })
}

/** One token by address; `null` when nobody lists it. Begins with the copy of a list on the page, which a failure leaves standing. */
export function useToken(address: string) {
  const client = useQueryClient()
  return useQuery({
    ...tokenOptions(address),
    initialData: () => findKnown(client, address)?.token,
    initialDataUpdatedAt: () => findKnown(client, address)?.atMs,
  })
}
