import type { WirePrice, WireToken } from '@chainboard/contract'

/** A token with a newer price. What a price does not say stays: supply, links, changes over other spans than a day. Pure. */
export function patchToken(token: WireToken, price: WirePrice): WireToken {
  const { usdPrice, change24h, asOf, marketCap, block: _, stale: __, name: ___, symbol: ____, address: _____, ...same } = price
  return {
    ...token,
    ...same,
    priceInUsd: usdPrice,
    priceChange24h: change24h,
    priceAsOf: asOf,
    marketCap,
    // The list may have another supply in circulation than in all: then this figure waits for the poll.
    fdmc: token.fdmc === token.marketCap ? marketCap : token.fdmc,
  }
}
