import { performance } from 'node:perf_hooks'
import { toDisplayText, toSiteTitle } from '@chainboard/core'
import type { FastifyInstance } from 'fastify'
import { budgets } from '../budgets/budgets.ts'
import { createMeter } from '../budgets/createMeter.ts'
import type { Charts, Clock, Network, Site } from './deps.ts'
import { logosPrefix } from './logosPrefix.ts'
import type { Metrics } from './metrics.ts'
import { openPictures, type Pictures } from './share/openPictures.ts'
import { openShareThread } from './share/openShareThread.ts'

type Deps = Network & Pick<Site, 'domain'> & Pick<Charts, 'readSparkline'> & Clock
type Options = { readonly logosDir: string; readonly metrics: Pick<Metrics, 'countPicture'> }

/** Pictures of the tokens of this site. Nothing is loaded for them until one is asked for. */
export function openSharePictures(app: Pick<FastifyInstance, 'log'>, deps: Deps, { logosDir, metrics }: Options): Pictures {
  const { siteName, chain, brand } = deps.network
  const nowMs = () => performance.now()
  const meter = createMeter(budgets.sharePictures, nowMs)
  return openPictures({
    site: {
      siteName: toSiteTitle(siteName),
      chainName: toDisplayText(chain.name, '', 40),
      domain: deps.domain,
      accent: brand.accentDark,
    },
    logos: { dir: logosDir, prefix: logosPrefix(deps) },
    thread: openShareThread(),
    readSparkline: deps.readSparkline,
    spend: meter.spend,
    nowSeconds: deps.nowSeconds,
    nowMs,
    onOutcome: metrics.countPicture,
    log: app.log,
  })
}
