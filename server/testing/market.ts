import type { Address } from '@chainboard/core'
import type { FakeChain, FakeEvent } from '../chain/fakeChain.ts'
import type { TokenListEntry } from '../market/tokenList.ts'
import type { NetworkFile } from '../networkFileSchema.ts'

// A small market worked out by hand. Addresses are ordered so that each token is on the side its name says.

const address = (byte: string) => `0x${byte.repeat(20)}` as Address

export const factory = address('fa')
export const trader = address('77')
/** Owns the first liquidity of all pools. */
export const manager = address('78')
/** USDC has 6 decimals and is token0 of every pool it is in. */
export const usdc = address('10')
/** ALPHA has 8 decimals and is token0 against the wrapped native coin. */
export const alpha = address('20')
/** The wrapped native coin has 18 decimals. */
export const wrapped = address('50')
/** BETA has 18 decimals and is token1 against USDC. */
export const beta = address('60')
/** THIN has 18 decimals and a pool that holds next to nothing. */
export const thin = address('70')
/** LONE is listed, and no pool trades it. */
export const lone = address('80')

export const wrappedPool = address('a1')
export const alphaPool = address('a2')
export const betaPool = address('a3')
export const thinPool = address('a4')

const q96 = 2n ** 96n

/** Roots of token1 per token0 in smallest units, times 2^96. */
export const sqrtPrices = {
  /** 2,500 USDC: 10^18 / (2500 x 10^6) = 4 x 10^8. */
  wrappedAt2500: 20_000n * q96,
  /** 0.01 wrapped native, so 25 dollars: 10^16 / 10^8 = 10^8. */
  alphaAt25: 10_000n * q96,
  /** 0.0025 wrapped native, so 6.25 dollars: 2.5 x 10^15 / 10^8. */
  alphaAt6: 5_000n * q96,
  /** 0.25 USDC: 10^18 / (0.25 x 10^6) = 4 x 10^12. */
  betaAtQuarter: 2_000_000n * q96,
  /** 1 USDC: 10^12. */
  thinAt1: 1_000_000n * q96,
}

const tokens = [
  { address: usdc, symbol: 'USDC', name: 'USD Coin', decimals: 6 },
  { address: alpha, symbol: 'ALPHA', name: 'Alpha', decimals: 8 },
  { address: wrapped, symbol: 'WNAT', name: 'Wrapped Native', decimals: 18 },
  { address: beta, symbol: 'BETA', name: 'Beta', decimals: 18 },
  { address: thin, symbol: 'THIN', name: 'Thin', decimals: 18 },
] as const

export const listed: readonly TokenListEntry[] = [...tokens, { address: lone, symbol: 'LONE', name: 'Lone', decimals: 18 }].map(
  (token) => ({
    ...token,
    logo: `/logos/test/${token.symbol.toLowerCase()}.svg`,
    category: 'Test',
    verified: true,
    supply: 1_000_000,
  }),
)

/** Tells the chain its tokens and puts the four pools on it. */
export function openMarket(chain: FakeChain): void {
  for (const token of tokens)
    chain.tokens.set(token.address, { ...token, totalSupplyRaw: 1_000_000n * 10n ** BigInt(token.decimals) })
  chain.mine([
    ...openPool(wrappedPool, usdc, wrapped, sqrtPrices.wrappedAt2500, {
      liquidity: 10n ** 17n,
      raw0: 5n * 10n ** 12n,
      raw1: 2n * 10n ** 21n,
    }),
    ...openPool(alphaPool, alpha, wrapped, sqrtPrices.alphaAt6, { liquidity: 10n ** 17n, raw0: 10n ** 15n, raw1: 10n ** 21n }),
    ...openPool(betaPool, usdc, beta, sqrtPrices.betaAtQuarter, {
      liquidity: 10n ** 18n,
      raw0: 10n ** 12n,
      raw1: 4n * 10n ** 24n,
    }),
    ...openPool(thinPool, usdc, thin, sqrtPrices.thinAt1, { liquidity: 10n ** 13n, raw0: 10n ** 7n, raw1: 10n ** 19n }),
  ])
}

function openPool(
  pool: Address,
  token0: Address,
  token1: Address,
  sqrtPriceX96: bigint,
  { liquidity, raw0, raw1 }: { liquidity: bigint; raw0: bigint; raw1: bigint },
): FakeEvent[] {
  const range = {
    owner: manager,
    sender: manager,
    ...everywhere,
    amount: liquidity,
    amount0: raw0,
    amount1: raw1,
  }
  return [
    { address: factory, name: 'PoolCreated', args: { token0, token1, fee: 3_000, tickSpacing: 60, pool } },
    { address: pool, name: 'Initialize', args: { sqrtPriceX96, tick: 0 } },
    { address: pool, name: 'Mint', args: range },
  ]
}

const everywhere = { tickLower: -887_220, tickUpper: 887_220 }

/** Liquidity of a wallet, over all prices unless a range is given. The amounts are made up. */
export function provide(pool: Address, from: Address, amount: bigint, range = everywhere): FakeEvent {
  const args = { owner: from, sender: from, ...range, amount, amount0: 10n ** 6n, amount1: 10n ** 18n }
  return { address: pool, name: 'Mint', args, from }
}

export function swap(pool: Address, sqrtPriceX96: bigint, amount0: bigint, amount1: bigint, liquidity = 10n ** 17n): FakeEvent {
  return {
    address: pool,
    name: 'Swap',
    args: { sender: trader, recipient: trader, amount0, amount1, sqrtPriceX96, liquidity, tick: 0 },
  }
}

export const networkFile: NetworkFile = {
  siteName: 'Testboard',
  chain: {
    id: 31_337,
    name: 'Test',
    nativeCurrency: { name: 'Native', symbol: 'NAT', decimals: 18 },
    rpcUrls: ['http://127.0.0.1:1'],
    confirmations: 4,
    pollMs: 50,
  },
  dex: {
    name: 'Testswap',
    factory,
    startBlock: 0,
    swapUrl: 'https://dex.example/{address}',
    poolUrl: 'https://dex.example/pool/{address}',
  },
  wrappedNative: { address: wrapped, symbol: 'WNAT' },
  usdc: { address: usdc, decimals: 6 },
  links: [],
  brand: { accentDark: '#ff8a4c', accentLight: '#b8430a' },
  prices: { sources: ['index'], depthFloorUsd: 50 },
  index: { pools: 'all' },
}
