import { routes, type WireSiteState } from '@chainboard/contract'
import { hideUrls } from '@chainboard/core'
import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { getAddress } from 'viem'
import type { KeptSource } from '../market/pollSource.ts'
import type { Operators } from '../operators/createOperators.ts'
import { type Featured, featuredMax, type SiteEdits } from '../operators/siteEdits.ts'
import type { AdmitOperator } from './admitOperator.ts'
import type { Clock, Following, ListNews, SiteFacts, Sources } from './deps.ts'
import { findSiteAlerts } from './findSiteAlerts.ts'
import { toListStatus } from './toListStatus.ts'
import { toStatus } from './toStatus.ts'

type App = Parameters<FastifyPluginCallbackTypebox>[0]

export type ConsoleDeps = Following &
  ListNews &
  Clock &
  Pick<Sources, 'sources'> & { readonly operators: Operators; readonly siteFacts: SiteFacts; readonly siteEdits: SiteEdits }

/** How the site does, for its operators. */
export function consoleRoutes(app: App, deps: ConsoleDeps, admit: AdmitOperator, config: object): void {
  featuredRoutes(app, deps.siteEdits, admit, config)
  app.route({
    ...routes.getSiteState,
    config,
    handler: async (request) => {
      await admit('getSiteState', request)
      return { success: true as const, state: await readState(deps) }
    },
  })

  app.route({
    ...routes.reloadList,
    config,
    handler: async (request) => {
      await deps.operators.noteReload(await admit('reloadList', request))
      return { success: true as const, reading: deps.siteFacts.reloadList() }
    },
  })
}

/** What operators feature, in place of what the files say. */
function featuredRoutes(app: App, siteEdits: SiteEdits, admit: AdmitOperator, config: object): void {
  const toWire = ({ source, tokens }: Featured) => ({
    success: true as const,
    featured: { allowed: siteEdits.allowed, source, tokens: tokens.map((token) => getAddress(token)), tokensMax: featuredMax },
  })
  app.route({
    ...routes.getFeatured,
    config,
    handler: async (request) => {
      await admit('getFeatured', request)
      return toWire(await siteEdits.readFeatured())
    },
  })

  app.route({
    ...routes.editFeatured,
    config,
    handler: async (request) => {
      const operator = await admit('editFeatured', request)
      return toWire(await siteEdits.editFeatured(operator, request.body.tokens))
    },
  })
}

async function readState(deps: ConsoleDeps): Promise<WireSiteState> {
  const { siteFacts, operators, nowSeconds } = deps
  const [{ engine, bytes, freeBytes }, unusualActs] = await Promise.all([siteFacts.readStorage(), operators.listUnusual()])
  const facts = {
    index: toStatus(deps),
    sources: deps.sources().map((source) => toSource(source)),
    list: toListStatus(deps.listStatus()),
    storage: { engine, bytes: bytes ?? null, freeBytes: freeBytes ?? null },
  }
  const { version, startedAtSeconds } = siteFacts.server
  return {
    ...facts,
    now: Math.floor(nowSeconds()),
    alerts: findSiteAlerts({ ...facts, unusualActs }),
    nodes: [...siteFacts.nodes()],
    server: {
      ...{ version, nodeVersion: process.version, startedAt: startedAtSeconds },
      memoryBytes: process.memoryUsage.rss(),
    },
  }
}

function toSource({ name, readAtMs, failingSinceMs, failure }: KeptSource): WireSiteState['sources'][number] {
  return {
    name,
    answeredAt: readAtMs === undefined ? null : Math.floor(readAtMs / 1000),
    failingSince: failingSinceMs === undefined ? null : Math.floor(failingSinceMs / 1000),
    failure: failure === undefined ? null : hideUrls(failure),
  }
}
