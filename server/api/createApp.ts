import { existsSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import { performance } from 'node:perf_hooks'
import compress from '@fastify/compress'
import helmet from '@fastify/helmet'
import rateLimit from '@fastify/rate-limit'
import fastify, { type FastifyInstance, type FastifyReply, LogController } from 'fastify'
import { sayError } from '../market/cmc/cmcWords.ts'
import { accountRoutes } from './accountRoutes.ts'
import { adminRoutes } from './adminRoutes.ts'
import { createAdmission, windowMs } from './admission.ts'
import { createAnswerUnreadable } from './answerUnreadable.ts'
import { boostRoutes } from './boostRoutes.ts'
import { boundConnections } from './boundConnections.ts'
import { clientOf } from './clientOf.ts'
import { cmcRoutes } from './cmcRoutes.ts'
import type { ApiDeps } from './deps.ts'
import { favoriteRoutes } from './favoriteRoutes.ts'
import { createHealth, type Health } from './health/health.ts'
import { healthRoutes } from './healthRoutes.ts'
import { keyRoutes } from './keyRoutes.ts'
import { createLineLimit } from './lineLimit.ts'
import { toLogger } from './logger.ts'
import { answeredText, logRequests } from './logRequests.ts'
import { openLogStream } from './logStream.ts'
import { refuseSecondHost } from './oneHost.ts'
import { describeRoutes, openApiRoute } from './openapi/describeRoutes.ts'
import { packedFromBytes } from './packing.ts'
import { portfolioRoutes } from './portfolioRoutes.ts'
import { answerProblems } from './problem.ts'
import { receiptRoute } from './receiptRoute.ts'
import { rpcRoute } from './rpcRoute.ts'
import { siteRoutes } from './siteRoutes.ts'
import { statsRoutes } from './statsRoutes.ts'
import { subgraphRoute } from './subgraphRoute.ts'
import { tokenRoutes } from './tokenRoutes.ts'
import { keepLine, nextRequestId } from './v1/heads.ts'
import { priceApiRoot } from './v1/mounted.ts'
import { isPriceApi, openPriceApi } from './v1/openPriceApi.ts'
import { sendUnreadable } from './v1/refusals.ts'
import { createWaitLimit } from './waitLimit.ts'
import { isNavigation, webRoutes } from './webRoutes.ts'

export type AppOptions = {
  readonly logLevel: string
  /** Folder of the built web page; without it the server answers the API only. */
  readonly webDir: string
  /** Folder of the tokens' logos, served under `/logos/<network's name>/`. */
  readonly logosDir: string
  /** Reverse proxies in front, each of which appends whom it speaks for to `X-Forwarded-For`. */
  readonly proxies: number
  /** Whether `/metrics` is answered here; no when it has a port of its own. */
  readonly tellsFigures?: boolean
}

const bodyBytesMax = 64 * 1024
const requestTimeoutMs = 30_000
/** Without a byte sent or read for so long a connection is closed: nobody holds an answer in memory by not reading it. */
const silenceMaxMs = 60_000
const yearSeconds = 31_536_000

/** The HTTP side of the product, ready to listen or to be injected into. */
export async function createApp(
  deps: ApiDeps,
  { logLevel, webDir, logosDir, proxies, tellsFigures = true }: AppOptions,
  health: Health = createHealth(deps),
): Promise<FastifyInstance> {
  const { metrics, drain } = health
  const isChatty = logLevel === 'debug' || logLevel === 'trace'
  const priceApi = openPriceApi(deps, {
    proxies,
    metrics,
    tell: isChatty ? (answer) => app.log.debug(answer, answeredText) : undefined,
  })
  drain.onListenerClosed(priceApi.endStreams)
  const logStream = logLevel === 'silent' ? undefined : openLogStream()
  const hasTooManyWaiting = createWaitLimit()
  const admission = createAdmission({ nowMs: () => performance.now(), busyShare: watchLoop(), onShed: metrics.countShed })
  const looking = setInterval(admission.look, windowMs).unref()
  const mayTellDrop = createLineLimit(() => performance.now())
  const app = fastify({
    serverFactory: (answer) => {
      // One clock for each line, from its last byte on: a second one for lines that wait would be set anew twice in every request.
      const handle: RequestListener = (request, response) => {
        const { socket } = request
        // Who has hung up has no address any more to be counted by, and hears nothing.
        if (socket.remoteAddress === undefined) return void socket.destroy()
        if (hasTooManyWaiting(socket, response)) return
        if (refuseSecondHost(request, response)) return
        if (drain.isDraining() && drain.hold(response, () => respond(request, response))) return
        respond(request, response)
      }
      const respond: RequestListener = (request, response) => {
        if (priceApi.answerEarly(request, response)) return
        admission.admit(request, response, () => {
          if (response.shouldKeepAlive) response.setHeader(...keepLine)
          answer(request, response)
        })
      }
      const server = createServer({ keepAliveTimeout: 0, requestTimeout: requestTimeoutMs }, handle)
      // What is expected beside `100-continue` is nothing that we know of.
      server.on('checkExpectation', handle)
      boundConnections(server, () => {
        if (mayTellDrop()) app.log.warn('All connections are in use: raise the limit of open files')
      })
      drain.watch(server)
      return server.setTimeout(silenceMaxMs)
    },
    genReqId: nextRequestId,
    bodyLimit: bodyBytesMax,
    requestTimeout: requestTimeoutMs,
    connectionTimeout: silenceMaxMs,
    // Answers under way are waited for before, by the drain.
    forceCloseConnections: true,
    // With 0 nobody's word is taken for whom a call comes from.
    trustProxy: proxies > 0 && ((_address: string, hop: number) => hop < proxies),
    logger: logStream ? toLogger(logLevel, logStream) : false,
    logController: new LogController({ disableRequestLogging: true }),
    clientErrorHandler: createAnswerUnreadable(() => performance.now()),
    ajv: {
      // `strictNumbers` lets an infinite number in a query past its maximum.
      customOptions: {
        strictNumbers: false,
        removeAdditional: false,
        coerceTypes: true,
        allErrors: false,
        verbose: true,
        allowUnionTypes: true,
      },
    },
    routerOptions: { maxParamLength: 200 },
    // Addresses that cannot even be read never reach a route. A visitor is led home from them as from every other that is nowhere.
    frameworkErrors: (error, request, reply) => {
      if (isPriceApi(request.url)) return sendUnreadable(reply as FastifyReply, { id: request.id, message: error.message })
      if (isNavigation(request) && !/^\/(api|cmc|logos)\//.test(request.url))
        return void (reply as FastifyReply).redirect('/', 302)
      const status = error.statusCode ?? 400
      const words = sayError(status, status, error.message, deps.nowSeconds() * 1000)
      void (reply as FastifyReply).code(status).send(request.url.startsWith('/cmc/') ? words.body : { error: error.message })
    },
  })
  app.addHook('onClose', async () => {
    clearInterval(looking)
    logStream?.end()
  })
  metrics.watch(app)
  logRequests(app)
  answerProblems(app)
  await describeRoutes(app, deps)
  await app.register(helmet, toHelmetOptions(deps))
  await app.register(compress, { threshold: packedFromBytes, encodings: ['br', 'gzip'] })
  await app.register(rateLimit, {
    global: false,
    keyGenerator: clientOf,
    errorResponseBuilder: (_, { after }) =>
      Object.assign(new Error(`Too many calls. Try again in ${after}`), { statusCode: 429 }),
  })
  app.addHook('onSend', async (_request, reply) => {
    if (!reply.hasHeader('Cache-Control')) reply.header('Cache-Control', 'no-store')
  })
  await app.register(tokenRoutes(deps))
  await app.register(boostRoutes(deps))
  await app.register(receiptRoute(deps))
  await app.register(portfolioRoutes(deps))
  await app.register(siteRoutes(deps))
  await app.register(cmcRoutes(deps))
  if (deps.network.rpc !== 'off') await app.register(rpcRoute(deps))
  await app.register(subgraphRoute(deps))
  await app.register(accountRoutes(deps))
  await app.register(favoriteRoutes(deps))
  await app.register(statsRoutes(deps))
  await app.register(keyRoutes(deps))
  await app.register(adminRoutes(deps))
  await app.register(priceApi.routes, { prefix: priceApiRoot })
  await app.register(healthRoutes(health, { tellsFigures }))
  openApiRoute(app)
  await app.register(webRoutes(deps, { webDir: existsSync(webDir) ? webDir : undefined, logosDir }))
  return app
}

/** Share of the time since the last call that the event loop was busy. */
function watchLoop(): () => number {
  let last = performance.eventLoopUtilization()
  return () => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, last)
    last = now
    return utilization
  }
}

/** Scripts and styles from our own origin only, calls to it and to the chain's public node; logos may come from anywhere over https. */
const toHelmetOptions = ({ network, publicOrigin }: Pick<ApiDeps, 'network' | 'publicOrigin'>) => ({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'self'"],
      scriptSrc: ["'self'"],
      styleSrc: ["'self'"],
      imgSrc: ["'self'", 'https:', 'data:'],
      fontSrc: ["'self'"],
      connectSrc: ["'self'", ...toOrigins(network.chain.publicRpcUrl)],
      objectSrc: ["'none'"],
      baseUri: ["'none'"],
      formAction: ["'self'"],
      frameAncestors: ["'none'"],
    },
  },
  crossOriginEmbedderPolicy: false,
  referrerPolicy: { policy: 'no-referrer' as const },
  // Only this host: its neighbours under the same domain are not ours to decide for.
  strictTransportSecurity: publicOrigin?.startsWith('https:')
    ? { maxAge: yearSeconds, includeSubDomains: false }
    : (false as const),
})

const toOrigins = (url: string | undefined) => (url ? [new URL(url).origin] : [])
