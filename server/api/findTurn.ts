import type { TokenMarket } from '../market/tokenMarket.ts'

/** When the next price turns stale by the clock alone: until then what was made of the markets stays true. Unix seconds. */
export function findTurn(markets: readonly TokenMarket[], nowSeconds: number): number {
  let turn = Number.POSITIVE_INFINITY
  for (const { quote, freshSecondsMax } of markets) {
    const staleAt = quote ? quote.observedAtSeconds + freshSecondsMax : Number.NEGATIVE_INFINITY
    if (staleAt >= nowSeconds && staleAt < turn) turn = staleAt
  }
  return turn
}
