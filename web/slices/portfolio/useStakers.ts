import type { WireToken } from '@chainboard/contract'
import { useQuery } from '@tanstack/react-query'
import { fetchJson } from '../../lib/fetchJson.ts'
import { stakableUrl } from '../../lib/urls.ts'

/** A listed token and the contract it is staked in. */
export type Staker = { readonly tokenAddress: string; readonly contract: string }

const afterFailureMs = 30_000

/**
 * Which tokens can be staked. A wallet may have staked all it had of a token, so its balances do not tell which contracts to ask; the
 * list does. It is read once: the list changes when the server starts anew.
 */
export function useStakers() {
  return useQuery({
    queryKey: ['portfolio', 'stakers'],
    queryFn: async ({ signal }): Promise<readonly Staker[]> => {
      const tokens = await fetchJson<readonly WireToken[]>(stakableUrl, signal)
      return tokens.flatMap(({ address, stakingContract }) =>
        stakingContract ? [{ tokenAddress: address, contract: stakingContract }] : [],
      )
    },
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: (query) => (query.state.data ? false : afterFailureMs),
  })
}
