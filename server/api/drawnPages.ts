import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import type { FastifyInstance } from 'fastify'
import type { Market, Site } from './deps.ts'
import type { Metrics } from './metrics.ts'
import { openPageThread } from './pages/drawInThread.ts'
import { openPages, type Pages, pageLimits } from './pages/openPages.ts'
import type { SiteAnswer } from './pages/pageThread.ts'

type Parts = Market & Pick<Site, 'origin'> & { readonly webDir: string; readonly metrics: Pick<Metrics, 'countPage'> }

/** Pages drawn at the server from its own answers; undefined where the built page has no code for that. */
export function openDrawnPages(app: FastifyInstance, { webDir, origin, snapshot, metrics }: Parts): Pages | undefined {
  const file = join(webDir, '.draw/drawPage.js')
  if (!existsSync(file)) return undefined
  const { drawMsMax, answerMsMax, megabytesMax } = pageLimits
  const pages = openPages({
    openThread: () => openPageThread({ file, origin, ask: (path) => ask(app, path), drawMsMax, answerMsMax, megabytesMax }),
    market: snapshot,
    nowMs: () => performance.now(),
    onOutcome: metrics.countPage,
    log: app.log,
  })
  app.addHook('onClose', () => pages.close())
  return pages
}

/** As a visitor without a session gets it. */
async function ask(app: FastifyInstance, path: string): Promise<SiteAnswer> {
  const { statusCode, headers, body } = await app.inject({ url: path, headers: { accept: 'application/json' } })
  const texts = Object.entries(headers).map(([name, value]) => [name, String(value)] as const)
  return { status: statusCode, headers: Object.fromEntries(texts), body }
}
