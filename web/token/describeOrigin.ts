import type { WireToken } from '@chainboard/contract'
import { formatRelativeTime, isSameHex, toDisplayText } from '@chainboard/core'

/** Where a price comes from, in words a visitor can check. */
export type Origin = {
  /** `Pools on this chain` */
  readonly source: string
  /** `4s ago · 98% confidence` */
  readonly quality: string
  /** What weakens the price, in the server's words. */
  readonly reasons: readonly string[]
}

const labelCharsMax = 60
const reasonsMax = 4
const reasonCharsMax = 160

/** The server's reasons as lines of text: a list or a contract may have put its own words into them. */
export function listReasons(token: WireToken): string[] {
  const texts = token.priceReasons.slice(0, reasonsMax).map((reason) => toDisplayText(reason, '', reasonCharsMax))
  return [...new Set(texts)].filter((text) => text !== '')
}

/** `undefined` for a token without a price. `usdcAddress` is the coin that the chain's prices are counted in. */
export function describeOrigin(token: WireToken, usdcAddress: string | undefined, nowSeconds: number): Origin | undefined {
  const { priceSource, priceSourceLabel, priceAsOf, confidence } = token
  if (token.priceStatus === 'unpriced' || priceSource === null) return undefined
  const countsAsDollar = priceSource === 'index' && isSameHex(token.address, usdcAddress)
  const age = priceAsOf === null ? [] : [formatRelativeTime(priceAsOf, nowSeconds)]
  return {
    source: countsAsDollar
      ? 'Counted as one US dollar'
      : toDisplayText(priceSourceLabel ?? priceSource, 'Unknown', labelCharsMax),
    quality: [...age, `${Math.round(confidence * 100)}% confidence`].join(' · '),
    reasons: listReasons(token),
  }
}
