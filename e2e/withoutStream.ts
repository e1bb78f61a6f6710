import type { Page } from '@playwright/test'

/** Takes the page's stream of prices away: no route of a test alters what comes by it, and it would put the true prices back. */
export function withoutStream(page: Page): Promise<unknown> {
  return page.addInitScript(() =>
    ['SharedWorker', 'BroadcastChannel'].forEach((name) => void Reflect.deleteProperty(window, name)),
  )
}
