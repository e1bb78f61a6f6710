import { type Browser, chromium } from '@playwright/test'
import { browserFlags, browserPath } from '../../tools/browser.ts'

/** Slow 3G: every request waits so long for its answer, and all share so many bits a second. */
export const slowNetwork = { latencyMs: 400, kilobitsPerSecond: 400 } as const
const readyMsMax = 60_000
const rowsShown = 10
const phone = { width: 390, height: 844 }

/** From the navigation to the first frame with rows that can be read, and until the page is the browser's own; milliseconds. */
export type SlowVisit = { readonly readableMs: number; readonly takenMs: number }

declare global {
  interface Window {
    slowVisit: { readableMs: number; takenMs: number }
  }
}

/** Opens the home page on a slow network, each time in a new browser profile. @throws TimeoutError when it takes more than a minute */
export async function measureSlowVisits(url: string, count: number, signal: AbortSignal): Promise<readonly SlowVisit[]> {
  const browser = await chromium.launch({ executablePath: browserPath, args: [...browserFlags] })
  const end = () => void browser.close()
  signal.addEventListener('abort', end)
  try {
    const visits: SlowVisit[] = []
    for (let i = 0; i < count; i += 1) visits.push(await visit(browser, url))
    return visits
  } finally {
    signal.removeEventListener('abort', end)
    await browser.close()
  }
}

async function visit(browser: Browser, url: string): Promise<SlowVisit> {
  const context = await browser.newContext({ viewport: phone, serviceWorkers: 'block' })
  const page = await context.newPage()
  await page.addInitScript(watchFrames, rowsShown)
  const session = await context.newCDPSession(page)
  const bytesPerSecond = (slowNetwork.kilobitsPerSecond * 1_000) / 8
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', {
    ...{ offline: false, latency: slowNetwork.latencyMs },
    ...{ downloadThroughput: bytesPerSecond, uploadThroughput: bytesPerSecond },
  })
  await page.goto(url, { waitUntil: 'commit' })
  await page.waitForFunction(() => window.slowVisit.takenMs > 0, undefined, { timeout: readyMsMax })
  const times = await page.evaluate(() => window.slowVisit)
  await context.close()
  return times
}

/** In the page: looks at each frame, of which there is none before the style sheet is there. A frame's task begins when it is painted. */
function watchFrames(rows: number): void {
  window.slowVisit = { readableMs: 0, takenMs: 0 }
  const look = () => {
    const shown = [...document.querySelectorAll('[aria-labelledby="all-tokens"] :is(li, tbody tr)')]
    const readable = shown.filter((row) => row.checkVisibility({ visibilityProperty: true }) && row.textContent.includes('$'))
    const isTaken = document.body && !document.documentElement.hasAttribute('data-drawn')
    setTimeout(() => {
      if (window.slowVisit.readableMs === 0 && readable.length >= rows) window.slowVisit.readableMs = performance.now()
      if (window.slowVisit.readableMs > 0 && isTaken) window.slowVisit.takenMs ||= performance.now()
    })
    if (window.slowVisit.takenMs === 0) requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
}
