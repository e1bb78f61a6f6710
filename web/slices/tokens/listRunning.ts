import type { WireToken } from '@chainboard/core'

/** The tokens whose boost still runs, by the time that is left, the longest first. */
export function listRunning(tokens: readonly WireToken[], nowSeconds: number): readonly WireToken[] {
  const endOf = ({ boostInfo }: WireToken) => (boostInfo?.isBoosted ? boostInfo.expirationTime : 0)
  return tokens.filter((token) => endOf(token) > nowSeconds).toSorted((a, b) => endOf(b) - endOf(a))
}
