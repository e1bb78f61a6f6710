import type { WireFeatured, WireToken } from '@chainboard/contract'
import { isSameHex } from '@chainboard/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { adminUrls } from '../../lib/adminUrls.ts'
import { fetchJson } from '../../lib/fetchJson.ts'
import { tokenPageUrl, tokensUrl } from '../../lib/urls.ts'
import type { AdminSession } from './adminSession.ts'
import { callAdmin } from './callAdmin.ts'

export type FeaturedTokens = WireFeatured & { readonly shown: readonly WireToken[] }

/** Tokens as the home page would feature them. */
export type FeaturedPreview = (tokens: readonly WireToken[]) => ReactNode

/** What the site features, in order, with each token as the page shows it. */
export function useFeaturedTokens(session: AdminSession) {
  return useQuery({
    queryKey: ['admin', session.id, 'featured'],
    queryFn: async ({ signal }): Promise<FeaturedTokens> => {
      const { featured } = await callAdmin<{ featured: WireFeatured }>(session, adminUrls.featured)
      const { tokens } = featured
      const found = tokens.length === 0 ? [] : await fetchJson<readonly WireToken[]>(tokensUrl(tokens), signal)
      const shown = tokens.flatMap((address) => found.find((token) => isSameHex(token.address, address)) ?? [])
      return { ...featured, shown }
    },
    staleTime: 0,
  })
}

const foundMax = 5

/** Listed tokens that a text finds; nothing is asked without one. */
export function useFoundTokens(search: string) {
  const text = search.trim()
  return useQuery({
    queryKey: ['admin', 'found', text],
    queryFn: ({ signal }) =>
      fetchJson<readonly WireToken[]>(
        tokenPageUrl({ search: text, sort: 'volumeDesc', page: 1, pageSize: foundMax, filter: {} }),
        signal,
      ),
    enabled: text !== '',
  })
}
