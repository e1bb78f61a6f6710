import { join } from 'node:path'
import { type Failure, toLoggedError } from '@chainboard/core'
import type { FastifyInstance } from 'fastify'
import { createApp } from './api/createApp.ts'
import type { DrainTimes } from './api/health/drain.ts'
import { createHealth } from './api/health/health.ts'
import { openProbes, type Probes } from './api/health/openProbes.ts'
import type { Chain } from './chain/chain.ts'
import type { Config } from './config.ts'
import type { KeyGate } from './keys/keyGate.ts'
import type { SourceLog } from './market/pollSource.ts'
import { openAlone } from './openAlone.ts'
import { openBase } from './openBase.ts'
import type { openCluster } from './openCluster.ts'
import { openGraph } from './openGraph.ts'
import { openSiteEdits } from './openSiteEdits.ts'
import { root } from './places.ts'
import type { Site } from './site.ts'
import { toApiDeps } from './toApiDeps.ts'
import { toListenFailure } from './toListenFailure.ts'

const webDir = join(root, 'web/dist')

export type Server = {
  readonly app: FastifyInstance
  readonly keyGate: KeyGate
  /** Where it listens. */
  readonly url: string
  /**
   * Resolves when the index has caught up with the chain for the first time and the market was taken from it; without an index,
   * when a subgraph has answered.
   */
  readonly full: Promise<void>
  /** Where `METRICS_PORT` is answered; undefined without one. */
  readonly probesUrl: string | undefined
  /** Turns readiness off, closes the listener a while later, and resolves when the answers under way are out. */
  readonly drain: (times: DrainTimes) => Promise<void>
  /** Ends every part in order, and what answers are still under way. */
  close(): Promise<void>
}

/**
 * The composition root: opens the store, follows the chain, keeps the market and listens. Up at once with what is stored,
 * whether the node answers or not.
 * @param given a chain for everything, instead of the nodes of the configuration
 * @param onLost called when the store is lost to this server, which must end: the failure says why
 */
export async function startServer(
  config: Config,
  given?: Chain,
  onLost: (failure: Failure) => void = () => undefined,
): Promise<Server> {
  const opened: Opened = {}
  const base = await openBase(config, {
    given,
    log: toLog(opened),
    onLost,
    maySweep: () => opened.site?.isLeading() ?? 'file' in config.store,
  })
  const { log, chain, keys } = base
  const ending = new AbortController()
  const hashSubject = (subject: string) => base.users.keyedHash('stream', subject)
  const parts = { ...base, signal: ending.signal, hashSubject, onLost }
  const site = await ('file' in config.store ? openAlone(config, parts) : openShared(config, config.store.databaseUrl, parts))
  opened.site = site
  const graph = openGraph(config, { chain, log, signal: ending.signal, hasNearReplica: site.hasNearReplica })
  const edits = openSiteEdits(config, { store: base.requestStore, act: base.operators.act, site, log })
  const deps = toApiDeps(config, { base, graph, site, edits })
  const health = createHealth(deps)
  health.metrics.watchNodes(base.nodeCalls.list)
  // What it leads is in other hands before it stops answering.
  health.drain.onBegin(() => void site.resign())
  const app = await createApp(deps, { ...config, webDir, isLocal: config.publicOrigin === undefined }, health)
  opened.app = app
  if (config.metricsPort === undefined && !config.tellsFigures) log.info({}, figuresOff)
  let probes: Probes | undefined
  const close = async () => {
    // Before the app, which waits for the answers under way.
    ending.abort()
    await app.close()
    await graph.close()
    await edits.stop()
    await site.stop()
    await base.close()
    await probes?.close()
  }
  try {
    await site.begin()
    const url = await listen(app, config)
    probes = await openProbes(config, health, log)
    return { app, keyGate: keys.gate, url, probesUrl: probes?.url, full: site.full, drain: health.drain.run, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** What PostgreSQL alone needs is loaded for PostgreSQL alone. */
async function openShared(...given: Parameters<typeof openCluster>): Promise<Site> {
  return (await import('./openCluster.ts')).openCluster(...given)
}

/** What is opened after those that refer to it. */
type Opened = { app?: FastifyInstance; site?: Site }

/** An operator who set up a scrape of this port before it required a token finds the reason in the log. */
const figuresOff = 'Nobody can read /metrics: set METRICS_PORT, or METRICS_TOKEN for this port'

function listen(app: FastifyInstance, config: Config): Promise<string> {
  return app.listen({ host: config.host, port: config.port }).catch((error: unknown) => {
    throw toListenFailure(error, config)
  })
}

/** The app's log, which is made of what is opened before it: troubles before that go to the console. */
function toLog(opened: Opened): SourceLog {
  const shout = (facts: { readonly err?: unknown }, text: string) =>
    console.error(text, 'err' in facts ? { ...facts, err: toLoggedError(facts.err) } : facts)
  const of = (level: keyof SourceLog) => (facts: object, text: string) =>
    opened.app ? opened.app.log[level](facts, text) : shout(facts, text)
  return { info: of('info'), warn: of('warn'), error: of('error') }
}
