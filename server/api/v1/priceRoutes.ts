import { priceRoutes as priceApi, type WireNamesake, type WireSymbolPrice } from '@chainboard/contract'
import type {} from '@fastify/swagger'
import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Allowance, KeyGate, Spent } from '../../keys/keyGate.ts'
import type { TokenMarket } from '../../market/tokenMarket.ts'
import { clientOf } from '../clientOf.ts'
import { pickEncoding } from '../packing.ts'
import type { Admit } from './admit.ts'
import { answerBatch, describeMissing } from './answerBatch.ts'
import { findBySymbol } from './findBySymbol.ts'
import { everyHead, jsonType, keepAndAsk, keepLine, preflightHead, toRateHead, toTail } from './heads.ts'
import { mounted } from './mounted.ts'
import { type CachedPrices, toHead } from './priceCache.ts'
import { answerApiProblems, sendError, sendRefusal, setHead } from './refusals.ts'
import { packTail } from './splice.ts'
import type { PriceStream } from './stream/priceStream.ts'
import { streamRoute } from './stream/streamRoute.ts'
import { toPrice } from './toPrice.ts'

export type PriceRouteDeps = {
  readonly prices: () => CachedPrices
  readonly nowSeconds: () => number
  readonly gate: KeyGate
  readonly stream: PriceStream
  /** What was spent for a request before it came here. */
  readonly spentFor: (request: FastifyRequest['raw']) => Spent | Promise<Spent> | undefined
}

type App = Parameters<FastifyPluginCallbackTypebox>[0]

/**
 * The price API, for any page and program. A request counts when it is answered with data, with 304, or with the word that
 * there is no such token; what is refused before (its shape, its key, its limit) does not.
 */
export function priceRoutes(deps: PriceRouteDeps): FastifyPluginCallbackTypebox {
  const admit = createAdmit(deps)
  return (app, _, done) => {
    answerApiProblems(app)
    app.addHook('onRequest', async (request, reply) => {
      // The page's own headers say nothing about data; those of the line stay.
      for (const name of Object.keys(reply.getHeaders())) if (name !== keepLine[0]) reply.removeHeader(name)
      setHead(reply, [...everyHead, 'x-request-id', request.id])
    })
    keptRoutes(app, deps, admit)
    batchRoute(app, deps, admit)
    streamRoute(app, { stream: deps.stream, gate: deps.gate, admit })
    refuseOtherMethods(app)
    done()
  }
}

function createAdmit({ gate, spentFor }: Pick<PriceRouteDeps, 'gate' | 'spentFor'>): Admit {
  return async (request, reply) => {
    const key = request.headers['x-api-key']
    const spent = await (spentFor(request.raw) ?? gate.spend(key === undefined ? undefined : String(key), clientOf(request)))
    if (spent.ok) {
      setHead(reply, toRateHead(spent.allowance))
      return spent
    }
    sendRefusal(reply, spent.refusal)
    return undefined
  }
}

/** All prices, one by its address and one by its symbol: what a caller may keep. */
function keptRoutes(app: App, { prices, nowSeconds }: Pick<PriceRouteDeps, 'prices' | 'nowSeconds'>, admit: Admit): void {
  app.route({
    ...mounted(priceApi.listPrices),
    compress: false,
    handler: async (request, reply) => {
      const spent = await admit(request, reply)
      if (!spent) return reply
      const encoding = pickEncoding(request.headers['accept-encoding'])
      const { head, tag } = await prices().list(encoding)
      if (isKept(request, reply, tag)) return sendUnchanged(reply)
      if (encoding !== 'identity') reply.header('content-encoding', encoding)
      return sendWritten(reply, Buffer.concat([head.bytes, packTail(head, Buffer.from(toTail(spent.allowance)))]))
    },
  })

  app.route({
    ...mounted(priceApi.getPrice),
    compress: false,
    handler: async (request, reply) => {
      const spent = await admit(request, reply)
      if (!spent) return reply
      const { address } = request.params
      const entry = prices().find(address.toLowerCase())
      if (!entry) return sendError(reply, { code: 'TOKEN_NOT_FOUND', message: describeMissing(address) })
      return sendKept(request, reply, { ...entry, allowance: spent.allowance })
    },
  })

  app.route({
    ...mounted(priceApi.getPriceBySymbol),
    handler: async (request, reply) => {
      const spent = await admit(request, reply)
      if (!spent) return reply
      const { symbol } = request.params
      const [meant, ...others] = findBySymbol(prices().snapshot.markets, symbol)
      if (!meant) return sendError(reply, { code: 'TOKEN_NOT_FOUND', message: `No listed token has the symbol ${symbol}` })
      const data: WireSymbolPrice = { ...toPrice(meant, nowSeconds()), others: others.map(toNamesake) }
      return sendKept(request, reply, { ...toHead(data), allowance: spent.allowance })
    },
  })
}

