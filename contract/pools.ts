import { type Static, Type } from 'typebox'
import { group } from './route.ts'
import { addressParam, addressText, literals, numberOrNull, orNull, problems, query } from './shapes.ts'

const poolSorts = ['liquidity', 'volume', 'new'] as const
/** Of a page: the depth of each pool is worked out. */
export const poolPageMax = 50

const side = Type.Object({
  address: Type.String(),
  symbol: Type.String({ description: 'as its contract reports it; untrusted text' }),
  name: Type.String(),
  listed: Type.Boolean({ description: 'whether this site lists the token' }),
  usdPrice: numberOrNull('per whole token; null without a price'),
  amount: numberOrNull('whole tokens in the pool, computed from its events'),
})

const poolAnswer = Type.Object({
  address: Type.String(),
  fee: Type.Integer({ description: 'in millionths: 3000 is 0.3 %' }),
  token0: side,
  token1: side,
  price: numberOrNull('token1 per token0'),
  liquidityUsd: numberOrNull(
    'value of the pool’s tokens; an unlisted token counts at most as much as the token it is paired with; null without a listed token',
  ),
  depth: orNull(
    Type.Object({
      upUsd: Type.Number({ description: 'US dollars that raise the price of token0 by 2 %' }),
      downUsd: Type.Number({ description: 'US dollars that lower it by 2 %' }),
    }),
    { description: 'by walking its ticks, without fees' },
  ),
  volume24h: numberOrNull('US dollars; null until 24 hours are indexed'),
  firstSwapAt: orNull(Type.Integer()),
  lastSwapAt: orNull(Type.Integer()),
})

export type WirePool = Static<typeof poolAnswer>

/** Pools of the exchange. */
export const poolRoutes = group('Tokens', {
  listPools: {
    method: 'GET',
    url: '/api/pools',
    schema: {
      summary: 'Pools of the exchange, of all tokens or of one',
      description:
        'In pages of 25, by liquidity unless `sort` says otherwise. `X-Total-Count` is the number of matching pools, `X-Total-Liquidity` their total liquidity.',
      querystring: query({
        token: Type.Optional(addressText),
        search: Type.Optional(Type.String({ maxLength: 100 })),
        sort: Type.Optional(literals(poolSorts)),
        page: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
        pageSize: Type.Optional(Type.Integer({ minimum: 1, maximum: poolPageMax })),
      }),
      response: { 200: Type.Array(poolAnswer), ...problems },
    },
  },
  getPool: {
    method: 'GET',
    url: '/api/pools/:address',
    schema: {
      summary: 'One pool',
      description: '404 for an address that no open pool of the exchange has.',
      params: addressParam,
      querystring: query({}),
      response: { 200: poolAnswer, ...problems },
    },
  },
})
