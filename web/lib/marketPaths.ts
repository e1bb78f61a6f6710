// Pages of the market, which the home page links to: apart from marketUrls.ts, which no first load needs.

export const poolsPath = '/pools'
export const swapsPath = '/swaps'

/** The page of a pool. */
export function poolPath(address: string): string {
  return `/pool/${encodeURIComponent(address)}`
}

/** The page of a wallet's trades. */
export function walletPath(address: string): string {
  return `/wallet/${encodeURIComponent(address)}`
}

/** How a token's price came about, for people. Opened by a request of its own: its head lets it ask any node. */
export function receiptPath(token: string): string {
  return `/token/${encodeURIComponent(token)}/receipt`
}

/** The home page with the boost of a token open. */
export function boostPath(token: string): string {
  return `/?${new URLSearchParams({ boost: token })}`
}
