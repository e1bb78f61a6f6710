import { setTimeout as pause } from 'node:timers/promises'
import { test as base, type Page, type Route } from '@playwright/test'
import { takenOver } from './homePage.ts'

const placesMax = 5
const lookMs = 250

/**
 * The browser's test. A test that alters answers begins with the page that the server has not drawn, as the server drew from its own.
 * It acts once the page is this browser's.
 * Answers that a test alters may still be under way when it is over: they are let go, and fail nobody.
 * The first test of each worker waits until the trending tokens are ranked: the server is ready before it has compared the traders of
 * every token, and those that it has not compared have no place yet.
 */
export const test = base.extend<object, { readonly ranked: undefined; readonly preparedElsewhere: undefined }>({
  page: async ({ page }, use) => {
    prepare(page)
    await use(page)
    await page.unrouteAll({ behavior: 'ignoreErrors' })
  },
  preparedElsewhere: [
    async ({ browser }, use) => {
      const newContext = browser.newContext.bind(browser)
      browser.newContext = async (options) => {
        const context = await newContext(options)
        context.on('page', prepare)
        return context
      }
      await use(undefined)
    },
    { scope: 'worker', auto: true },
  ],
  ranked: [
    async ({ browserName: _ }, use) => {
      while ((await countPlaces()) < placesMax) await pause(lookMs)
      await use(undefined)
    },
    { scope: 'worker', auto: true, timeout: 240_000 },
  ],
})

async function countPlaces(): Promise<number> {
  const answer = await fetch(`http://127.0.0.1:${process.env['E2E_PORT']}/api/trending`)
  return ((await answer.json()) as readonly unknown[]).length
}

const preparedPages = new WeakSet<Page>()

function prepare(page: Page): void {
  if (preparedPages.has(page)) return
  preparedPages.add(page)
  beginPlain(page)
  arriveTaken(page)
}

/** A page that the server drew asks for its script after the first paint, so it may hear nothing yet when it is loaded. */
function arriveTaken(page: Page): void {
  const [goto, reload] = [page.goto.bind(page), page.reload.bind(page)]
  page.goto = async (url, options) => {
    const answer = await goto(url, options)
    // Who waits for less looks at the page before.
    if (options?.waitUntil !== 'commit') await takenOver(page)
    return answer
  }
  page.reload = async (options) => {
    const answer = await reload(options)
    await takenOver(page)
    return answer
  }
}

function beginPlain(page: Page): void {
  const route = page.route.bind(page)
  let plain: Promise<unknown> | undefined
  page.route = async (...given) => {
    plain ??= route(() => true, takeDrawnOut)
    await plain
    return route(...given)
  }
}

const drawn = /<div id="root">.*<script type="application\/json" id="drawn">.*?<\/script>/s

async function takeDrawnOut(route: Route): Promise<void> {
  if (!route.request().isNavigationRequest()) return route.fallback()
  const response = await route.fetch({ maxRedirects: 0 })
  await route.fulfill({ response, body: (await response.text()).replace(drawn, '<div id="root"></div>') })
}
