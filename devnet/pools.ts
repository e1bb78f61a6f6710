/** One pool of the local chain. `base` is priced in `quote`; which of them is token0 depends on the addresses. */
export type DevPool = {
  readonly base: string
  readonly quote: string
  /** Millionths: 3000 = 0.3 %. */
  readonly feeTier: 500 | 3000 | 10000
  /** US dollars on both sides together, over the full range. */
  readonly depthUsd: number
  /** How many trades a day the live market aims at. */
  readonly tradesPerDay: number
  /** A second position of `depthUsd` around the first price, `width` = 0.1 for -9 % to +10 %. */
  readonly band?: { readonly depthUsd: number; readonly width: number }
}

/** A pool that trades less often than this is quiet: it has hours, some even days, without a trade. */
export const quietTradesPerDay = 10

/** The place in this list is the pool's index in the market contract. The first pool is the main one: it prices the native coin. */
export const pools: readonly DevPool[] = [
  {
    base: 'WEMB',
    quote: 'USDC',
    feeTier: 500,
    depthUsd: 5_000_000,
    tradesPerDay: 8_000,
    band: { depthUsd: 400_000, width: 0.1 },
  },
  { base: 'WEMB', quote: 'USDC', feeTier: 3000, depthUsd: 1_200_000, tradesPerDay: 3_000 },
  { base: 'CNDR', quote: 'WEMB', feeTier: 3000, depthUsd: 2_100_000, tradesPerDay: 5_000 },
  { base: 'CNDR', quote: 'USDC', feeTier: 3000, depthUsd: 700_000, tradesPerDay: 2_500 },
  { base: 'BSLT', quote: 'WEMB', feeTier: 3000, depthUsd: 1_500_000, tradesPerDay: 4_000 },
  { base: 'BSLT', quote: 'USDC', feeTier: 500, depthUsd: 400_000, tradesPerDay: 2_000 },
  { base: 'HRBR', quote: 'WEMB', feeTier: 3000, depthUsd: 1_800_000, tradesPerDay: 4_000 },
  { base: 'TIDE', quote: 'WEMB', feeTier: 3000, depthUsd: 900_000, tradesPerDay: 3_000 },
  { base: 'LNTN', quote: 'WEMB', feeTier: 10000, depthUsd: 220_000, tradesPerDay: 1_500 },
  { base: 'FNNC', quote: 'WEMB', feeTier: 10000, depthUsd: 150_000, tradesPerDay: 3_500 },
  { base: 'QUIL', quote: 'USDC', feeTier: 500, depthUsd: 640_000, tradesPerDay: 2_500 },
  { base: 'GLAS', quote: 'USDC', feeTier: 3000, depthUsd: 480_000, tradesPerDay: 2_000 },
  { base: 'ORRY', quote: 'USDC', feeTier: 3000, depthUsd: 310_000, tradesPerDay: 2_000 },
  { base: 'CPPR', quote: 'CNDR', feeTier: 3000, depthUsd: 260_000, tradesPerDay: 1_200 },
  { base: 'KSTL', quote: 'WEMB', feeTier: 10000, depthUsd: 85_000, tradesPerDay: 5 },
  { base: 'VERD', quote: 'USDC', feeTier: 10000, depthUsd: 50_000, tradesPerDay: 3 },
  { base: 'THSL', quote: 'WEMB', feeTier: 10000, depthUsd: 40, tradesPerDay: 0.4 },
]

/** The pool the network's token list names for a token: the deepest one with the token in it, if there is any. */
export function findMainPool(symbol: string): DevPool | undefined {
  const own = pools.filter((pool) => pool.base === symbol || (symbol === 'USDC' && pool.quote === symbol))
  return own.toSorted((a, b) => b.depthUsd - a.depthUsd)[0]
}
