import type { WireBalances, WireStake, WireToken } from '@chainboard/contract'
import { type UseQueryResult, useQueries, useQuery } from '@tanstack/react-query'
import { fetchJson } from '../../lib/fetchJson.ts'
import { balanceUrl, stakableUrl, stakeUrl } from '../../lib/portfolioUrls.ts'
import { readPatiently } from '../../lib/readPatiently.ts'
import type { Stake } from './valueWallet.ts'

const pollMs = 60_000
/** The server answers 300 balances a minute to one client, and the visitor may load the page again and have a second tab. */
const balancesPerMinuteMax = 25
/** The server answers 600 stakes a minute to one client. */
const stakesPerMinuteMax = 250
const retryDelayMs = 500

/** What a wallet has staked. A contract that failed counts in `failed`; what it answered before stays. */
export type WalletStakes = { readonly stakes: readonly Stake[]; readonly failed: number }

/** A query, and whether there is nothing more to wait for: an answer, or a first failure. */
export type Reading<T> = UseQueryResult<T> & { readonly settled: boolean }

function toReadings<T>(results: UseQueryResult<T>[]): Reading<T>[] {
  // Asking anew after nothing but failures is no reason to show a wait again.
  return results.map((result) => ({ ...result, settled: result.data !== undefined || result.errorUpdateCount > 0 }))
}

/** Minutes from one reading of so many wallets to the next. */
export function minutesBetweenBalances(walletCount: number): number {
  return Math.max(1, Math.ceil(walletCount / balancesPerMinuteMax))
}

/** The balances of each wallet, in the order given. */
export function useBalances(wallets: readonly string[]): Reading<WireBalances>[] {
  const refetchInterval = pollMs * minutesBetweenBalances(wallets.length)
  return useQueries({
    queries: wallets.map((address) => ({
      queryKey: ['portfolio', 'balance', address],
      queryFn: ({ signal }: { readonly signal: AbortSignal }): Promise<WireBalances> =>
        readPatiently(balanceUrl(address), signal),
      refetchInterval,
      retryDelay: retryDelayMs,
    })),
    combine: toReadings,
  })
}

/** The stakes of each wallet, in the order given; not asked for until `stakers` are known. */
export function useStakes(wallets: readonly string[], stakers: readonly Staker[] | undefined): Reading<WalletStakes>[] {
  const minutes = Math.ceil((wallets.length * (stakers?.length ?? 0)) / stakesPerMinuteMax)
  return useQueries({
    queries: wallets.map((address) => {
      const queryKey = ['portfolio', 'stakes', address]
      return {
        queryKey,
        queryFn: ({ signal, client }: { readonly signal: AbortSignal; readonly client: StakeCache }): Promise<WalletStakes> =>
          readStakes(address, stakers ?? [], { signal, before: client.getQueryData<WalletStakes>(queryKey) }),
        enabled: stakers !== undefined,
        refetchInterval: pollMs * Math.max(1, minutes),
        retryDelay: retryDelayMs,
      }
    }),
    combine: toReadings,
  })
}

type StakeCache = { readonly getQueryData: <T>(key: readonly unknown[]) => T | undefined }

type How = { readonly signal: AbortSignal; readonly before: WalletStakes | undefined }

/** One contract that does not answer takes nothing from the others. */
async function readStakes(wallet: string, stakers: readonly Staker[], { signal, before }: How): Promise<WalletStakes> {
  const readings = await Promise.allSettled(
    stakers.map(async ({ tokenAddress, contract }): Promise<Stake> => {
      const url = stakeUrl(contract, wallet, tokenAddress)
      const { totalAmount } = await readPatiently<WireStake>(url, signal)
      return { tokenAddress, contract, balance: totalAmount }
    }),
  )
  signal.throwIfAborted()
  const stakes = stakers.flatMap(({ tokenAddress, contract }, index) => {
    const reading = readings[index]
    const known = before?.stakes.find((stake) => stake.contract === contract && stake.tokenAddress === tokenAddress)
    return reading?.status === 'fulfilled' ? [reading.value] : known ? [known] : []
  })
  return { stakes, failed: readings.filter(({ status }) => status === 'rejected').length }
}

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
