import type { Config } from './config.ts'
import type { SourceLog } from './market/pollSource.ts'
import type { Act } from './operators/createActs.ts'
import { createSiteEdits, type SiteEdits } from './operators/siteEdits.ts'
import { pause } from './pause.ts'
import type { Site } from './site.ts'
import type { Store } from './store/store.ts'

/** How soon a server takes in what was edited on another one. */
const lookEveryMs = 2_000

export type OpenSiteEdits = { readonly siteEdits: SiteEdits; stop(): Promise<void> }

type Parts = {
  readonly store: Store
  readonly act: Act
  readonly site: Pick<Site, 'list' | 'putFeatured'>
  readonly log: SourceLog
}

/** What operators edited in the panel, kept up to date until it is stopped. */
export function openSiteEdits({ network }: Pick<Config, 'network'>, { store, act, site, log }: Parts): OpenSiteEdits {
  const siteEdits = createSiteEdits({
    store,
    act,
    allowed: network.panelEdits ?? false,
    list: {
      symbolOf: (token) => site.list.find(token)?.symbol,
      featured: () => site.list.current().highlighted.map(({ id }) => id),
      putFeatured: site.putFeatured,
    },
    nowMs: Date.now,
  })
  const stopping = new AbortController()
  const following = (async () => {
    let failing = false
    while (siteEdits.allowed && !stopping.signal.aborted) {
      try {
        await siteEdits.follow()
        failing = false
      } catch (err) {
        if (!failing) log.warn({ err }, 'The edits of operators could not be read: the server keeps the last ones')
        failing = true
      }
      await pause(lookEveryMs, stopping.signal)
    }
  })()
  return {
    siteEdits,
    stop: async () => {
      stopping.abort()
      await following
    },
  }
}
