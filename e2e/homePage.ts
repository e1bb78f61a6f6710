import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import AxeBuilder from '@axe-core/playwright'
import type { WireToken } from '@chainboard/contract'
import { expect, type Page, type Route } from '@playwright/test'

// What the tests of the home page look at, and how they change what the server answers.

/** The page that the server drew hears keys now. */
export const takenOver = (page: Page) => expect(page.locator('html')).not.toHaveAttribute('data-drawn')

/** The page has its place at the stream of prices: it holds a lock for it. */
export const followsPrices = (page: Page) =>
  expect
    .poll(() => page.evaluate(async () => (await navigator.locks.query()).held?.map(({ name }) => name?.split(' ')[0])))
    .toEqual(['live-prices'])

/** Opens a page whose clock the test turns. What keeps it fresh starts after it can be pressed, and before it follows prices. */
export async function openWithClock(page: Page): Promise<void> {
  await page.clock.install()
  await page.goto('/')
  await followsPrices(page)
}

/** The tokens in the table. A row that only keeps the place of one that is still being read is none: it has nothing to press. */
export const rows = (page: Page) => page.getByRole('table', { name: /tokens/i }).locator('tbody tr:has(button)')
export const openAction = (page: Page, token: string, action: RegExp) =>
  rows(page).filter({ hasText: token }).getByRole('button', { name: action })

export const strip = (page: Page) => page.getByRole('region', { name: 'Trending' })
export const boosted = (page: Page) => page.getByRole('region', { name: 'Boosted Tokens' })
export const grid = (page: Page) => page.getByRole('region', { name: 'Featured' })
export const cards = (page: Page) => grid(page).getByRole('heading', { level: 3 }).locator('bdi')
export const card = (page: Page, name: string) =>
  grid(page)
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading', { name }) })

/** What stands in the page cut off, and the prices that take a second line for their digits. */
export const findCut = (page: Page) =>
  page.locator('main').evaluate((main) => {
    const cut = [...main.querySelectorAll('.truncate')].filter((text) => text.scrollWidth > text.clientWidth)
    const prices = [...main.querySelectorAll('span')].filter((text) => /^\$?[\d,]+\.\d+$/.test(text.innerHTML))
    const broken = prices.filter((price) => price.getClientRects().length > 1)
    return { prices: prices.length, cut: [...cut, ...broken].map((text) => text.textContent) }
  })

export const basalt = '0x0165878A594ca255338adfa4d48449f69242Eb8F'
/** What the strip and the grid ask for. */
export const listPaths = '**/{api/trending,highlighted.json}*'

export const refuse = (route: Route) => route.fulfill({ status: 500, json: { error: 'out of order' } })

/** The server's own answer with other tokens in it. */
export const answerWith = (change: (tokens: WireToken[]) => WireToken[]) => async (route: Route) => {
  const response = await route.fetch()
  await route.fulfill({ response, json: change((await response.json()) as WireToken[]) })
}

/**
 * The page waits until it knows where its parts stand, however slow the machine is. Else it shows them after two seconds, or after three
 * without scripts, and they may move.
 */
export const waitForPlaces = (page: Page) =>
  page.addInitScript(() => {
    const start = window.setTimeout.bind(window)
    window.setTimeout = ((run: TimerHandler, ms?: number, ...given: unknown[]) =>
      start(run, ms === 2_000 ? 60_000 : ms, ...given)) as typeof setTimeout
    const patience = new CSSStyleSheet()
    patience.replaceSync('[data-waits] { animation-delay: 60s !important }')
    document.adoptedStyleSheets = [patience]
  })

/** Every movement of the page that the visitor did not cause: its size, what moved, from where to where. Read it after the page has settled. */
export async function watchShifts(page: Page): Promise<() => Promise<string[]>> {
  await page.addInitScript(() => {
    type Shift = PerformanceEntry & {
      value: number
      hadRecentInput: boolean
      sources: { node: Element | null; previousRect: DOMRect; currentRect: DOMRect }[]
    }
    const shifts: string[] = []
    const place = ({ x, y, width, height }: DOMRect) => `${x},${y} ${width}x${height}`
    const describe = ({ node, previousRect, currentRect }: Shift['sources'][number]) =>
      `<${node?.nodeName} ${node?.className}> ${node?.textContent?.slice(0, 40)} ${place(previousRect)} -> ${place(currentRect)}`
    new PerformanceObserver((list) => {
      for (const { value, hadRecentInput, sources } of list.getEntries() as Shift[])
        if (!hadRecentInput) shifts.push(`${value}: ${sources.map(describe).join('; ')}`)
    }).observe({ type: 'layout-shift', buffered: true })
    Object.assign(window, { shifts })
  })
  return () => page.evaluate(() => (window as unknown as { shifts: string[] }).shifts)
}

/** Whatever the browser complains about: a blocked script, a missing file, an exception. */
export function listenForComplaints(page: Page): string[] {
  const complaints: string[] = []
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(String(error)))
  return complaints
}

const ofBuilder = createRequire(createRequire(import.meta.url).resolve('@axe-core/playwright'))
const axeSource = readFileSync(ofBuilder.resolve('axe-core/axe.min.js'), 'utf8')

/** What a page runs already it neither reads nor compiles again: of a look at a small page that was most. */
async function bringAxe(page: Page): Promise<void> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axeSource)
}

const ruleTags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
/** All that a theme can change. */
const colourRules = ['color-contrast', 'link-in-text-block']

/**
 * What axe objects to on the page as it stands, in its theme and in the other one: the theme, the rule and the first offender.
 * @param besides a part that another test looks at, left out because it takes seconds
 * @param within the one part to look at
 */
export async function findObstacles(page: Page, besides?: string, within?: string): Promise<unknown[]> {
  const theme = await page.evaluate(() => (matchMedia('(prefers-color-scheme: light)').matches ? 'light' : 'dark'))
  const other = theme === 'dark' ? 'light' : 'dark'
  const axe = () => {
    // One frame, so that axe needs no page of its own to put its finds together.
    // Of what is as it should be it tells nothing, which on a whole page is most of its work.
    const whole = new AxeBuilder({ page, axeSource: 'void 0' }).options({ resultTypes: ['violations'] }).setLegacyMode()
    const builder = within === undefined ? whole : whole.include(within)
    return besides === undefined ? builder : builder.exclude(besides)
  }
  // Half of a fade has half of its contrast.
  await finishAnimations(page)
  await bringAxe(page)
  const here = await axe().withTags(ruleTags).analyze()
  await changeTheme(page, other)
  const there = await axe().withRules(colourRules).analyze()
  await changeTheme(page, theme)
  return [
    ...here.violations.map(({ id, nodes }) => [theme, id, nodes[0]?.html]),
    ...there.violations.map(({ id, nodes }) => [other, id, nodes[0]?.html]),
  ]
}

/** All colours are the other theme's then. */
export async function changeTheme(page: Page, colorScheme: 'dark' | 'light'): Promise<void> {
  await page.emulateMedia({ colorScheme })
  await finishAnimations(page)
}

/** Brings what fades, moves or changes its colour to its end, but for what never ends: each frame in between costs work. */
export async function finishAnimations(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const ending = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().iterations !== Infinity)
    for (const animation of ending) animation.finish()
    await Promise.allSettled(ending.map(({ finished }) => finished))
  })
}
