import { type Browser, chromium, type Locator, type Page } from '@playwright/test'
import { browserFlags, browserPath } from '../../tools/browser.ts'
import { NotMeasured } from '../notMeasured.ts'

/** How many times slower than this machine the visitor's is. */
export const throttleRate = 4
const settledMs = 600
const stepMsMax = 30_000

/** The longest wait of a visitor in one act, time after time, in milliseconds: from input to the next frame, as browsers report it. */
type ActTimes = { readonly page: string; readonly act: string; readonly times: readonly number[] }

type Act = { readonly name: string; readonly run: (page: Page) => Promise<unknown> }

const button = (name: string) => (page: Page) => press(page.getByRole('button', { name, exact: true }))

/** As a mouse does it: Playwright's own `click` checks within the press what it hits, which takes up to 30 ms of a throttled page. */
async function press(target: Locator): Promise<void> {
  const first = target.first()
  const { x, y } = await findMiddle(first)
  const isHit = await first.evaluate((element, at) => element.contains(document.elementFromPoint(at.x, at.y)), { x, y })
  if (!isHit) throw new NotMeasured('something lies over the target of a press')
  await target.page().mouse.click(x, y)
}

async function findMiddle(target: Locator): Promise<{ readonly x: number; readonly y: number }> {
  await target.scrollIntoViewIfNeeded()
  const box = await target.boundingBox()
  if (!box) throw new NotMeasured('a target of a press is not on the page')
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
}

const homeActs: readonly Act[] = [
  { name: 'type a letter into the search', run: (page) => page.getByPlaceholder('Search tokens...').press('b') },
  { name: 'clear the search', run: (page) => page.getByPlaceholder('Search tokens...').press('Escape') },
  { name: 'sort by name', run: (page) => press(page.getByRole('columnheader', { name: 'Token' }).getByRole('button')) },
  { name: 'the next page', run: (page) => press(page.getByRole('link', { name: 'Next page' })) },
  { name: 'show gainers', run: button('Gainers') },
  { name: 'show all', run: button('All') },
  { name: 'open the columns', run: button('Columns') },
  { name: 'close the columns', run: (page) => page.keyboard.press('Escape') },
  { name: 'open a token', run: (page) => press(page.locator('table[data-sort] tbody tr')) },
  { name: 'close it', run: (page) => page.keyboard.press('Escape') },
  { name: 'open the palette', run: (page) => page.keyboard.press('Control+k') },
  { name: 'type into the palette', run: (page) => page.keyboard.press('w') },
  { name: 'close the palette', run: (page) => page.keyboard.press('Escape') },
]

const tokenActs: readonly Act[] = [
  { name: 'candles of 5 minutes', run: button('5m') },
  { name: 'fair prices', run: button('Fair') },
  { name: 'zoom out', run: button('Zoom out') },
  { name: 'pan into the past', run: button('Earlier') },
  { name: 'log scale', run: button('Log') },
  { name: 'open the indicators', run: button('Indicators') },
  { name: 'add Bollinger bands', run: (page) => press(page.getByLabel('Bollinger')) },
  { name: 'add MACD', run: (page) => press(page.getByLabel('MACD')) },
  { name: 'close the indicators', run: (page) => page.keyboard.press('Escape') },
  { name: 'open the comparison', run: button('Compare') },
  { name: 'compare', run: (page) => press(page.getByRole('button', { name: /^WEMB/ })) },
  { name: 'swaps: sells alone', run: button('Sells') },
  { name: 'the pools', run: (page) => press(page.getByRole('link', { name: 'Pools', exact: true })) },
]

/** What a visitor does on the home page and on a token's page, in a throttled browser. */
export async function measureActs(url: string, rounds: number, signal: AbortSignal): Promise<readonly ActTimes[]> {
  const browser = await chromium.launch({ executablePath: browserPath, args: [...browserFlags] })
  const end = () => void browser.close()
  signal.addEventListener('abort', end)
  try {
    const home = await measurePage(browser, { url, path: '/', page: 'home', acts: homeActs, rounds })
    return [...home, ...(await measurePage(browser, { url, path: '/token/bslt', page: 'token', acts: tokenActs, rounds }))]
  } finally {
    signal.removeEventListener('abort', end)
    await browser.close()
  }
}

type Plan = {
  readonly url: string
  readonly path: string
  readonly page: string
  readonly acts: readonly Act[]
  readonly rounds: number
}

async function measurePage(browser: Browser, { url, path, page: name, acts, rounds }: Plan): Promise<readonly ActTimes[]> {
  const times = acts.map(({ name: act }) => ({ page: name, act, times: [] as number[] }))
  for (let round = 0; round < rounds; round += 1) {
    const context = await browser.newContext({ baseURL: url, viewport: { width: 1_440, height: 1_000 } })
    const page = await context.newPage()
    page.setDefaultTimeout(stepMsMax)
    await page.addInitScript(watchEvents)
    const session = await context.newCDPSession(page)
    await session.send('Emulation.setCPUThrottlingRate', { rate: throttleRate })
    await page.goto(path)
    await page.waitForTimeout(4 * settledMs)
    for (const [i, { run }] of acts.entries()) {
      await page.evaluate(() => {
        window.longestEventMs = 0
      })
      await run(page)
      await page.waitForTimeout(settledMs)
      times[i]?.times.push(await page.evaluate(() => window.longestEventMs))
    }
    await context.close()
  }
  return times
}

declare global {
  interface Window {
    /** Of the interactions since it was last set to 0; 0 also for those under 16 ms. */
    longestEventMs: number
  }
}

function watchEvents(): void {
  window.longestEventMs = 0
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries())
      if ('interactionId' in entry && entry.interactionId !== 0)
        window.longestEventMs = Math.max(window.longestEventMs, entry.duration)
  })
  const options = { type: 'event', durationThreshold: 16, buffered: true }
  observer.observe(options)
}
