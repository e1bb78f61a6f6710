import { type Static, Type } from 'typebox'
import { group } from './route.ts'
import { addressParam, literals, noQuery, numberOrNull, orNull, problems } from './shapes.ts'

const spanNames = ['5m', '1h', '6h', '24h', '7d'] as const

const tradesSchema = Type.Object({
  buys: Type.Integer(),
  sells: Type.Integer(),
  boughtUsd: Type.Number(),
  soldUsd: Type.Number(),
  traders: Type.Integer({ description: 'number of different recipients' }),
})

const windowSchema = Type.Object({
  span: literals(spanNames),
  change: numberOrNull('percent change from the median price then; null when a pool of the price is younger'),
  volumeUsd: numberOrNull('US dollars of all swaps; null if the span is not fully indexed, or has too many swaps'),
  swaps: orNull(Type.Integer()),
  trades: orNull(tradesSchema, { description: 'null beyond the last 24 hours, and beyond the newest 10,000 swaps' }),
})

const traderSchema = Type.Object({
  wallet: Type.String({ description: 'a recipient of swaps, usually the trader, or a router' }),
  boughtUsd: Type.Number(),
  soldUsd: Type.Number(),
})

const windowsAnswer = Type.Object({
  windows: Type.Array(windowSchema),
  traders: orNull(Type.Array(traderSchema), {
    description: 'the addresses that traded most in 24 hours, at most 20; null with more than 10,000 swaps',
  }),
})

export type WireWindows = Static<typeof windowsAnswer>
export type WireWindow = Static<typeof windowSchema>
export type WireTrader = Static<typeof traderSchema>

/** Figures of a token over spans of time. 404 for a token that is not listed. */
export const windowRoutes = group('Tokens', {
  getTokenWindows: {
    method: 'GET',
    url: '/api/tokens/:address/windows',
    schema: {
      summary: 'Change, volume, swaps and traders of a token over 5 minutes to 7 days',
      description: 'Over all of its pools, until the newest block of the index.',
      params: addressParam,
      querystring: noQuery,
      response: { 200: windowsAnswer, ...problems },
    },
  },
})
