import { isReloadHeld } from '../lib/busy.ts'
import { hasAnswer } from '../lib/fetchJson.ts'
import { healthUrl } from '../lib/urls.ts'
import { isReloadBad, readPageFacts } from './judgeReload.ts'

const reloadAfterMs = 5 * 60_000
const retryMs = 5_000

/** What of the browser this needs. */
export type FreshPage = {
  /** A reload would tear somebody out of something; `restored` from the browser's cache there is less to lose. */
  readonly isBusy: (why: 'old' | 'restored') => boolean
  /** The server can answer a reload. */
  readonly isServerThere: () => Promise<boolean>
  readonly reload: () => void
  /** Calls back when the browser brings the page back from its cache, as old as it was. */
  readonly onRestored: (restored: () => void) => void
}

const thisPage: FreshPage = {
  isBusy: (why) => isReloadBad({ held: isReloadHeld(), ...readPageFacts(document) }, why),
  isServerThere: () => hasAnswer(healthUrl),
  reload: () => location.reload(),
  onRestored: (restored) => addEventListener('pageshow', (event) => event.persisted && restored()),
}

/**
 * The page loads itself anew after five minutes, and when the browser brings it back from its cache. Everything it shows is in its address.
 * While it is busy, or its server is gone, it asks again every five seconds: an old page is worth more than none.
 */
export function keepFresh(page: FreshPage = thisPage): void {
  const reload = async (why: 'old' | 'restored'): Promise<void> => {
    // Whoever has begun something while the server was asked is not torn out of it.
    if (!page.isBusy(why) && (await page.isServerThere()) && !page.isBusy(why)) page.reload()
    else setTimeout(() => void reload(why), retryMs)
  }
  setTimeout(() => void reload('old'), reloadAfterMs)
  page.onRestored(() => void reload('restored'))
}
