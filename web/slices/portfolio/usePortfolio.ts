import type { WireBalances, WireConfig } from '@chainboard/contract'
import { useMemo, useState } from 'react'
import { type TokensByAddress, useHeldTokens } from './useHeldTokens.ts'
import { type Reading, useBalances, useStakers, useStakes, type WalletStakes } from './useWalletReadings.ts'
import { addTotals, type FindToken, keepValues, native, type Totals, type WalletValue } from './valueWallet.ts'

/** One wallet as it is shown. A wallet that could not be read is empty, and says so. */
export type WalletView = {
  readonly address: string
  readonly waiting: boolean
  readonly value: WalletValue
  /** The block the balances are of; undefined when they were never read. */
  readonly block: number | undefined
  /** Unix ms of the last balances, while newer ones cannot be read. */
  readonly oldSinceMs: number | undefined
  readonly stakesFailed: boolean
  /** Its balances are being asked for, in the background too. */
  readonly busy: boolean
  readonly retry: () => void
}

export type PortfolioView = {
  readonly wallets: readonly WalletView[]
  readonly totals: Totals
  /** Some wallet is being read for the first time. */
  readonly waiting: boolean
  /** Prices are not followed at the moment. */
  readonly pricesFailed: boolean
  /** Reads everything anew; `false` when some balance could not be read. Other gaps are named where they are. */
  readonly refresh: () => Promise<boolean>
}

/** The same object each time, so that nothing looks changed. */
const none: readonly never[] = []

/** What all wallets of a user hold and have staked, in US dollars. Follows the chain and the prices. */
export function usePortfolio(addresses: readonly string[], config: WireConfig | undefined): PortfolioView {
  const balances = useBalances(addresses)
  const stakers = useStakers()
  const stakes = useStakes(addresses, stakers.data)
  const held = useHeldTokens(config ? listTokens(balances, stakes, config) : [])
  const stakersFailed = stakers.data === undefined && stakers.errorUpdateCount > 0
  const find = useMemo(() => createFind(held.data, config), [held.data, config])
  const [toValue] = useState(keepValues)

  const wallets = addresses.flatMap((address, index): WalletView | [] => {
    const balance = balances[index]
    const staked = stakes[index]
    if (!balance || !staked) return []
    const holdings = balance.data?.tokens ?? none
    const ownStakes = staked.data?.stakes ?? none
    const isNamed = [...holdings, ...ownStakes].every(({ tokenAddress }) => find(tokenAddress) !== undefined)
    const tokensSettled = isNamed || (!held.isPlaceholderData && (held.data !== undefined || held.errorUpdateCount > 0))
    return {
      address,
      waiting: !config || !balance.settled || !(staked.settled || stakersFailed) || !tokensSettled,
      value: toValue(address, holdings, ownStakes, find),
      block: balance.data?.block,
      oldSinceMs: balance.data && balance.isError ? balance.dataUpdatedAt : undefined,
      stakesFailed: stakersFailed || (staked.data?.failed ?? 0) > 0,
      busy: balance.isFetching || staked.isFetching,
      retry: () => void Promise.all([balance.refetch(), stakers.data ? staked.refetch() : stakers.refetch()]),
    }
  })

  return {
    wallets,
    totals: addTotals(wallets.map(({ value }) => value)),
    waiting: wallets.some(({ waiting }) => waiting),
    pricesFailed: held.isError,
    async refresh() {
      const [balancesAgain] = await Promise.all([
        Promise.all(balances.map((balance) => balance.refetch())),
        // Without the list of contracts there are no stakes to ask for; with it they are asked for by themselves.
        stakers.data ? Promise.all(stakes.map((staked) => staked.refetch())) : stakers.refetch(),
        held.isEnabled ? held.refetch() : undefined,
      ])
      return !balancesAgain.some(({ isError }) => isError)
    },
  }
}

function listTokens(balances: Reading<WireBalances>[], stakes: Reading<WalletStakes>[], config: WireConfig): string[] {
  const holdings = balances.flatMap(({ data }) => data?.tokens ?? [])
  const all = [...holdings, ...stakes.flatMap(({ data }) => data?.stakes ?? [])].map(({ tokenAddress }) => tokenAddress)
  return all.length === 0 ? [] : [config.wrappedNative.address, ...all.filter((address) => address !== native)]
}

/** The coin is found as the wrapped one. */
function createFind(tokens: TokensByAddress | undefined, config: WireConfig | undefined): FindToken {
  if (!config) return () => undefined
  return (address) => tokens?.get((address === native ? config.wrappedNative.address : address).toLowerCase())
}
