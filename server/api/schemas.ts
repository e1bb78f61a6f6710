import { chartRanges, readingPhases, statusStates, tokenSorts } from '@chainboard/core'
import { Type } from 'typebox'
import { orNull, priceRulesSchema, warningSchema } from '../market/receipt.ts'

// What the routes take and answer. Times are unix seconds, money is US dollars, unless a description says otherwise.

const optionalText = Type.Optional(Type.String())
const nullableNumber = Type.Union([Type.Number(), Type.Null()])
const numberOrNull = (description: string) => Type.Union([Type.Number(), Type.Null()], { description })

/** The web appends `_` to get past caches; it means nothing. */
const cacheBuster = { _: Type.Optional(Type.String({ maxLength: 40 })) }

export function query<T extends Parameters<typeof Type.Object>[0]>(fields: T) {
  return Type.Object({ ...fields, ...cacheBuster }, { additionalProperties: false })
}

export const addressPattern = '^0x[0-9a-fA-F]{40}$'
const address = Type.String({ pattern: addressPattern, description: 'an address: 0x and 40 hexadecimal digits' })

export const addressParam = Type.Object({ address }, { additionalProperties: false })

const errorAnswer = Type.Object({ error: Type.String() })

/** Errors any route may answer. */
export const problems = { '4xx': errorAnswer, '5xx': errorAnswer }

export function literals<T extends string>(values: readonly T[]) {
  return Type.Unsafe<T>(Type.String({ enum: [...values] }))
}

const pageSizeMax = 250
const addressesMax = 100

export const assetsQuery = query({
  search: Type.Optional(Type.String({ maxLength: 100 })),
  sort: Type.Optional(literals(tokenSorts)),
  page: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
  pageSize: Type.Optional(Type.Integer({ minimum: 1, maximum: pageSizeMax })),
  addresses: Type.Optional(Type.String({ pattern: `^0x[0-9a-fA-F]{40}(,0x[0-9a-fA-F]{40}){0,${addressesMax - 1}}$` })),
  /** Only boosted tokens, the longest first unless sorted otherwise. The same with `true`, `1` and without a value. */
  boosted: Type.Optional(literals(['true', '1', ''])),
  /** `1`: only tokens that name a contract they are staked in. */
  staking: Type.Optional(literals(['1'])),
})

export const boostsQuery = query({
  token: Type.Optional(address),
  page: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
  pageSize: Type.Optional(Type.Integer({ minimum: 1, maximum: pageSizeMax })),
})

export const chartQuery = query({
  range: Type.Optional(literals(Object.keys(chartRanges) as (keyof typeof chartRanges)[])),
  candles: Type.Optional(literals(['0', '1'])),
})

export const swapsQuery = query({ limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })) })

