import type { WireToken } from '@chainboard/contract'
import { shortenAddress, toDisplayText } from '@chainboard/core'

/** A token's name and symbol made harmless; the address stands in for what is empty. */
export function toTokenText(token: WireToken): { readonly name: string; readonly symbol: string } {
  const address = shortenAddress(token.address)
  return { name: toDisplayText(token.name, address), symbol: toDisplayText(token.symbol, address, 16) }
}
