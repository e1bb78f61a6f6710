import type { WireConfig, WireToken } from '@chainboard/contract'
import { useQuery } from '@tanstack/react-query'
import { fetchJson } from '../../lib/fetchJson.ts'
import { trendingUrl } from '../../lib/urls.ts'
import { type ExampleFacts, pickTokens } from './apiExamples.ts'

const nobody = { address: '0x0000000000000000000000000000000000000000', symbol: 'WETH' }

/** Tokens of this site that are traded, so that every example has an answer. Addresses are of one length: nothing moves when they come. */
export function useExampleTokens(config: WireConfig | undefined): Pick<ExampleFacts, 'addresses' | 'symbol'> {
  const { data } = useQuery({
    queryKey: ['exampleTokens'],
    queryFn: ({ signal }): Promise<WireToken[]> => fetchJson(trendingUrl, signal),
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: false,
  })
  const usdc = config ? { address: config.usdc.address, symbol: 'USDC' } : nobody
  return pickTokens(data ?? [], [config?.wrappedNative ?? nobody, usdc])
}
