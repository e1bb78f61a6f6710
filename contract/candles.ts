import { type CandleInterval, candleIntervals } from '@chainboard/core'
import { type Static, Type } from 'typebox'
import { group } from './route.ts'
import { addressParam, literals, orNull, problems, query } from './shapes.ts'

const intervals = Object.keys(candleIntervals) as CandleInterval[]

const candlesQuery = query({
  interval: Type.Optional(literals(intervals)),
  /** Unix seconds: the page ends there. */
  before: Type.Optional(Type.Integer({ minimum: 0, maximum: 4_102_444_800 })),
})

const prices = { open: Type.Number(), high: Type.Number(), low: Type.Number(), close: Type.Number() }

const traderCandle = Type.Object({
  time: Type.Integer({ description: 'unix seconds at which the candle begins' }),
  ...prices,
  volumeUsd: Type.Number({ description: 'US dollars of all swaps of the pool that prices the token; 0 without trades' }),
  fair: orNull(Type.Object(prices), {
    description: 'the median price, sampled once a minute or five times a candle; null for candles of an hour or longer',
  }),
})

const candlesAnswer = Type.Object({
  candles: Type.Array(traderCandle, {
    description: 'ascending, one for each step: last prices per whole token in US dollars',
  }),
  nextBefore: orNull(Type.Integer(), { description: '`before` of the next older page; null when there is none' }),
  since: orNull(Type.Integer(), {
    description: 'unix seconds of the first possible candle, if older swaps or hours are not kept; null: all are kept',
  }),
  dayAgo: orNull(Type.Object({ time: Type.Integer(), price: Type.Number() }), {
    description: 'the price that priceChange24h is measured from; null when there is none',
  }),
  reason: Type.Optional(Type.String({ description: 'why there are no candles' })),
})

export type WireCandles = Static<typeof candlesAnswer>
export type WireTraderCandle = Static<typeof traderCandle>

/** Candles of a token, page by page into the past. 404 for a token that is not listed. */
export const candleRoutes = group('Tokens', {
  getCandles: {
    method: 'GET',
    url: '/api/tokens/:address/candles',
    schema: {
      summary: 'Candles of a token, from 1 minute to 1 day, page by page into the past',
      description: 'The newest page of hours unless `interval` and `before` say otherwise.',
      params: addressParam,
      querystring: candlesQuery,
      response: { 200: candlesAnswer, ...problems },
    },
  },
})