/** Prices of the tokens that a body names. */
function batchRoute(app: App, { prices, nowSeconds }: Pick<PriceRouteDeps, 'prices' | 'nowSeconds'>, admit: Admit): void {
  app.route({
    ...mounted(priceApi.listPricesOf),
    handler: async (request, reply) => {
      const spent = await admit(request, reply)
      if (!spent) return reply
      const { byToken } = prices().snapshot
      const data = answerBatch(request.body.addresses, { find: (id) => byToken.get(id), nowSeconds: nowSeconds() })
      reply.header('cache-control', 'no-store')
      return sendWritten(reply, toHead(data).head + toTail(spent.allowance))
    },
  })
}

function toNamesake({ token: { name, symbol, address, verified } }: TokenMarket): WireNamesake {
  return { name, symbol, address, verified }
}

type Kept = { readonly head: string; readonly tag: string; readonly allowance: Allowance }

function sendKept(request: FastifyRequest, reply: FastifyReply, { head, tag, allowance }: Kept): FastifyReply {
  if (isKept(request, reply, tag)) return sendUnchanged(reply)
  return sendWritten(reply, head + toTail(allowance))
}

/** Sends JSON that is written already. */
function sendWritten(reply: FastifyReply, body: string | Buffer): FastifyReply {
  return reply.header(...jsonType).send(body)
}

function sendUnchanged(reply: FastifyReply): FastifyReply {
  return reply.code(304).send()
}

/** Says what the answer's data is called, and whether the caller has that already. Weak comparison: RFC 9110 13.1.2. */
function isKept({ headers }: FastifyRequest, reply: FastifyReply, tag: string): boolean {
  reply.header(...keepAndAsk).header('etag', tag)
  const known = headers['if-none-match']?.split(',').map((each) => each.trim().replace(/^W\//, '')) ?? []
  return known.includes('*') || known.includes(tag.slice(2))
}

const reads = 'GET, HEAD, OPTIONS'
/** What each path takes. */
const offered: Readonly<Record<keyof typeof priceApi, { readonly url: string; readonly allow: string }>> = {
  listPrices: { url: mounted(priceApi.listPrices).url, allow: reads },
  getPrice: { url: mounted(priceApi.getPrice).url, allow: reads },
  getPriceBySymbol: { url: mounted(priceApi.getPriceBySymbol).url, allow: reads },
  listPricesOf: { url: mounted(priceApi.listPricesOf).url, allow: 'POST, OPTIONS' },
  streamPrices: { url: mounted(priceApi.streamPrices).url, allow: 'GET, OPTIONS' },
}

/** Preflights of browsers, and refusals of methods that a path does not support. */
function refuseOtherMethods(app: App): void {
  // Before the page, which answers every address that nobody else knows. The root itself is the API's as well.
  for (const path of ['/', '/*']) {
    app.get(path, { schema: { hide: true } }, async (_request, reply) => reply.callNotFound())
    app.options(path, { schema: { hide: true } }, async (_request, reply) => {
      setHead(reply, preflightHead)
      return reply.code(204).send()
    })
  }
  for (const { url, allow } of Object.values(offered)) {
    const method = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'].filter((each) => !allow.split(', ').includes(each))
    app.route({
      method,
      url,
      schema: { hide: true },
      exposeHeadRoute: false,
      handler: (request, reply) =>
        sendError(
          reply.header('allow', allow),
          { code: 'INVALID_REQUEST', message: `${request.method} is not allowed here: use ${allow}` },
          405,
        ),
    })
  }
}
