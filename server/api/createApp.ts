import { existsSync } from 'node:fs'
import { performance } from 'node:perf_hooks'
import compress from '@fastify/compress'
import helmet from '@fastify/helmet'
import fastify, { type FastifyInstance, LogController } from 'fastify'
import { toRpcMode } from '../networkFile.ts'
import { accountCareRoutes } from './accountCareRoutes.ts'
import { accountRoutes } from './accountRoutes.ts'
import { adminRoutes } from './adminRoutes.ts'
import { createAdmission, windowMs } from './admission.ts'
import { createAnswerUnreadable } from './answerUnreadable.ts'
import { boostRoutes } from './boostRoutes.ts'
import { candleRoutes } from './candleRoutes.ts'
import { cmcRoutes } from './cmcRoutes.ts'
import type { ApiDeps } from './deps.ts'
import { openDrawnPages } from './drawnPages.ts'
import { favoriteRoutes } from './favoriteRoutes.ts'
import { createHealth, type Health } from './health/health.ts'
import { healthRoutes } from './healthRoutes.ts'
import { toHelmetOptions } from './helmetOptions.ts'
import { createHttpServer, requestTimeoutMs, silenceMaxMs } from './httpServer.ts'
import { keyRoutes } from './keyRoutes.ts'
import { countRequests, createLimits } from './limits.ts'
import { toLogger } from './logger.ts'
import { answeredText, logRequests } from './logRequests.ts'
import { openLogStream } from './logStream.ts'
import { describeRoutes, openApiRoute } from './openapi/describeRoutes.ts'
import { packedFromBytes } from './packing.ts'
import { poolRoutes } from './poolRoutes.ts'
import { portfolioRoutes } from './portfolioRoutes.ts'
import { answerProblems } from './problem.ts'
import { receiptRoute } from './receiptRoute.ts'
import { rpcRoute } from './rpcRoute.ts'
import { securityTextRoute } from './securityText.ts'
import { openSharePictures } from './sharePictures.ts'
import { shareRoute } from './shareRoute.ts'
import { signInMethodRoutes } from './signInMethodRoutes.ts'
import { siteRoutes } from './siteRoutes.ts'
import { statsRoutes } from './statsRoutes.ts'
import { subgraphRoute } from './subgraphRoute.ts'
import { swapFeedRoutes } from './swapFeedRoutes.ts'
import { tellEachMinute } from './tellEachMinute.ts'
import { tokenRoutes } from './tokenRoutes.ts'
import { answerUnroutable } from './unroutable.ts'
import { nextRequestId } from './v1/heads.ts'
import { priceApiRoot } from './v1/mounted.ts'
import { openPriceApi, type PriceApi } from './v1/openPriceApi.ts'
import { webRoutes } from './webRoutes.ts'
import { windowRoutes } from './windowRoutes.ts'

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
  /** What `/metrics` asks for; undefined: nothing. */
  readonly metricsToken?: string | undefined
  /** Whether the site has no public address, so that it answers to names of this machine alone. */
  readonly isLocal?: boolean
}

const bodyBytesMax = 64 * 1024
const nowMs = () => performance.now()

/** The HTTP side of the product, ready to listen or to be injected into. */
export async function createApp(
  deps: ApiDeps,
  { logLevel, webDir, logosDir, proxies, tellsFigures = true, metricsToken, isLocal = false }: AppOptions,
  health: Health = createHealth(deps),
): Promise<FastifyInstance> {
  const { network, networkName, origin, publicOrigin, snapshot, nowSeconds, watchSnapshots, watchIndex, keyGate } = deps
  const { metrics, drain } = health
  const isChatty = logLevel === 'debug' || logLevel === 'trace'
  const priceApi = openPriceApi(
    { snapshot, watchSnapshots, watchIndex, told: deps.told, sharedStreams: deps.sharedStreams, keyGate, nowSeconds },
    { proxies, metrics, tell: isChatty ? (answer) => app.log.debug(answer, answeredText) : undefined },
  )
  drain.onListenerClosed(priceApi.endStreams)
  const app = openServer({ logLevel, proxies, isLocal, priceApi, health, nowSeconds })
  metrics.watch(app)
  logRequests(app)
  answerProblems(app)
  await describeRoutes(app, { network, origin, publicOrigin })
  await app.register(helmet, toHelmetOptions({ network, publicOrigin }))
  await app.register(compress, { threshold: packedFromBytes, encodings: ['br', 'gzip'] })
  countRequests(app, nowMs)
  app.addHook('onSend', async (_request, reply) => {
    if (!reply.hasHeader('Cache-Control')) reply.header('Cache-Control', 'no-store')
  })
  await mountRoutes(app, deps)
  await app.register(shareRoute({ snapshot, pictures: openSharePictures(app, deps, { logosDir, metrics }) }))
  await app.register(priceApi.routes, { prefix: priceApiRoot })
  await app.register(healthRoutes(health, { tellsFigures, metricsToken }))
  openApiRoute(app)
  await app.register(securityTextRoute({ network, publicOrigin, nowSeconds }))
  const web = { network, networkName, origin, publicOrigin, snapshot, nowSeconds }
  const pages = openDrawnPages(app, { webDir, origin, snapshot, metrics })
  await app.register(webRoutes(web, { webDir: existsSync(webDir) ? webDir : undefined, logosDir, pages }))
  return app
}

