import type { WireToken } from '@chainboard/contract'

/** The tokens whose boost still runs, by the time that is left, the longest first. */
export function listRunning(tokens: readonly WireToken[], nowSeconds: number): readonly WireToken[] {
  const endOf = ({ boostInfo }: WireToken) => (boostInfo?.isBoosted ? boostInfo.expirationTime : 0)
  return tokens.filter((token) => endOf(token) > nowSeconds).toSorted((a, b) => endOf(b) - endOf(a))
}

/**
 * Tokens with their newest figures and with the boosts of the list that they stand in: whether a token is boosted is asked there, and
 * elsewhere it is told as not boosted when nobody knows.
 */
export function withBoosts(newest: readonly WireToken[], listed: readonly WireToken[]): readonly WireToken[] {
  return newest.map((token, place) => {
    const { boostInfo } = listed[place] ?? {}
    return boostInfo ? { ...token, boostInfo } : token
  })
}
