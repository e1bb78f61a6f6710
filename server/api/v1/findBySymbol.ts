import type { TokenMarket } from '../../market/tokenMarket.ts'

/**
 * Tokens that have a symbol, the one that is meant first: verified before unverified, priced before unpriced, then by the
 * depth behind the price, then by market cap. Anybody can give a token a known symbol; nobody can give it that one's market.
 */
export function findBySymbol(markets: readonly TokenMarket[], symbol: string): readonly TokenMarket[] {
  const wanted = symbol.toLowerCase()
  return markets.filter(({ token }) => token.symbol.toLowerCase() === wanted).sort(byWeight)
}

function byWeight(a: TokenMarket, b: TokenMarket): number {
  const verified = Number(b.token.verified) - Number(a.token.verified)
  const priced = Number(b.quote !== undefined) - Number(a.quote !== undefined)
  return verified || priced || compare(depthOf(b), depthOf(a)) || a.rank - b.rank
}

/** US dollars x 10^18. The chain's own dollar rests on no pool, and nothing is deeper. */
function depthOf({ quote }: TokenMarket): bigint | 'endless' {
  if (quote?.atBlock && quote.route.length === 0) return 'endless'
  return quote?.depthUsdE18 ?? 0n
}

function compare(a: bigint | 'endless', b: bigint | 'endless'): number {
  if (a === b) return 0
  if (a === 'endless' || b === 'endless') return a === 'endless' ? 1 : -1
  return a > b ? 1 : -1
}