export const tokenAnswer = Type.Object({
  name: Type.String(),
  symbol: Type.String(),
  address: Type.String(),
  decimals: Type.Integer(),
  logo: Type.String(),
  category: Type.String(),
  verified: Type.Boolean(),
  supply: Type.Number(),
  stakingContract: optionalText,
  website: optionalText,
  X: optionalText,
  telegram: optionalText,
  cmcUrl: optionalText,
  coingeckoUrl: optionalText,
  lockTimer: optionalText,
  lockUrl: optionalText,
  boostInfo: Type.Optional(
    Type.Object({
      isBoosted: Type.Boolean(),
      expirationTime: Type.Integer(),
      remainingHours: Type.Integer(),
      remainingMinutes: Type.Integer(),
    }),
  ),
  priceInfo: Type.Optional(
    Type.Object({
      usdPrice: Type.Number(),
      poolAddress: Type.String(),
      baseToken: Type.Object({ symbol: Type.String() }),
      feeTier: Type.Integer(),
    }),
  ),
  priceInUsd: Type.Number({
    description: 'per whole token, the median of the last minutes over all pools that count; 0 when unpriced',
  }),
  lastPriceUsd: numberOrNull('per whole token after the last trade'),
  priceLow: numberOrNull('per whole token: the least that its pools and its last two hours say'),
  priceHigh: numberOrNull('per whole token: the most that its pools and its last two hours say'),
  costToMove10Percent: numberOrNull('in fees that moving the price by 10 % and back costs'),
  pairPrice: Type.Number({
    description: 'pairSymbol per whole token after the last trade in its pool; 0 when unpriced or without a pool',
  }),
  pairSymbol: Type.Union([Type.String(), Type.Null()]),
  priceChange24h: numberOrNull('percent against the medians of 24 hours before'),
  priceChange7d: numberOrNull('percent against the medians of 7 days before'),
  volume24h: numberOrNull('of every swap in 24 hours: gross; null while not all of these hours are read'),
  organicVolume24h: numberOrNull('the part of volume24h by which wallets changed their positions and paid fees to others'),
  organicCoverage: Type.Number({ minimum: 0, maximum: 1, description: 'the part of volume24h that was looked at for it' }),
  fdmc: Type.Number({ description: 'price x supply' }),
  marketCap: Type.Number({ description: 'price x supply' }),
  rank: Type.Integer({ description: 'by fdmc, from 1' }),
  priceStatus: literals(['priced', 'stale', 'unpriced']),
  priceSource: Type.Union([Type.String(), Type.Null()]),
  priceReasons: Type.Array(Type.String(), { description: 'why the price is missing or weak' }),
  priceAsOf: Type.Union([Type.Integer(), Type.Null()]),
  confidence: Type.Number({
    description: '0 to 1, by depth, age and how far prices lie apart; it rises only with what lasts for half of a day',
  }),
  warnings: Type.Array(warningSchema, { description: 'what is wrong with the token itself' }),
})

export const trendingAnswer = Type.Object({
  ...tokenAnswer.properties,
  costOfPlaceUsd: numberOrNull('in fees that reaching this organic volume costs at the least'),
})

const tokenId = Type.Object({ id: Type.String() })

export const boostAnswer = Type.Object({
  token: Type.String(),
  payer: Type.String(),
  paymentToken: Type.String(),
  amount: Type.String(),
  timestamp: Type.Integer(),
  expiresAt: Type.Integer(),
  transaction: tokenId,
})

export const swapAnswer = Type.Object({
  id: Type.String(),
  timestamp: Type.Integer(),
  amount0: Type.String(),
  amount1: Type.String(),
  sender: Type.String(),
  recipient: Type.String(),
  transaction: tokenId,
  pool: Type.Object({ token0: tokenId, token1: tokenId }),
  type: literals(['buy', 'sell']),
  tokenAmount: Type.Number(),
  usdValue: nullableNumber,
  priceImpact: nullableNumber,
  tokenPriceAtSwap: nullableNumber,
  percentChangeFromPrevious: nullableNumber,
})

export const chartAnswer = Type.Object({
  points: Type.Array(Type.Object({ time: Type.Integer(), price: Type.Number() })),
  candles: Type.Optional(
    Type.Array(
      Type.Object({
        time: Type.Integer(),
        open: Type.Number(),
        high: Type.Number(),
        low: Type.Number(),
        close: Type.Number(),
        volumeUsd: Type.Number({ description: 'of every swap of the pool in the hour, each at the prices of its own block' }),
      }),
    ),
  ),
  reason: optionalText,
})

export const balancesAnswer = Type.Object({
  block: Type.Integer(),
  tokens: Type.Array(Type.Object({ tokenAddress: Type.String(), balance: Type.String() })),
})

export const stakeParams = Type.Object({ stakingContract: address, walletAddress: address }, { additionalProperties: false })

/** `token` is needed where several tokens are staked in one contract. */
export const stakeQuery = query({ token: Type.Optional(address) })

export const stakeAnswer = Type.Object({ totalAmount: Type.String() })

const listProblems = {
  count: Type.Integer({ description: 'how many things are wrong' }),
  problems: Type.Array(Type.Object({ field: Type.String(), found: Type.String(), wanted: Type.String() }), {
    description: 'the first 20',
  }),
}
const listRefusal = Type.Union(
  [Type.Object({ since: Type.Integer({ description: 'unix seconds' }), ...listProblems }), Type.Null()],
  {
    description: 'why the newest list was not taken; null when it was',
  },
)

