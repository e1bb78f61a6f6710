import { type Address, Failure } from '@chainboard/core'
import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { TokenMarket } from '../market/takeSnapshot.ts'
import type { ApiDeps } from './deps.ts'
import {
  addressParam,
  assetsQuery,
  chartAnswer,
  chartQuery,
  problems,
  query,
  swapAnswer,
  swapsQuery,
  tokenAnswer,
} from './schemas.ts'
import { toWireChart, toWireSwap, toWireToken } from './toWire.ts'

const defaultSwaps = 20
const trendingCount = 5

/** The token list and what hangs on one token. */
export function tokenRoutes(deps: ApiDeps): FastifyPluginCallbackTypebox {
  const toTokens = (markets: readonly TokenMarket[]) => {
    const freshness = { nowSeconds: deps.nowSeconds() }
    return markets.map((market) => toWireToken(market, freshness))
  }
  const getMarket = (address: string): TokenMarket => {
    const market = deps.snapshot().byToken.get(address.toLowerCase() as Address)
    if (!market) throw new Failure('token-not-found', `Token ${address} is not listed here`)
    return market
  }

  return (app, _, done) => {
    const tokens = { querystring: query({}), response: { 200: Type.Array(tokenAnswer), ...problems } }

    app.get('/assets.json', { schema: { ...tokens, querystring: assetsQuery } }, (request, reply) => {
      const { addresses, ...slice } = request.query
      const wanted = addresses?.split(',').map((address) => address.toLowerCase() as Address)
      const { markets, total } = deps.board().slice({ ...slice, addresses: wanted })
      reply.header('X-Total-Count', total)
      return toTokens(markets)
    })

    app.get('/highlighted.json', { schema: tokens }, () =>
      toTokens(deps.highlighted.flatMap(({ id }) => deps.snapshot().byToken.get(id) ?? [])),
    )

    app.get('/api/trending', { schema: tokens }, () => {
      const { markets } = deps.board().slice({ sort: 'volumeDesc', page: 1, pageSize: trendingCount })
      return toTokens(markets.filter(({ volume24hUsdE18 }) => volume24hUsdE18 > 0n))
    })

    app.get(
      '/api/tokens/:address/chart',
      { schema: { params: addressParam, querystring: chartQuery, response: { 200: chartAnswer, ...problems } } },
      async (request) => {
        const { range = '1d', candles = '0' } = request.query
        return toWireChart(await deps.readChart(getMarket(request.params.address), range), candles === '1')
      },
    )

    app.get(
      '/api/tokens/:address/swaps',
      { schema: { params: addressParam, querystring: swapsQuery, response: { 200: Type.Array(swapAnswer), ...problems } } },
      async (request) => {
        const { displayPool } = getMarket(request.params.address)
        if (!displayPool) return []
        return (await deps.readSwaps(displayPool, request.query.limit ?? defaultSwaps)).map(toWireSwap)
      },
    )
    done()
  }
}
