import { chartRanges, newDaysMax, priceStatuses, tokenMoves, tokenSorts } from '@chainboard/core'
import { type Static, Type } from 'typebox'
import { boostInfo } from './boosts.ts'
import { group } from './route.ts'
import {
  addressList,
  addressParam,
  literals,
  noQuery,
  nullableText,
  numberOrNull,
  orNull,
  pageFields,
  problems,
  query,
  unchanged,
} from './shapes.ts'
import { warningSchema } from './warning.ts'

// The token list with its market, and charts.

const optionalText = Type.Optional(Type.String())
const addressesMax = 100

const assetsQuery = query({
  search: Type.Optional(Type.String({ maxLength: 100 })),
  sort: Type.Optional(literals(tokenSorts)),
  ...pageFields,
  addresses: Type.Optional(addressList(addressesMax)),
  /** Only boosted tokens, the longest first unless sorted otherwise. The same with `true`, `1` and without a value. */
  boosted: Type.Optional(literals(['true', '1', ''])),
  category: Type.Optional(Type.String({ maxLength: 200 })),
  verified: Type.Optional(literals(['0', '1'])),
  /** Of `depthUsd`, in US dollars. */
  liquidityMin: Type.Optional(Type.Number({ minimum: 0, maximum: 1e15 })),
  /** Days since the first trade, at the most. */
  newDays: Type.Optional(Type.Integer({ minimum: 1, maximum: newDaysMax })),
  /** By `priceChange24h`. */
  move: Type.Optional(literals(tokenMoves)),
  /** `0`: only tokens without a warning; `1`: only those with one. */
  warned: Type.Optional(literals(['0', '1'])),
  /** `1`: only tokens that name a contract they are staked in. */
  staking: Type.Optional(literals(['1'])),
})

const chartQuery = query({
  range: Type.Optional(literals(Object.keys(chartRanges) as (keyof typeof chartRanges)[])),
  candles: Type.Optional(literals(['0', '1'])),
})

const priceInfo = Type.Object(
  {
    usdPrice: Type.Number(),
    poolAddress: Type.String(),
    baseToken: Type.Object({ symbol: Type.String() }),
    feeTier: Type.Integer({ description: 'in millionths: 3000 is 0.3 %' }),
  },
  { description: 'the pool of the token, as the token list names it or as the index found it' },
)

/** One token of `/assets.json`: the list's own fields, then what the market computed. */
export const tokenAnswer = Type.Object({
  name: Type.String(),
  symbol: Type.String(),
  address: Type.String(),
  decimals: Type.Integer(),
  logo: Type.String({ description: 'a path on this server, or an https URL' }),
  category: Type.String(),
  verified: Type.Boolean(),
  supply: Type.Number({ description: 'whole tokens: as listed, otherwise the total supply on the chain; 0 if neither is known' }),
  stakingContract: optionalText,
  website: optionalText,
  X: optionalText,
  telegram: optionalText,
  cmcUrl: optionalText,
  coingeckoUrl: optionalText,
  lockTimer: Type.Optional(Type.String({ description: 'ISO 8601 date until which the liquidity is locked' })),
  lockUrl: optionalText,
  boostInfo: Type.Optional(boostInfo),
  priceInfo: Type.Optional(priceInfo),
  priceInUsd: Type.Number({
    description: 'US dollars per whole token: the median of the last minutes over all pools that count; 0 if unpriced',
  }),
  lastPriceUsd: numberOrNull('per whole token after the last trade; null when unpriced or not known'),
  priceLow: numberOrNull('US dollars per whole token: the lowest price in its pools and in the last two hours'),
  priceHigh: numberOrNull('US dollars per whole token: the highest price in its pools and in the last two hours'),
  costToMove10Percent: numberOrNull('fees, in US dollars, of moving the price by 10 % and back; null when not known'),
  pairPrice: Type.Number({
    description: 'pairSymbol per whole token after the last trade in its pool; 0 if unpriced or without a pool',
  }),
  pairSymbol: nullableText,
  priceChange5m: numberOrNull('percent change from the median 5 minutes earlier; null when there is no such price'),
  priceChange1h: numberOrNull('percent change from the median an hour earlier; null when there is no such price'),
  priceChange6h: numberOrNull('percent change from the median 6 hours earlier; null when there is no such price'),
  priceChange24h: numberOrNull(
    'percent change from the median 24 hours earlier; 0 when unpriced, null when there is no price that old',
  ),
  priceChange7d: numberOrNull(
    'percent change from the median 7 days earlier; 0 when unpriced, null when there is no price that old',
  ),
  volume24h: numberOrNull('US dollars of all swaps in 24 hours; null until all of these hours are indexed'),
  organicVolume24h: numberOrNull(
    'volume24h without self-trading: only net buys and sells that paid fees to others; null if unknown',
  ),
  organicCoverage: Type.Number({
    minimum: 0,
    maximum: 1,
    description: '0 to 1: the share of volume24h that was examined for it',
  }),
  depthUsd: numberOrNull(
    'US dollars that can be traded within 2 % of the price, up or down (the smaller), in the pools that agree with it; null when not known',
  ),
  firstTradeAt: orNull(Type.Integer(), {
    description: 'unix seconds of the first swap in a pool of the token; null when none or not known',
  }),
  fdmc: Type.Number({ description: 'price x supply' }),
  marketCap: Type.Number({ description: 'price x supply' }),
  rank: Type.Integer({ description: 'by fdmc, from 1' }),
  priceStatus: literals(priceStatuses),
  priceSource: orNull(Type.String(), { description: 'as the network file names it, like index; null when unpriced' }),
  priceSourceLabel: orNull(Type.String(), { description: 'its display name, like Pools on this chain' }),
  priceReasons: Type.Array(Type.String(), { description: 'why the price is missing or weak' }),
  priceAsOf: orNull(Type.Integer(), { description: 'when the price was valid, in unix seconds; null when unpriced' }),
  confidence: Type.Number({
    description: '0 to 1, from depth, age and how much prices differ; it falls at once and takes half a day to rise',
  }),
  warnings: Type.Array(warningSchema, { description: 'what is wrong with the token itself' }),
})

