import { join } from 'node:path'
import { type Failure, toLoggedError } from '@chainboard/core'
import type { FastifyInstance } from 'fastify'
import { createApp } from './api/createApp.ts'
import type { DrainTimes } from './api/health/drain.ts'
import { createHealth } from './api/health/health.ts'
import { openProbes, type Probes } from './api/health/openProbes.ts'
import type { Chain } from './chain/chain.ts'
import type { Config } from './config.ts'
import type { IndexChange } from './indexer/followChain.ts'
import type { KeyGate } from './keys/keyGate.ts'
import type { SourceLog } from './market/pollSource.ts'
import { toWrapped } from './networkFile.ts'
import { openBase } from './openBase.ts'
import { openBoosts } from './openBoosts.ts'
import { type Following, openFollowing } from './openFollowing.ts'
import { openGraph } from './openGraph.ts'
import { openMarket } from './openMarket.ts'
import { openWarnings } from './openWarnings.ts'
import { root } from './places.ts'
import { createIndexSwitch } from './store/indexSwitch.ts'
import { toApiDeps } from './toApiDeps.ts'
import { toListenFailure } from './toListenFailure.ts'
import { findKnownScope } from './toScope.ts'

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
  const base = await openBase(config, { given, log: toLog(opened), onLost })
  const { log, list, chain, keys } = base
  const indexes = config.network.index.pools !== 'none'
  if (indexes) list.noteScope(await findKnownScope(config, base.store), undefined)
  const full = Promise.withResolvers<void>()
  const ending = new AbortController()
  const warnings = openWarnings(list, () => Date.now(), toWrapped(config.network))
  const served = createIndexSwitch({ store: base.store, sinceSeconds: undefined })
  const market = await openMarket(config, base.store, log, {
    onReading: () => {
      if (!indexes && market.subgraphStatus().complete) full.resolve()
    },
    ...{ signal: ending.signal, learned: warnings, list, served, openChain: () => chain },
    headSeconds: () => opened.following?.status()?.headAtSeconds,
  })
  const graph = openGraph(config, { chain, log, signal: ending.signal })
  const boosts = await openBoosts(config, { chain, given, store: base.requestStore, log })
  const indexListeners = new Set<(change: IndexChange) => void>()
  const deps = toApiDeps(config, { base, market, graph, boosts, indexListeners, opened })
  const health = createHealth(deps)
  health.metrics.watchNodes(base.nodeCalls.list)
  const app = await createApp(deps, { ...config, webDir, tellsFigures: config.metricsPort === undefined }, health)
  opened.app = app
  const following = openFollowing(config, {
    ...{ base, market, warnings, served },
    onChange: (change) => {
      for (const listener of indexListeners) listener(change)
      void market.snapshots.refresh({ urgent: change.caughtUp }).then(() => change.caughtUp && full.resolve())
    },
  })
  opened.following = following
  market.start()
  const listFiles = list.follow({ chain, log })
  let probes: Probes | undefined
  const close = async () => {
    // Before the app, which waits for the answers under way.
    ending.abort()
    await app.close()
    await listFiles.stop()
    await graph.close()
    await following.stop()
    await boosts.stop()
    await market.stop()
    await base.close()
    await probes?.close()
  }
  try {
    const url = await listen(app, config)
    probes = await openProbes(config, health, log)
    return { app, keyGate: keys.gate, url, probesUrl: probes?.url, full: full.promise, drain: health.drain.run, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** What is opened after those that refer to it: the app's log, and how the index stands. */
type Opened = { app?: FastifyInstance; following?: Following }

function listen(app: FastifyInstance, config: Config): Promise<string> {
  return app.listen({ host: config.host, port: config.port }).catch((error: unknown) => {
    throw toListenFailure(error, config)
  })
}

/** The app's log, which is made of what is opened before it: troubles before that go to the console. */
function toLog(opened: Pick<Opened, 'app'>): SourceLog {
  const shout = (facts: { readonly err?: unknown }, text: string) =>
    console.error(text, 'err' in facts ? { ...facts, err: toLoggedError(facts.err) } : facts)
  const of = (level: keyof SourceLog) => (facts: object, text: string) =>
    opened.app ? opened.app.log[level](facts, text) : shout(facts, text)
  return { info: of('info'), warn: of('warn'), error: of('error') }
}
