import { Type } from 'typebox'
import { warningSchema } from '../../market/receipt.ts'
import { addressPattern, literals, query } from '../schemas.ts'
import { batchMax } from './answerBatch.ts'

// What the price API takes and answers. sdk/wire.ts has the same as types, with what each field means.

const nullableText = Type.Union([Type.String(), Type.Null()])
const orNull = (description: string) => Type.Union([Type.Number(), Type.Null()], { description })
const seconds = Type.Union([Type.Integer(), Type.Null()], { description: 'unix seconds' })

const priceFields = {
  name: Type.String(),
  symbol: Type.String(),
  address: Type.String({ pattern: addressPattern }),
  usdPrice: Type.Number({
    minimum: 0,
    description: 'US dollars per whole token, the median of the last minutes; 0 when unpriced',
  }),
  lastPriceUsd: orNull('US dollars per whole token after the last trade'),
  priceLow: orNull('US dollars per whole token: the least that its pools and its last two hours say'),
  priceHigh: orNull('US dollars per whole token: the most that its pools and its last two hours say'),
  costToMove10Percent: orNull('US dollars in fees that moving the price by 10 % and back costs'),
  pairPrice: Type.Number({
    minimum: 0,
    description: 'pairSymbol for a whole token after the last trade in its pool; 0 when unpriced or without a pool',
  }),
  pairSymbol: nullableText,
  change24h: orNull('percent against the medians of 24 hours before'),
  volume24h: orNull('US dollars of every swap in 24 hours: gross; null while not all of these hours are read'),
  organicVolume24h: orNull(
    'the part of it by which wallets changed their positions and paid fees to others; null while nothing is known',
  ),
  organicCoverage: Type.Number({ minimum: 0, maximum: 1, description: 'the part of volume24h that was looked at for it' }),
  marketCap: Type.Number({ minimum: 0, description: 'US dollars: price x supply' }),
  asOf: seconds,
  block: Type.Union([Type.Integer(), Type.Null()], { description: 'the block the price was read at' }),
  stale: Type.Boolean(),
  confidence: Type.Number({
    minimum: 0,
    maximum: 1,
    description:
      'by depth, age and how far prices lie apart: the least of the running hour and the one before, and at most what it was for half of the last day; 0 when unpriced',
  }),
  priceStatus: literals(['priced', 'stale', 'unpriced']),
  priceReasons: Type.Array(Type.String(), { description: 'why the price is missing or weak' }),
  warnings: Type.Array(warningSchema, { description: 'what is wrong with the token itself' }),
}
const exact = { additionalProperties: false }
const price = Type.Object(priceFields, exact)
const namesake = Type.Object(
  { name: Type.String(), symbol: Type.String(), address: Type.String({ pattern: addressPattern }), verified: Type.Boolean() },
  exact,
)
const symbolPrice = Type.Object({ ...priceFields, others: Type.Array(namesake) }, exact)

const errorCodes = [
  'INVALID_API_KEY',
  'KEY_EXPIRED',
  'KEY_INACTIVE',
  'RATE_LIMIT_EXCEEDED',
  'TOKEN_NOT_FOUND',
  'INVALID_REQUEST',
  'SERVER_ERROR',
  'UNAVAILABLE',
] as const
const itemError = Type.Object({ code: literals(errorCodes), message: Type.String() }, exact)
const item = Type.Union([
  Type.Object({ address: Type.String(), success: Type.Literal(true), data: price }, exact),
  Type.Object({ address: Type.String(), success: Type.Literal(false), error: itemError }, exact),
])

const rateLimit = Type.Object(
  {
    tier: literals(['shared', 'free', 'basic', 'custom', 'forever']),
    limit: Type.Integer({ minimum: 0 }),
    remaining: Type.Integer({ minimum: 0, description: 'requests left in this UTC day' }),
  },
  exact,
)

function answer<T extends Parameters<typeof Type.Array>[0]>(data: T) {
  return Type.Object({ success: Type.Literal(true), data, rateLimit }, exact)
}

const errorAnswer = Type.Object(
  {
    success: Type.Literal(false),
    error: Type.Object(
      {
        code: literals(errorCodes),
        message: Type.String(),
        limit: Type.Optional(Type.Integer()),
        remaining: Type.Optional(Type.Integer()),
      },
      exact,
    ),
  },
  exact,
)

function refused(description: string) {
  return Type.Object(errorAnswer.properties, { ...exact, description })
}

/** Errors any route of the price API may answer. */
const apiProblems = {
  400: refused('INVALID_REQUEST: the request is not as it should be'),
  401: refused('INVALID_API_KEY: the key is not known'),
  403: refused('KEY_EXPIRED, KEY_INACTIVE: the key may not be used any more, or not now'),
  429: refused('RATE_LIMIT_EXCEEDED: the requests of the UTC day are used up'),
  500: refused('SERVER_ERROR: a bug of the server'),
  503: refused('UNAVAILABLE: the request could not be counted; it may be sent again'),
}
const lookUpProblems = { ...apiProblems, 404: refused('TOKEN_NOT_FOUND: no such token is listed here') }
const bodyProblems = {
  ...apiProblems,
  413: refused('INVALID_REQUEST: the body has over 64 KB'),
  415: refused('INVALID_REQUEST: the body is no JSON'),
}

const unchanged = { 304: Type.Null({ description: 'What the caller keeps (If-None-Match) is still true' }) }
export const priceAnswers = { 200: answer(price), ...unchanged, ...lookUpProblems }
export const symbolAnswers = { 200: answer(symbolPrice), ...unchanged, ...lookUpProblems }
export const listAnswers = { 200: answer(Type.Array(price)), ...unchanged, ...apiProblems }
export const batchAnswers = { 200: answer(Type.Array(item)), ...bodyProblems }
export const streamAnswers = {
  200: { description: 'Server-sent events', content: { 'text/event-stream': { schema: Type.String() } } },
  ...apiProblems,
}

export const symbolParams = Type.Object({ symbol: Type.String({ minLength: 1, maxLength: 100 }) }, exact)

/** The addresses are looked at one by one: a bad one does not spoil the others. */
export const batchBody = Type.Object(
  { addresses: Type.Array(Type.String({ maxLength: 100 }), { minItems: 1, maxItems: batchMax }) },
  exact,
)

const streamAddressesMax = 100

export const streamQuery = query({
  addresses: Type.Optional(
    Type.String({
      pattern: `^0x[0-9a-fA-F]{40}(,0x[0-9a-fA-F]{40}){0,${streamAddressesMax - 1}}$`,
      description: `up to ${streamAddressesMax} addresses with commas between`,
    }),
  ),
})