export type WireToken = Static<typeof tokenAnswer>
export type WirePriceInfo = Static<typeof priceInfo>

/** A token of `/api/trending`. */
const trendingAnswer = Type.Object({
  ...tokenAnswer.properties,
  costOfPlaceUsd: numberOrNull(
    'the lowest fees, in US dollars, for which this organic volume can be reached; null if gross volume is used',
  ),
})

export type WireTrendingToken = Static<typeof trendingAnswer>

const point = Type.Object({
  time: Type.Integer({ description: 'unix seconds at which the hour (for 1m: the first of the 24 hours averaged) begins' }),
  price: Type.Number(),
})

/** Prices per whole token. Hours without a trade are not in the list. */
const candle = Type.Object({
  time: Type.Integer(),
  open: Type.Number(),
  high: Type.Number(),
  low: Type.Number(),
  close: Type.Number(),
  volumeUsd: Type.Number({ description: 'US dollars of all swaps of the pool in the hour, each at the prices of its own block' }),
})

const chartAnswer = Type.Object({
  points: Type.Array(point),
  candles: Type.Optional(Type.Array(candle)),
  reason: Type.Optional(Type.String({ description: 'why there are no points' })),
})

export type WireChart = Static<typeof chartAnswer>
export type WireChartPoint = Static<typeof point>
export type WireCandle = Static<typeof candle>

const tokensQuery = { querystring: noQuery, response: { 200: Type.Array(tokenAnswer), ...problems } }

const categoriesAnswer = Type.Array(
  Type.Object({
    category: Type.String({ description: 'as the token list writes it' }),
    count: Type.Integer({ description: 'tokens of it' }),
  }),
)

export type WireCategory = Static<typeof categoriesAnswer>[number]

/** The addresses of a sparkline request, at the most. */
export const sparklinesMax = 50

const sparklinesAnswer = Type.Array(
  Type.Object({
    address: Type.String(),
    points: Type.Array(point, { description: 'every sixth hour of the last seven days, and the newest; empty without a price' }),
  }),
)

export type WireSparkline = Static<typeof sparklinesAnswer>[number]

/** What social networks add to addresses means nothing here. */
const anyQuery = Type.Object({})

const pictureAnswer = {
  description: 'A PNG of 1200 x 630 px',
  content: { 'image/png': { schema: Type.Unsafe<unknown>(Type.String()) } },
}

/** The listed tokens with their market, whole or in pages, and the chart of each. */
export const tokenRoutes = group('Tokens', {
  listTokens: {
    method: 'GET',
    url: '/assets.json',
    schema: {
      summary: 'The token list with market data, whole or in part',
      description: 'Without parameters it is the whole list. `X-Total-Count` says how many tokens match.',
      ...tokensQuery,
      querystring: assetsQuery,
    },
  },
  listHighlighted: {
    method: 'GET',
    url: '/highlighted.json',
    schema: { summary: 'The featured tokens', description: 'In the order the operator listed them.', ...tokensQuery },
  },
  listTrending: {
    method: 'GET',
    url: '/api/trending',
    schema: {
      summary: 'The five tokens with the most organic volume in 24 hours, and what a place among them costs',
      description: 'The network file can set minimum requirements.',
      querystring: noQuery,
      response: { 200: Type.Array(trendingAnswer), ...problems },
    },
  },
  listCategories: {
    method: 'GET',
    url: '/api/tokens/categories',
    schema: {
      summary: 'The categories of the token list',
      description: 'Most frequent first, at most a hundred.',
      querystring: noQuery,
      response: { 200: categoriesAnswer, ...problems },
    },
  },
  listSparklines: {
    method: 'GET',
    url: '/api/tokens/sparklines',
    schema: {
      summary: 'Sparklines: the last seven days of several tokens, in a few points each',
      description: 'Of up to 50 tokens. Addresses that are not listed are left out. The points are recomputed once an hour.',
      querystring: query({ addresses: addressList(sparklinesMax) }),
      response: { 200: sparklinesAnswer, ...problems },
    },
  },
  getChart: {
    method: 'GET',
    url: '/api/tokens/:address/chart',
    schema: {
      summary: 'The price of a token over time',
      description: 'Hourly prices of the last day unless `range` says otherwise; with `candles=1` candles as well.',
      params: addressParam,
      querystring: chartQuery,
      response: { 200: chartAnswer, ...problems },
    },
  },
  getSharePicture: {
    method: 'GET',
    url: '/token/:address/share.png',
    schema: {
      summary: 'A picture of a token for previews of links',
      description:
        'Its logo, price, change and last seven days, with the time of the price. Drawn at most once a minute; 503 while there are too many requests.',
      params: addressParam,
      querystring: anyQuery,
      response: { 200: pictureAnswer, ...unchanged, ...problems },
    },
  },
})
