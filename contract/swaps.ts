import { type Static, Type } from 'typebox'
import { group } from './route.ts'
import { addressParam, idOnly, literals, numberOrNull, problems, query } from './shapes.ts'

const swapsQuery = query({ limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })) })

/** One swap of a token's pool; in lists the newest is first. */
const swapAnswer = Type.Object({
  id: Type.String(),
  timestamp: Type.Integer(),
  amount0: Type.String({ description: 'whole tokens as decimal text; positive went into the pool' }),
  amount1: Type.String({ description: 'whole tokens as decimal text; positive went into the pool' }),
  sender: Type.String(),
  recipient: Type.String(),
  transaction: idOnly,
  pool: Type.Object({ token0: idOnly, token1: idOnly }),
  type: literals(['buy', 'sell']),
  tokenAmount: Type.Number({ description: 'whole tokens that changed hands' }),
  usdValue: numberOrNull('at the time of the swap; null when the other side had no price'),
  priceImpact: numberOrNull('percent by which this swap moved the pool’s price; null for the first swap of a pool'),
  tokenPriceAtSwap: numberOrNull('per whole token after the swap; null when the other side had no price'),
  percentChangeFromPrevious: numberOrNull('percent change of the price in US dollars from the previous swap in the same pool'),
})

export type WireSwap = Static<typeof swapAnswer>

/** Swaps of the pool that is shown for a token, the newest first. 404 for a token that is not listed. */
export const swapRoutes = group('Tokens', {
  listSwaps: {
    method: 'GET',
    url: '/api/tokens/:address/swaps',
    schema: {
      summary: 'The newest swaps of a token',
      description: 'Swaps of the token’s displayed pool, newest first: 20, or as many as `limit`.',
      params: addressParam,
      querystring: swapsQuery,
      response: { 200: Type.Array(swapAnswer), ...problems },
    },
  },
})
