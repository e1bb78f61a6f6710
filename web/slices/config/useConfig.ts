import type { WireConfig } from '@chainboard/contract'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { applyBrand } from '../../lib/brand.ts'
import { fetchJson } from '../../lib/fetchJson.ts'
import { configUrl } from '../../lib/urls.ts'

/** Colours are set before anything is drawn with them, so a chart never starts in the wrong accent. */
async function readConfig(signal: AbortSignal): Promise<WireConfig> {
  const config = await fetchJson<WireConfig>(configUrl, signal)
  // At the server there is nothing yet to put them into.
  if (typeof document !== 'undefined') applyBrand(config.brand)
  return config
}

/** How it is asked for. */
export const configOptions = queryOptions({
  queryKey: ['config'],
  queryFn: ({ signal }): Promise<WireConfig> => readConfig(signal),
  staleTime: Number.POSITIVE_INFINITY,
  // Asked for again only while it has not come.
  refetchInterval: (query): number | false => (query.state.data ? false : 10_000),
})

/** What this installation is: its name, chain, DEX and links. Changes only when the server starts anew; `undefined` until it is there. */
export function useConfig(): WireConfig | undefined {
  return useQuery(configOptions).data
}