const listStatusAnswer = Type.Object({
  tokens: Type.Integer({ description: 'tokens that are shown' }),
  takenAt: Type.Integer({ description: 'unix seconds when the list was taken' }),
  refused: listRefusal,
  beingRead: Type.Union(
    [
      Type.Object({
        count: Type.Integer(),
        addresses: Type.Array(Type.String(), { description: 'the first 100' }),
        phase: Type.Union([Type.Literal('waiting'), Type.Literal('reading'), Type.Literal('valuing')]),
        blocksRead: Type.Union([Type.Integer(), Type.Null()], {
          description: 'blocks that are read, or valued; null while waiting',
        }),
        blocks: Type.Union([Type.Integer(), Type.Null()], { description: 'of so many' }),
      }),
      Type.Null(),
    ],
    { description: 'added tokens whose figures are not complete yet; null: there are none' },
  ),
  web: Type.Union(
    [
      Type.Object({
        tokens: Type.Integer(),
        answeredAt: Type.Union([Type.Integer(), Type.Null()], { description: 'unix seconds; null: not since the start' }),
        refused: listRefusal,
        leftOut: Type.Object(listProblems, { description: 'tokens of it that are not taken, and why' }),
      }),
      Type.Null(),
    ],
    { description: 'the list of the web; null: there is none' },
  ),
})

export const statusAnswer = Type.Object({
  block: Type.Union([Type.Integer(), Type.Null()]),
  blockTime: Type.Union([Type.Integer(), Type.Null()]),
  secondsSinceContact: nullableNumber,
  lagBlocks: Type.Union([Type.Integer(), Type.Null()]),
  state: literals([...statusStates]),
  reason: Type.Union([Type.String(), Type.Null()]),
  progress: Type.Union([
    Type.Object({
      phase: literals([...readingPhases]),
      percent: Type.Integer({ description: 'of the blocks of the phase, rounded down' }),
      blocksPerSecond: Type.Integer({ description: 'of the last five minutes' }),
      eventsPerSecond: Type.Integer({ description: 'of the last five minutes' }),
      secondsLeft: Type.Integer({ description: 'until the phase ends at this pace' }),
    }),
    Type.Null(),
  ]),
  completeSince: Type.Union([Type.Integer(), Type.Null()], {
    description: 'unix seconds from when on figures have every event, while the history is read; null where it is',
  }),
  swapsKeptSince: Type.Union([Type.Integer(), Type.Null()], {
    description: 'unix seconds before which swaps are no longer kept; null: all are kept',
  }),
  hoursKeptSince: Type.Union([Type.Integer(), Type.Null()], {
    description: 'unix seconds before which hours of pools and tokens are no longer kept; null: all are kept',
  }),
})

export const siteStatusAnswer = Type.Object({ ...statusAnswer.properties, tokenList: listStatusAnswer })

export const configAnswer = Type.Object({
  siteName: Type.String(),
  domain: Type.String(),
  chain: Type.Object({
    id: Type.Integer(),
    name: Type.String(),
    nativeCurrency: Type.Object({ name: Type.String(), symbol: Type.String(), decimals: Type.Integer() }),
    rpcUrl: Type.String(),
  }),
  wrappedNative: Type.Object({ address: Type.String(), symbol: Type.String() }),
  usdc: Type.Object({ address: Type.String(), decimals: Type.Integer() }),
  prices: orNull(priceRulesSchema),
  boost: Type.Union([Type.Object({ contract: Type.String() }), Type.Null()]),
  links: Type.Array(Type.Object({ label: Type.String(), url: Type.String() })),
  contact: Type.Object({
    email: Type.Union([Type.String(), Type.Null()]),
    chatUrl: Type.Union([Type.String(), Type.Null()]),
  }),
  explorer: Type.Union([Type.Object({ txUrl: Type.String(), addressUrl: Type.String() }), Type.Null()]),
  dex: Type.Object({
    name: Type.String(),
    swapUrl: Type.Union([Type.String(), Type.Null()]),
    poolUrl: Type.Union([Type.String(), Type.Null()]),
  }),
  brand: Type.Object({
    accentDark: Type.String(),
    accentLight: Type.String(),
    logo: Type.Union([Type.String(), Type.Null()]),
  }),
  demoWallets: Type.Array(Type.Object({ name: Type.String(), privateKey: Type.String() })),
})
