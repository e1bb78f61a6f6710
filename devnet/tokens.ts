import { DevnetFault } from './devnetFault.ts'

/** One token of the local chain: what it is, and how its price behaves. */
export type DevToken = {
  readonly symbol: string
  readonly name: string
  readonly decimals: number
  /** Whole tokens; minted once, so it is also the contract's `totalSupply`. */
  readonly supply: number
  readonly category: string
  readonly verified: boolean
  /** Absent: no lock. */
  readonly lockedUntil?: string
  readonly staking?: true
  readonly links?: readonly ('website' | 'X' | 'telegram')[]
  /** Absent: no pool, so no price. */
  readonly market?: PriceModel
}

type PriceModel = {
  /** US dollars per whole token that the price keeps returning to. */
  readonly usd: number
  /** What the price walks against: the token follows its quote's moves too. */
  readonly quote: 'USDC' | 'WEMB' | 'CNDR'
  /** Standard deviation of a day's change, as a fraction. */
  readonly dayVolatility: number
  /** Where the history starts, as a fraction of `usd`: below 1 gives a month that rises. */
  readonly start: number
}

/**
 * Every listed token. Deployment goes by nonce in this order, which fixes the addresses and with them the sides in the
 * pools: those marked low sort before USDC, high after wrapped native, the others between the two.
 * Supplies are hundreds of times the daily trade, so that the market's own holdings last for years.
 */
