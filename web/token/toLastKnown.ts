import type { WireToken } from '@chainboard/contract'

/** A token while the server is silent: its price is as old as it is, and is shown like every other old price. */
export function toLastKnown(token: WireToken): WireToken {
  return token.priceStatus === 'priced' ? { ...token, priceStatus: 'stale' } : token
}
