import type { WireConfig } from '@chainboard/contract'
import { shortenAddress, toDisplayText } from '@chainboard/core'
import { native, type Position } from './valueWallet.ts'

export type Coin = WireConfig['chain']['nativeCurrency']

/** What a position is called, made harmless; a token that nobody lists is called by its address. */
export type PositionText = {
  readonly name: string
  /** Stands after the name, and is not cut with it. */
  readonly suffix: '' | ' (Staked)'
  readonly symbol: string
  readonly decimals: number
}

/** Names come from the list or the network file, decimals 18 where neither knows the token. */
export function describePosition({ tokenAddress, token, contract }: Position, coin: Coin): PositionText {
  const short = shortenAddress(tokenAddress)
  const { name, symbol, decimals } = tokenAddress === native ? coin : (token ?? { name: '', symbol: '', decimals: 18 })
  return {
    name: toDisplayText(name, short),
    suffix: contract === undefined ? '' : ' (Staked)',
    symbol: toDisplayText(symbol, short, 16),
    decimals,
  }
}
