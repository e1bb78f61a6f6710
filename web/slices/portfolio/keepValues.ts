import type { Holding } from '@chainboard/core'
import { type FindToken, type Stake, valueWallet, type WalletValue } from './valueWallet.ts'

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
