import { priceStatuses } from '@chainboard/core'
import { type Static, type TSchema, Type } from 'typebox'
import { group } from './route.ts'
import {
  addressList,
  addressParam,
  addressPattern,
  exact,
  literals,
  noQuery,
  nullableText,
  numberOrNull,
  orNull,
  query,
  unchanged,
} from './shapes.ts'
import { warningSchema } from './warning.ts'

// The price API. The SDK's types are made of these.

/** Addresses of one batch, and of one stream. */
const batchMax = 100
const streamAddressesMax = 100

/** How far a price can be relied on, in one word. */
export const priceStatusSchema = literals(priceStatuses)

const priceFields = {
  name: Type.String(),
  symbol: Type.String(),
  address: Type.String({ pattern: addressPattern, description: 'as the token list spells it' }),
  usdPrice: Type.Number({
    minimum: 0,
    description: 'US dollars per whole token: the median of the last minutes; 0 if unpriced',
  }),
  lastPriceUsd: numberOrNull('US dollars per whole token after the last trade; null when unpriced or not known'),
  priceLow: numberOrNull('US dollars per whole token: the lowest price in its pools and in the last two hours'),
  priceHigh: numberOrNull('US dollars per whole token: the highest price in its pools and in the last two hours'),
  costToMove10Percent: numberOrNull('fees, in US dollars, of moving the price by 10 % and back; null when not known'),
  pairPrice: Type.Number({
    minimum: 0,
    description: 'in pairSymbol, per whole token, after the last trade in its pool; 0 when unpriced or without a pool',
  }),
  pairSymbol: nullableText,
  change24h: numberOrNull('percent change from the median 24 hours earlier; 0 when unpriced, null when no price is that old'),
  volume24h: numberOrNull(
    'US dollars of every swap in 24 hours: gross, so self-trading counts; null until all of these hours are indexed',
  ),
  organicVolume24h: numberOrNull(
    'volume24h without self-trading: only net buys and sells that paid fees to others; null if unknown',
  ),
  organicCoverage: Type.Number({
    minimum: 0,
    maximum: 1,
    description: '0 to 1: the share of volume24h that was examined for it',
  }),
  marketCap: Type.Number({ minimum: 0, description: 'US dollars: price x supply' }),
  asOf: orNull(Type.Integer(), { description: 'when the price was valid, in unix seconds; null when unpriced' }),
  block: orNull(Type.Integer(), {
    description: 'the block the price was read at; null when it was not read from the chain',
  }),
  stale: Type.Boolean(),
  confidence: Type.Number({
    minimum: 0,
    maximum: 1,
    description:
      'from depth, age and how much prices differ; never above its lowest value in this hour and the one before, nor above what it was for half of the last day; 0 if unpriced',
  }),
  priceStatus: priceStatusSchema,
  priceReasons: Type.Array(Type.String(), { description: 'why the price is missing or weak' }),
  warnings: Type.Array(warningSchema, { description: 'what is wrong with the token itself' }),
}
/** A token's price with all that says how good it is. An unpriced token has it, too, with 0 and the reasons. */
export const priceSchema = Type.Object(priceFields, exact)
/** Another token with the symbol that was asked for. */
export const namesakeSchema = Type.Object(
  { name: Type.String(), symbol: Type.String(), address: Type.String({ pattern: addressPattern }), verified: Type.Boolean() },
  exact,
)
/** The price of the verified token with the deepest market among those with a symbol. `others` names the rest. */
export const symbolPriceSchema = Type.Object({ ...priceFields, others: Type.Array(namesakeSchema) }, exact)

/** The closed list of what a call of the price API can fail with. Its HTTP status follows from it. */
export const errorCodeSchema = literals([
  'INVALID_API_KEY',
  'KEY_EXPIRED',
  'KEY_INACTIVE',
  'RATE_LIMIT_EXCEEDED',
  'TOKEN_NOT_FOUND',
  'INVALID_REQUEST',
  'SERVER_ERROR',
  'UNAVAILABLE',
])
const itemError = Type.Object({ code: errorCodeSchema, message: Type.String() }, exact)
/** One address of a batch: its price, or why there is none. One that fails does not fail the others. */
export const batchItemSchema = Type.Union([
  Type.Object({ address: Type.String(), success: Type.Literal(true), data: priceSchema }, exact),
  Type.Object({ address: Type.String(), success: Type.Literal(false), error: itemError }, exact),
])

/** By which quota a call counts. `shared`: that of an IP address, for calls without a key. */
export const tierSchema = literals(['shared', 'free', 'basic', 'custom', 'forever'])
/** What the caller has of the UTC day. `limit` and `remaining` are requests. */
export const rateLimitSchema = Type.Object(
  {
    tier: tierSchema,
    limit: Type.Integer({ minimum: 0 }),
    remaining: Type.Integer({ minimum: 0, description: 'requests left today (UTC)' }),
  },
  exact,
)

function answer<T extends TSchema>(data: T) {
  return Type.Object({ success: Type.Literal(true), data, rateLimit: rateLimitSchema }, exact)
}

