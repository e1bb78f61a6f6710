import { type Static, Type } from 'typebox'
import { group } from './route.ts'
import { addressText, idOnly, literals, numberOrNull, orNull, problems, query } from './shapes.ts'

// Swaps of the whole exchange, of a token, a pool or a wallet, as far back as the index goes.

/** Swaps of a page, at most. */
export const feedLimitMax = 100

const filterFields = {
  token: Type.Optional(Type.String({ ...addressText, description: 'only swaps in pools of this token' })),
  pool: Type.Optional(Type.String({ ...addressText, description: 'only swaps in this pool' })),
  wallet: Type.Optional(Type.String({ ...addressText, description: 'only swaps that paid out to this address' })),
  side: Type.Optional(literals(['buy', 'sell'])),
  minUsd: Type.Optional(Type.Number({ minimum: 0, maximum: 1e15, description: 'the minimum value of a swap in US dollars' })),
}

const feedQuery = query({
  ...filterFields,
  before: Type.Optional(
    Type.String({
      pattern: '^\\d{1,12}-\\d{1,12}-\\d{1,9}$',
      description: '`next` of the previous page; absent: the newest page',
    }),
  ),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: feedLimitMax })),
})

const leg = Type.Object({
  address: Type.String(),
  symbol: Type.String({ description: 'as its contract reports it; untrusted text' }),
  amount: orNull(Type.String(), { description: 'whole tokens as decimal text; null for a token without known decimals' }),
})

const feedSwap = Type.Object({
  id: Type.String({ description: 'transaction and log index' }),
  timestamp: Type.Integer({ description: 'unix seconds' }),
  blockNumber: Type.Integer(),
  transaction: idOnly,
  pool: Type.Object({ address: Type.String(), fee: Type.Integer({ description: 'in millionths' }) }),
  sold: leg,
  bought: leg,
  usdValue: numberOrNull('at the time of the swap; null if neither token had a price then'),
  sender: Type.String({ description: 'the caller of the pool, usually a router' }),
  recipient: Type.String({ description: 'the recipient, usually the trader, or a router that forwards the coins' }),
})

const feedAnswer = Type.Object({
  swaps: Type.Array(feedSwap),
  next: orNull(Type.String(), { description: '`before` of the next page; null: there is none' }),
  searchedUntil: orNull(Type.Integer(), {
    description:
      'unix seconds that a filter reached before it stopped; the next page continues from there; null: the page is full',
  }),
  since: orNull(Type.Integer(), { description: 'unix seconds from which swaps are kept; null: all are kept' }),
})

export type WireFeedSwap = Static<typeof feedSwap>
export type WireFeed = Static<typeof feedAnswer>

const csvAnswer = {
  description: 'CSV with a header row',
  content: { 'text/csv': { schema: Type.Unsafe<unknown>(Type.String()) } },
}

/** Swaps beyond the newest of one pool. */
export const swapFeedRoutes = group('Tokens', {
  listAllSwaps: {
    method: 'GET',
    url: '/api/swaps',
    schema: {
      summary: 'Swaps of the exchange, newest first, by token, pool, wallet, side and size',
      description: 'In pages of 50 unless `limit` says otherwise. `side` is the direction of `token`, so it needs `token`.',
      querystring: feedQuery,
      response: { 200: feedAnswer, ...problems },
    },
  },
  downloadSwaps: {
    method: 'GET',
    url: '/api/swaps.csv',
    schema: {
      summary: 'The same as CSV',
      description: 'Up to 10,000 swaps, newest first.',
      querystring: query(filterFields),
      response: { 200: csvAnswer, ...problems },
    },
  },
})
