import type { WirePrice, WireToken } from '@chainboard/contract'

/** A price as a stream tells it: nobody changes its lists. */
export type StreamedPrice = Omit<WirePrice, 'priceReasons' | 'warnings'> & {
  readonly priceReasons: readonly string[]
  readonly warnings: readonly Readonly<WirePrice['warnings'][number]>[]
}

/** A token with a newer price. What a price does not say stays: supply, links, changes over other spans than a day. Pure. */
export function patchToken(token: WireToken, price: StreamedPrice): WireToken {
  const { usdPrice, change24h, asOf, marketCap, block: _, stale: __, name: ___, symbol: ____, address: _____, ...same } = price
  return {
    ...token,
    ...same,
    priceReasons: [...price.priceReasons],
    warnings: price.warnings.map((warning) => ({ ...warning })),
    priceInUsd: usdPrice,
    priceChange24h: change24h,
    priceAsOf: asOf,
    marketCap,
    // The list may have another supply in circulation than in all: then this figure waits for the poll.
    fdmc: token.fdmc === token.marketCap ? marketCap : token.fdmc,
  }
}