export const tokens: readonly DevToken[] = [
  {
    symbol: 'BSLT', // low
    name: 'Basalt',
    decimals: 8,
    supply: 400_000_000,
    category: 'Infrastructure',
    verified: true,
    lockedUntil: '2031-03-01T00:00:00.000Z',
    links: ['website', 'X', 'telegram'],
    market: { usd: 0.84, quote: 'WEMB', dayVolatility: 0.034, start: 0.8 },
  },
  {
    symbol: 'LNTN', // high
    name: 'Lanternfish',
    decimals: 6,
    supply: 2_000_000_000,
    category: 'Gaming',
    verified: true,
    lockedUntil: '2030-09-15T00:00:00.000Z',
    links: ['website', 'X'],
    market: { usd: 0.062, quote: 'WEMB', dayVolatility: 0.06, start: 1.25 },
  },
  {
    symbol: 'ORRY', // low
    name: 'Orrery',
    decimals: 18,
    supply: 40_000_000,
    category: 'Oracle',
    verified: true,
    lockedUntil: '2032-01-01T00:00:00.000Z',
    links: ['website', 'X', 'telegram'],
    market: { usd: 6.35, quote: 'USDC', dayVolatility: 0.036, start: 0.92 },
  },
  {
    symbol: 'QUIL',
    name: 'Quillpay',
    decimals: 6,
    supply: 300_000_000,
    category: 'Payments',
    verified: true,
    lockedUntil: '2030-06-30T00:00:00.000Z',
    links: ['website'],
    market: { usd: 0.415, quote: 'USDC', dayVolatility: 0.02, start: 1.04 },
  },
  {
    symbol: 'GLAS',
    name: 'Glasswork',
    decimals: 8,
    supply: 12_000_000,
    category: 'NFT',
    verified: false,
    lockedUntil: '2030-12-24T00:00:00.000Z',
    links: ['website', 'X'],
    market: { usd: 27.8, quote: 'USDC', dayVolatility: 0.042, start: 1.15 },
  },
  {
    symbol: 'CNDR', // high
    name: 'Cinderbank',
    decimals: 18,
    supply: 120_000_000,
    category: 'DeFi',
    verified: true,
    lockedUntil: '2033-05-05T00:00:00.000Z',
    staking: true,
    links: ['website', 'X', 'telegram'],
    market: { usd: 3.42, quote: 'WEMB', dayVolatility: 0.03, start: 0.86 },
  },
  {
    symbol: 'HRBR', // high
    name: 'Harborline',
    decimals: 18,
    supply: 2_500_000,
    category: 'Lending',
    verified: true,
    lockedUntil: '2031-11-11T00:00:00.000Z',
    staking: true,
    links: ['website', 'X', 'telegram'],
    market: { usd: 142, quote: 'WEMB', dayVolatility: 0.026, start: 0.97 },
  },
  {
    symbol: 'TIDE', // low
    name: 'Tidewater',
    decimals: 18,
    supply: 1_000_000_000,
    category: 'Liquid Staking',
    verified: true,
    lockedUntil: '2030-04-20T00:00:00.000Z',
    links: ['website', 'telegram'],
    market: { usd: 0.1875, quote: 'WEMB', dayVolatility: 0.033, start: 1.1 },
  },
  {
    symbol: 'FNNC',
    name: 'Fennec',
    decimals: 18,
    supply: 4_200_000_000_000,
    category: 'Meme',
    verified: false,
    links: ['X', 'telegram'],
    market: { usd: 0.0000214, quote: 'WEMB', dayVolatility: 0.09, start: 0.6 },
  },
  {
    symbol: 'KSTL', // low
    name: 'Kestrel Network',
    decimals: 18,
    supply: 90_000_000,
    category: 'Infrastructure',
    verified: true,
    lockedUntil: '2024-08-01T00:00:00.000Z',
    links: ['website'],
    market: { usd: 0.53, quote: 'WEMB', dayVolatility: 0.03, start: 1.3 },
  },
  {
    symbol: 'VERD',
    name: 'Verdigris',
    decimals: 18,
    supply: 25_000_000,
    category: 'Real World Assets',
    verified: false,
    lockedUntil: '2030-02-14T00:00:00.000Z',
    links: ['website', 'X'],
    market: { usd: 1.94, quote: 'USDC', dayVolatility: 0.018, start: 1 },
  },
  {
    symbol: 'CPPR',
    name: 'Copperline',
    decimals: 8,
    supply: 5_000_000_000,
    category: 'DeFi',
    verified: false,
    lockedUntil: '2030-10-10T00:00:00.000Z',
    links: ['website', 'telegram'],
    market: { usd: 0.0091, quote: 'CNDR', dayVolatility: 0.05, start: 0.9 },
  },
  {
    symbol: 'THSL',
    name: 'Thistledown',
    decimals: 18,
    supply: 60_000_000,
    category: 'Social',
    verified: false,
    lockedUntil: '2030-07-01T00:00:00.000Z',
    links: ['X'],
    market: { usd: 0.27, quote: 'WEMB', dayVolatility: 0.05, start: 1 },
  },
  { symbol: 'OCHR', name: 'Ochre', decimals: 6, supply: 10_000_000, category: 'Art', verified: false, links: ['website'] }, // low
]

/** The dollar that other tokens are priced in. */
export const usdc = {
  symbol: 'USDC',
  name: 'USD Coin (test money)',
  decimals: 6,
  supply: 5_000_000_000,
  category: 'Stablecoin',
  verified: true,
  lockedUntil: '2035-01-01T00:00:00.000Z',
} as const satisfies DevToken

/** The wrapped coin of the chain. */
export const wrappedNative = {
  symbol: 'WEMB',
  name: 'Wrapped Ember',
  decimals: 18,
  supply: 4_000_000,
  category: 'Native',
  verified: true,
  lockedUntil: '2035-01-01T00:00:00.000Z',
  links: ['website', 'X', 'telegram'],
  market: { usd: 1_500, quote: 'USDC', dayVolatility: 0.028, start: 1 },
} as const satisfies DevToken

/** All tokens, in the order of the token list. */
export const listedTokens: readonly DevToken[] = [wrappedNative, usdc, ...tokens]

/** @throws DevnetFault for a symbol that is not listed */
export function getToken(symbol: string): DevToken {
  const token = listedTokens.find((one) => one.symbol === symbol)
  if (!token) throw new DevnetFault(`no token ${symbol} on the devnet`)
  return token
}