type ServerParts = Pick<AppOptions, 'logLevel' | 'proxies'> & { readonly isLocal: boolean } & Pick<ApiDeps, 'nowSeconds'> & {
    readonly priceApi: PriceApi
    readonly health: Health
  }

/** Fastify on a server of our own, without a route. */
function openServer({ logLevel, proxies, isLocal, priceApi, health, nowSeconds }: ServerParts): FastifyInstance {
  const { metrics, drain } = health
  const logStream = logLevel === 'silent' ? undefined : openLogStream()
  const admission = createAdmission({ nowMs, busyShare: watchLoop(), onShed: metrics.countShed })
  const looking = setInterval(admission.look, windowMs).unref()
  const onFull = tellEachMinute((refused) =>
    app.log.warn({ refused }, 'All connections are in use: raise the limit of open files'),
  )
  const app = fastify({
    serverFactory: (answer) => createHttpServer(answer, { priceApi, admission, drain, onFull, isLocal }),
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
    clientErrorHandler: createAnswerUnreadable(nowMs),
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
    frameworkErrors: answerUnroutable({ nowSeconds }),
  })
  app.addHook('onClose', async () => {
    clearInterval(looking)
    logStream?.end()
  })
  return app
}

/** Hands each group of routes what it takes, and no more. */
async function mountRoutes(app: FastifyInstance, deps: ApiDeps): Promise<void> {
  const { network, networkName, snapshot, accounts, boosts, keys, nowSeconds, followStatus } = deps
  const { domain, publicOrigin, origin } = deps
  const { board, highlighted, readChart, readSwaps, readSparkline } = deps
  const address = { domain, publicOrigin }
  const site = { ...address, origin }
  const lists = { board, highlighted }
  const charts = { readChart, readSwaps, readSparkline }
  await app.register(tokenRoutes({ network, snapshot, boosts, nowSeconds, ...lists, ...charts }))
  await app.register(swapFeedRoutes({ readFeed: deps.readFeed, streamFeed: deps.streamFeed }))
  await app.register(poolRoutes({ readPools: deps.readPools, readDepths: deps.readDepths }))
  await app.register(windowRoutes({ snapshot, readWindows: deps.readWindows }))
  await app.register(candleRoutes({ snapshot, readCandles: deps.readCandles }))
  await app.register(boostRoutes({ boosts }))
  await app.register(receiptRoute({ network, receipts: deps.receipts }))
  await app.register(portfolioRoutes({ portfolio: deps.portfolio }))
  await app.register(siteRoutes({ network, networkName, domain, followStatus, listStatus: deps.listStatus, nowSeconds }))
  await app.register(cmcRoutes({ answerCmcListed: deps.answerCmcListed, answerCmcDex: deps.answerCmcDex, nowSeconds }))
  const mode = toRpcMode(network)
  if (mode !== 'off') await app.register(rpcRoute({ ...address, mode, gateway: deps.gateway, limits: createLimits(nowMs) }))
  await app.register(subgraphRoute({ answerGraph: deps.answerGraph }))
  await app.register(accountRoutes({ accounts, ...site }))
  await app.register(accountCareRoutes({ accounts, ...site }))
  await app.register(signInMethodRoutes({ accounts, signInMethods: deps.signInMethods, ...site }))
  await app.register(favoriteRoutes({ accounts, snapshot, ...site }))
  await app.register(statsRoutes({ accounts, snapshot }))
  await app.register(keyRoutes({ keys, ...address }))
  const { operators, siteFacts, siteEdits, listStatus, sources } = deps
  const state = { siteFacts, siteEdits, followStatus, listStatus, sources, nowSeconds }
  await app.register(adminRoutes({ keys, operators, ...state, ...site }))
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
