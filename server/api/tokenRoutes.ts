import { routes, tokenAnswer, type WireTrendingToken } from '@chainboard/contract'
import { type Address, Failure } from '@chainboard/core'
import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { toChainSeconds } from '../boosts/boosts.ts'
import { pickTrending } from '../market/pickTrending.ts'
import type { TokenMarket } from '../market/tokenMarket.ts'
import { toTrendingOptions } from '../networkFile.ts'
import { sayAsOf } from './asOf.ts'
import type { ApiDeps } from './deps.ts'
import { createSendOnce, pickEncoding, sendPacked } from './packing.ts'
import { toNumber, toWireChart, toWireSwap, toWireToken } from './toWire.ts'
import { keepWholeList } from './wholeList.ts'

const defaultSwaps = 20
const oneToken: Record<string, unknown> = { ...tokenAnswer }

/** The token list and what hangs on one token. */
export function tokenRoutes(deps: ApiDeps): FastifyPluginCallbackTypebox {
  const trendingOptions = toTrendingOptions(deps.network)
  const wholeList = keepWholeList(deps)
  const sendOnce = createSendOnce()
  const chainSeconds = () => toChainSeconds(deps.boosts, deps.nowSeconds())
  const toToken = (market: TokenMarket) => {
    const untilSeconds = deps.boosts.expirations().get(market.token.id) ?? 0
    return toWireToken(market, { nowSeconds: deps.nowSeconds(), boost: { untilSeconds, chainSeconds: chainSeconds() } })
  }
  const toTokens = (markets: readonly TokenMarket[]) => markets.map(toToken)
  const getMarket = (address: string): TokenMarket => {
    const market = deps.snapshot().byToken.get(address.toLowerCase() as Address)
    if (!market) throw new Failure('token-not-found', `Token ${address} is not on this site's list`)
    return market
  }

  const listBoosted = () => {
    // Nobody knows is another answer than nobody is.
    if (!deps.boosts.isKnown()) throw new Failure('not-ready', 'Failed to refresh boost data')
    return [...deps.boosts.expirations()].flatMap(([id, until]) => (until > chainSeconds() ? [id] : []))
  }

  return (app, _, done) => {
    // What is left of a boost goes by it, in every list.
    app.addHook('onRequest', async (_, reply) => {
      reply.header('X-Chain-Time', Math.floor(chainSeconds()))
      if (deps.boosts.pausedAtSeconds() !== undefined) reply.header('X-Boost-Clock', 'paused')
    })
    const sayNow = async (_: FastifyRequest, reply: FastifyReply) => void sayAsOf(reply, deps.snapshot().atBlock)
    const sendWholeList = async (request: FastifyRequest, reply: FastifyReply) => {
      const serialize = reply.compileSerializationSchema(oneToken)
      const encoding = pickEncoding(request.headers['accept-encoding'])
      const { bytes, total } = await wholeList(encoding, (market) => serialize(toToken(market)))
      return sendPacked(reply.header('X-Total-Count', total), encoding, bytes)
    }
    app.route({
      ...routes.listTokens,
      preHandler: sayNow,
      handler: async (request, reply) => {
        const { _, ...asked } = request.query
        if (Object.keys(asked).length === 0) return sendWholeList(request, reply)
        const { addresses, staking, boosted, ...slice } = asked
        const named = addresses?.split(',').map((address) => address.toLowerCase() as Address)
        const wanted = boosted === undefined ? named : listBoosted().filter((id) => named?.includes(id) ?? true)
        const { markets, total } = deps.board().slice({ ...slice, addresses: wanted, staking: staking === '1' })
        reply.header('X-Total-Count', total)
        return toTokens(markets)
      },
    })

    app.route({
      ...routes.listHighlighted,
      preHandler: sayNow,
      handler: () => toTokens(deps.highlighted().flatMap(({ id }) => deps.snapshot().byToken.get(id) ?? [])),
    })

    app.route({
      ...routes.listTrending,
      preHandler: sayNow,
      handler: () =>
        pickTrending(deps.snapshot(), trendingOptions).map(
          ({ market, costUsdE18 }): WireTrendingToken => ({ ...toToken(market), costOfPlaceUsd: toNumber(costUsdE18) }),
        ),
    })

    app.route({
      ...routes.getChart,
      handler: async (request, reply) => {
        const { range = '1d', candles = '0' } = request.query
        const { value: chart, atBlock } = await deps.readChart(getMarket(request.params.address), range)
        const toWire = () => toWireChart(chart, candles === '1')
        return sendOnce(request, sayAsOf(reply, atBlock), { of: chart, form: candles, toWire })
      },
    })

    app.route({
      ...routes.listSwaps,
      handler: async (request, reply) => {
        const { displayPool } = getMarket(request.params.address)
        if (!displayPool) return []
        const { value: swaps, atBlock } = await deps.readSwaps(displayPool, request.query.limit ?? defaultSwaps)
        return sendOnce(request, sayAsOf(reply, atBlock), { of: swaps, form: '', toWire: () => swaps.map(toWireSwap) })
      },
    })
    done()
  }
}
