import { type Browser, chromium, type Page } from '@playwright/test'
import { browserFlags, browserPath } from '../../tools/browser.ts'
import type { Entry } from './generateTokens.ts'
import type { Search } from './pickSearches.ts'
import { installProbe, type Shown, type Wanted } from './probe.ts'

/** How many times slower than this machine the visitor's is. */
export const throttleRate = 4
/** Between two letters of a fast typist. */
const letterMs = 90
const pageSize = 10
const stepMsMax = 30_000
/** For logos and what is fetched ahead. */
const settledMs = 1_000
const searchBox = 'Search tokens...'

/** How soon the page showed the result of each step, in milliseconds. */
export type BrowserTimes = {
  readonly searches: readonly Shown[]
  readonly sorts: readonly Shown[]
  readonly pages: readonly Shown[]
}

/** What a visitor does with the table, in a throttled browser, from each step to the frame that shows its result. */
export async function measureBrowser(
  url: string,
  {
    tokens,
    searches,
    steps,
    signal,
  }: { tokens: readonly Entry[]; searches: readonly Search[]; steps: number; signal: AbortSignal },
): Promise<BrowserTimes> {
  const browser = await chromium.launch({ executablePath: browserPath, args: [...browserFlags] })
  const end = () => void browser.close()
  signal.addEventListener('abort', end)
  try {
    const page = await openPage(browser, url)
    await showAll(page, url, tokens.length)
    const searched: Shown[] = []
    const sorts: Shown[] = []
    const pages: Shown[] = []
    for (const search of searches) searched.push(await timeSearch(page, search, tokens.length))
    const byName = tokens.map(({ name }) => name).sort((a, b) => compare(a.toLowerCase(), b.toLowerCase()))
    for (let step = 0; step < steps; step += 1) {
      await showAll(page, url, tokens.length)
      sorts.push(
        await timeStep(page, { rows: byName.slice(0, pageSize) }, () =>
          page.getByRole('columnheader', { name: 'Token' }).getByRole('button').click(),
        ),
      )
      pages.push(
        await timeStep(page, { rows: byName.slice(pageSize, 2 * pageSize) }, () =>
          page.getByRole('link', { name: /next page/i }).click(),
        ),
      )
    }
    return { searches: searched, sorts, pages }
  } finally {
    signal.removeEventListener('abort', end)
    await browser.close()
  }
}

async function openPage(browser: Browser, url: string): Promise<Page> {
  const page = await browser.newPage({ baseURL: url, viewport: { width: 1_440, height: 900 } })
  page.setDefaultTimeout(stepMsMax)
  await page.addInitScript(installProbe)
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: throttleRate })
  return page
}

async function showAll(page: Page, url: string, total: number): Promise<void> {
  await page.goto(url)
  await page.getByText(toLine(total), { exact: true }).waitFor()
  // The page is the browser's, and its later parts are there: what follows is measured, not the opening. The stream keeps the network busy.
  await page.locator('html:not([data-drawn])').waitFor()
  await page.getByRole('button', { name: 'Columns' }).waitFor()
  await page.waitForTimeout(settledMs)
}

/** Types it letter by letter, takes the time of the last one, and clears the box again. */
async function timeSearch(page: Page, { text, total }: Search, all: number): Promise<Shown> {
  const box = page.getByPlaceholder(searchBox)
  await box.click()
  for (const letter of text.slice(0, -1)) {
    await page.keyboard.press(letter)
    await page.waitForTimeout(letterMs)
  }
  const shown = await timeStep(page, { line: toLine(total) }, () => page.keyboard.press(text.slice(-1)))
  await box.fill('')
  await page.getByText(toLine(all), { exact: true }).waitFor()
  return shown
}

async function timeStep(page: Page, wanted: Wanted, act: () => Promise<void>): Promise<Shown> {
  const shown = await page.evaluateHandle((what) => ({ answer: window.waitForAnswer(what) }), wanted)
  await act()
  return shown.evaluate(({ answer }) => answer)
}

function toLine(total: number): string {
  return `Showing ${Math.min(pageSize, total)} of ${total.toLocaleString('en-US')} tokens`
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
