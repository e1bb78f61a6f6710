import type { Address } from '@chainboard/core'
import { offChain, type Quote } from '../market/source.ts'
import { type TokenMarket, toFigures } from '../market/tokenMarket.ts'

/** The market of a token of which nothing is known but its place by market cap; the address is made of it. No figure has to be named here. */
export function bareMarket(symbol: string, rank: number): TokenMarket {
  const address: Address = `0x${rank.toString(16).padStart(40, '0')}`
  return {
    ...toFigures({ supply: undefined, quote: undefined, onChain: undefined, volume24hUsdE18: undefined }),
    token: { id: address, address, symbol, name: symbol, decimals: 18, logo: '', category: '', verified: true },
    ...{ quote: undefined, reasons: [], freshSecondsMax: 0, displayPool: undefined, supply: undefined, warnings: [], rank },
    volume24hUsdE18: undefined,
  }
}

/** A quote of which nothing is known but the price and the confidence. @param usdE18 US dollars per whole token x 10^18 */
export function bareQuote(usdE18: bigint, confidence = 1): Quote {
  return {
    ...{ ...offChain, source: 'index', usdE18, confidence, reasons: [], observedAtSeconds: 0 },
    ...{ dayAgoUsdE18: undefined, weekAgoUsdE18: undefined, volume24hUsdE18: undefined },
    ...{ fdmcUsdE18: undefined, marketCapUsdE18: undefined },
  }
}
