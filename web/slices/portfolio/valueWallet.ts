import type { WireToken } from '@chainboard/contract'
import { type Holding, numberToE18, type Valued, valueHoldings } from '@chainboard/core'

/** Stands in place of the coin's address. */
export const native = 'native'

/** What a wallet has of one token, or has staked of it. */
export type Position = Valued<Holding> & {
  /** The contract it is staked in; undefined for what is in the wallet itself. */
  readonly contract: string | undefined
  /** The token of the list; of the coin it is the wrapped one, whose price it has. Undefined for one nobody lists. */
  readonly token: WireToken | undefined
}

/** One wallet in US dollars x 10^18. Positions are ordered by value, those without a price last. */
export type WalletValue = {
  readonly tokens: readonly Position[]
  readonly stakes: readonly Position[]
  readonly liquidE18: bigint
  readonly stakedE18: bigint
  readonly totalE18: bigint
}

export type Stake = Holding & { readonly contract: string }

/** The token that tells the price of a holding; undefined for what is not listed. */
export type FindToken = (tokenAddress: string) => WireToken | undefined

/** Values what a wallet holds and has staked, by the prices that `findToken` knows. Pure. */
export function valueWallet(holdings: readonly Holding[], stakes: readonly Stake[], findToken: FindToken): WalletValue {
  const usdE18Of = (tokenAddress: string) => readPrice(findToken(tokenAddress))
  const liquid = valueHoldings(
    holdings.map((holding) => ({ ...holding, contract: undefined })),
    usdE18Of,
  )
  const staked = valueHoldings(
    stakes.filter(({ balance }) => /[1-9]/.test(balance)),
    usdE18Of,
  )
  const toPositions = (valued: readonly Omit<Position, 'token'>[]) =>
    valued.map((each) => ({ ...each, token: findToken(each.tokenAddress) })).sort(byValue)
  return {
    tokens: toPositions(liquid.holdings),
    stakes: toPositions(staked.holdings),
    liquidE18: liquid.totalUsdE18,
    stakedE18: staked.totalUsdE18,
    totalE18: liquid.totalUsdE18 + staked.totalUsdE18,
  }
}

/** US dollars per whole token x 10^18; a stale price still counts. */
export function readPrice(token: WireToken | undefined): bigint | undefined {
  return token && token.priceStatus !== 'unpriced' ? numberToE18(token.priceInUsd) : undefined
}

function byValue({ usdE18: a = -1n }: Position, { usdE18: b = -1n }: Position): number {
  return a === b ? 0 : a > b ? -1 : 1
}

export type Totals = Pick<WalletValue, 'liquidE18' | 'stakedE18' | 'totalE18'>

/** The sum of several wallets; zeros of none. */
export function addTotals(wallets: readonly Totals[]): Totals {
  const sum = (key: keyof Totals) => wallets.reduce((total, wallet) => total + wallet[key], 0n)
  return { liquidE18: sum('liquidE18'), stakedE18: sum('stakedE18'), totalE18: sum('totalE18') }
}

type Kept = {
  readonly holdings: readonly Holding[]
  readonly stakes: readonly Stake[]
  readonly find: FindToken
  readonly value: WalletValue
}

/** Values wallets, each anew only when what goes into it is another object: an answer about one of fifty leaves the others alone. */
export function keepValues() {
  const kept = new Map<string, Kept>()
  return (address: string, holdings: readonly Holding[], stakes: readonly Stake[], find: FindToken): WalletValue => {
    const known = kept.get(address)
    if (known && known.holdings === holdings && known.stakes === stakes && known.find === find) return known.value
    const value = valueWallet(holdings, stakes, find)
    kept.set(address, { holdings, stakes, find, value })
    return value
  }
}