/** Every answer of the price API with a status of 400 or above. */
export const apiErrorSchema = Type.Object(
  {
    success: Type.Literal(false),
    error: Type.Object(
      {
        code: errorCodeSchema,
        message: Type.String(),
        limit: Type.Optional(Type.Integer()),
        remaining: Type.Optional(Type.Integer()),
      },
      exact,
    ),
  },
  exact,
)

/** First event of a stream. */
export const readySchema = Type.Object({
  resumed: Type.Boolean({
    description: 'true: the missed events follow; false: they are no longer kept, so read the prices again',
  }),
  block: orNull(Type.Integer()),
})
/** After a reorg: what was sent of blocks after `block` is void for these tokens; their prices follow. */
export const retractedSchema = Type.Object({ block: orNull(Type.Integer()), addresses: Type.Array(Type.String()) })
/** Last event of a stream that may not continue. */
export const endedSchema = Type.Object({ code: errorCodeSchema, message: Type.String() })

function refused(description: string) {
  return Type.Object(apiErrorSchema.properties, { ...exact, description })
}

/** Errors any route of the price API may answer. */
const apiProblems = {
  400: refused('INVALID_REQUEST: malformed request'),
  401: refused('INVALID_API_KEY: unknown key'),
  403: refused('KEY_EXPIRED, KEY_INACTIVE: the key has expired or is paused'),
  429: refused('RATE_LIMIT_EXCEEDED: daily limit reached; it resets at midnight UTC'),
  500: refused('SERVER_ERROR: a bug in the server'),
  503: refused('UNAVAILABLE: the request could not be counted; retry'),
}
const lookUpProblems = { ...apiProblems, 404: refused("TOKEN_NOT_FOUND: no such token on this site's list") }
const bodyProblems = {
  ...apiProblems,
  413: refused('INVALID_REQUEST: the body is over 64 KB'),
  415: refused('INVALID_REQUEST: the body is not JSON'),
}

const priceAnswers = { 200: answer(priceSchema), ...unchanged, ...lookUpProblems }
const symbolAnswers = { 200: answer(symbolPriceSchema), ...unchanged, ...lookUpProblems }
const listAnswers = { 200: answer(Type.Array(priceSchema)), ...unchanged, ...apiProblems }
const batchAnswers = { 200: answer(Type.Array(batchItemSchema)), ...bodyProblems }
const streamAnswers = {
  200: { description: 'Server-sent events', content: { 'text/event-stream': { schema: Type.String() } } },
  ...apiProblems,
}

const symbolParams = Type.Object({ symbol: Type.String({ minLength: 1, maxLength: 100 }) }, exact)

/** The addresses are looked at one by one: a bad one does not spoil the others. */
const batchBody = Type.Object(
  { addresses: Type.Array(Type.String({ maxLength: 100 }), { minItems: 1, maxItems: batchMax }) },
  exact,
)

const streamQuery = query({
  addresses: Type.Optional(
    addressList(streamAddressesMax, { description: `up to ${streamAddressesMax} addresses, separated by commas` }),
  ),
})

export type WirePrice = Static<typeof priceSchema>
export type WireSymbolPrice = Static<typeof symbolPriceSchema>
export type WireNamesake = Static<typeof namesakeSchema>
export type WireBatchItem = Static<typeof batchItemSchema>
export type WireErrorCode = Static<typeof errorCodeSchema>
export type WireApiError = Static<typeof apiErrorSchema>
export type WireReady = Static<typeof readySchema>
export type WireRetracted = Static<typeof retractedSchema>
export type WireEnded = Static<typeof endedSchema>

/** The price API. A call counts as one request of its key, or of its IP address: 429 when the day's are used up. */
export const priceRoutes = group(
  'Prices',
  {
    listPrices: {
      method: 'GET',
      url: '/api/v1/prices',
      schema: {
        summary: 'All prices',
        description: 'In the order of the token list.',
        querystring: noQuery,
        response: listAnswers,
      },
    },
    getPrice: {
      method: 'GET',
      url: '/api/v1/prices/:address',
      schema: {
        summary: 'The price of a token',
        description: 'By contract address, in upper or lower case.',
        params: addressParam,
        querystring: noQuery,
        response: priceAnswers,
      },
    },
    getPriceBySymbol: {
      method: 'GET',
      url: '/api/v1/prices/symbol/:symbol',
      schema: {
        summary:
          'The price of the best match for a symbol: the verified token with the deepest market. Also names the other matches',
        description: 'Anyone can give a token a known symbol, so check the address in the response.',
        params: symbolParams,
        querystring: noQuery,
        response: symbolAnswers,
      },
    },
    listPricesOf: {
      method: 'POST',
      url: '/api/v1/prices/batch',
      schema: {
        summary: 'Prices of up to 100 tokens, one result each; counts as one request',
        description: 'In the requested order, each address as it was sent.',
        querystring: noQuery,
        body: batchBody,
        response: batchAnswers,
      },
    },
    streamPrices: {
      method: 'GET',
      url: '/api/v1/stream',
      schema: {
        summary: 'Price changes as server-sent events; Last-Event-ID resumes',
        description:
          'Events are `ready`, `price`, `retracted` after a reorg, and `ended`. Opening a stream counts as one request.',
        querystring: streamQuery,
        response: streamAnswers,
      },
    },
  },
  'key',
)
