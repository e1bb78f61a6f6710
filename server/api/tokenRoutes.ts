import { type QueryOf, routes, tokenAnswer, type WireTrendingToken } from '@chainboard/contract'
import { Failure, parseAddress, type TokenFilter } from '@chainboard/core'
import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Boosts, toChainSeconds } from '../boosts/boosts.ts'
import { pickTrending } from '../market/pickTrending.ts'
import type { TokenMarket } from '../market/tokenMarket.ts'
import { toTrendingOptions } from '../networkFile.ts'
import type { NetworkFile } from '../networkFileSchema.ts'
import { sayAsOf } from './asOf.ts'
import type { Charts, Clock, Market, TokenLists } from './deps.ts'
import { createSendOnce, pickEncoding, sendPacked } from './packing.ts'
import { shareAnswers } from './sharedCache.ts'
import { toNumber, toWireChart, toWirePoints, toWireSwap, toWireToken } from './toWire.ts'
import { keepWholeList } from './wholeList.ts'

const defaultSwaps = 20
const oneToken: Record<string, unknown> = { ...tokenAnswer }

type App = Parameters<FastifyPluginCallbackTypebox>[0]

type ListDeps = Market & TokenLists & Clock & { readonly boosts: Boosts; readonly network: NetworkFile }
type HistoryDeps = Market & Charts
export type TokenRouteDeps = ListDeps & HistoryDeps

/** The token list and what hangs on one token. */
export function tokenRoutes(deps: TokenRouteDeps): FastifyPluginCallbackTypebox {
  const { boosts, nowSeconds } = deps
  return (app, _, done) => {
    shareAnswers(app)
    // What is left of a boost goes by it, in every list.
    app.addHook('onRequest', async (_, reply) => {
      reply.header('X-Chain-Time', Math.floor(toChainSeconds(boosts, nowSeconds())))
      if (boosts.pausedAtSeconds() !== undefined) reply.header('X-Boost-Clock', 'paused')
    })
    listRoutes(app, deps)
    historyRoutes(app, deps)
    done()
  }
}

/** All tokens, those the operator features, and those that are traded most. */
function listRoutes(app: App, { network, snapshot, board, highlighted, boosts, nowSeconds }: ListDeps): void {
  const trendingOptions = toTrendingOptions(network)
  const wholeList = keepWholeList({ board, boosts, nowSeconds })
  const chainSeconds = () => toChainSeconds(boosts, nowSeconds())
  const toToken = (market: TokenMarket) => {
    const untilSeconds = boosts.expirations().get(market.token.id) ?? 0
    return toWireToken(market, { nowSeconds: nowSeconds(), boost: { untilSeconds, chainSeconds: chainSeconds() } })
  }
  const toTokens = (markets: readonly TokenMarket[]) => markets.map(toToken)
  const listBoosted = () => {
    // Nobody knows is another answer than nobody is.
    if (!boosts.isKnown()) throw new Failure('not-ready', 'Failed to refresh boost data')
    return [...boosts.expirations()].flatMap(([id, until]) => (until > chainSeconds() ? [id] : []))
  }
  const sayNow = async (_: FastifyRequest, reply: FastifyReply) => void sayAsOf(reply, snapshot().atBlock)
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
      const { addresses, staking, boosted, search, sort, page, pageSize, ...filter } = asked
      const named = addresses?.split(',').flatMap((address) => parseAddress(address) ?? [])
      const wanted = boosted === undefined ? named : listBoosted().filter((id) => named?.includes(id) ?? true)
      const { markets, total } = board().slice({
        ...{ search, sort, page, pageSize, addresses: wanted, staking: staking === '1' },
        filter: toFilter(filter),
      })
      reply.header('X-Total-Count', total)
      return toTokens(markets)
    },
  })

  app.route({ ...routes.listCategories, preHandler: sayNow, handler: () => [...board().categories()] })

  app.route({
    ...routes.listHighlighted,
    preHandler: sayNow,
    handler: () => toTokens(highlighted().flatMap(({ id }) => snapshot().byToken.get(id) ?? [])),
  })

  app.route({
    ...routes.listTrending,
    preHandler: sayNow,
    handler: () =>
      pickTrending(snapshot(), trendingOptions).map(
        ({ market, costUsdE18 }): WireTrendingToken => ({ ...toToken(market), costOfPlaceUsd: toNumber(costUsdE18) }),
      ),
  })
}

type FilterQuery = Pick<QueryOf<'/assets.json'>, 'category' | 'verified' | 'liquidityMin' | 'newDays' | 'move' | 'warned'>

function toFilter({ category, verified, liquidityMin, newDays, move, warned }: FilterQuery): TokenFilter {
  const toBoolean = (text: '0' | '1' | undefined) => (text === undefined ? undefined : text === '1')
  return {
    ...{ category, newDays, move, verified: toBoolean(verified), warned: toBoolean(warned) },
    liquidityMinUsd: liquidityMin,
  }
}

/** Chart and swaps of a token. */
function historyRoutes(app: App, { snapshot, readChart, readSwaps, readSparkline }: HistoryDeps): void {
  const sendOnce = createSendOnce()
  const getMarket = (address: string): TokenMarket => {
    const id = parseAddress(address)
    const market = id && snapshot().byToken.get(id)
    if (!market) throw new Failure('token-not-found', `Token ${address} is not on this site's list`)
    return market
  }

  app.route({
    ...routes.getChart,
    handler: async (request, reply) => {
      const { range = '1d', candles = '0' } = request.query
      const { value: chart, atBlock } = await readChart(getMarket(request.params.address), range)
      const toWire = () => toWireChart(chart, candles === '1')
      return sendOnce(request, sayAsOf(reply, atBlock), { of: chart, form: candles, toWire })
    },
  })

  app.route({
    ...routes.listSparklines,
    handler: async (request, reply) => {
      const asked = new Set(request.query.addresses.split(',').flatMap((address) => parseAddress(address) ?? []))
      const markets = [...asked].flatMap((id) => snapshot().byToken.get(id) ?? [])
      sayAsOf(reply, snapshot().atBlock)
      return Promise.all(
        markets.map(async (market) => ({
          address: market.token.address,
          points: toWirePoints((await readSparkline(market)).value),
        })),
      )
    },
  })

  app.route({
    ...routes.listSwaps,
    handler: async (request, reply) => {
      const { displayPool } = getMarket(request.params.address)
      if (!displayPool) return []
      const { value: swaps, atBlock } = await readSwaps(displayPool, request.query.limit ?? defaultSwaps)
      return sendOnce(request, sayAsOf(reply, atBlock), { of: swaps, form: '', toWire: () => swaps.map(toWireSwap) })
    },
  })
}
