import { expect, type Locator, type Page } from '@playwright/test'
import { listenForComplaints, takenOver, watchShifts } from './homePage.ts'
import { test } from './test.ts'

/** The server draws a page in some 10 ms, but not while the machine is busy with other tests: a browser gets the page without then. */
const drawnSoon = { timeout: 30_000 }

/** Loads an address again until the server has drawn it. */
async function readAgain(page: Page, drawn: Locator): Promise<void> {
  await expect(async () => {
    if (!(await drawn.isVisible())) await page.reload()
    await expect(drawn).toBeVisible({ timeout: 1 })
  }).toPass(drawnSoon)
}

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false })

  test('tokens can be read, searched, sorted and paged', async ({ page }) => {
    const names = page.locator('tbody tr bdi')
    const open = async (path: string) => {
      await expect(async () => {
        await page.goto(path)
        await expect(names.first()).toBeVisible({ timeout: 1 })
      }).toPass(drawnSoon)
    }
    await open('/')
    await expect(page.getByRole('heading', { name: 'All Tokens' })).toBeVisible()
    await expect(page.getByText(/^Showing 10 of \d+ tokens$/)).toBeVisible()
    const first = await names.first().textContent()

    await page.getByRole('link', { name: 'Page 2' }).click()
    await expect(page).toHaveURL(/\/\?page=2$/)
    await open('/?page=2')
    await expect(names.first()).not.toHaveText(first ?? '')

    await page.getByRole('button', { name: 'Token', exact: true }).click()
    await expect(page).toHaveURL(/\/\?sort=nameAsc$/)
    await open('/?sort=nameAsc')
    await expect(names.first()).toHaveText('Basalt')

    await page.getByRole('textbox', { name: 'Search tokens by name or symbol' }).fill('bslt')
    await page.getByRole('textbox', { name: 'Search tokens by name or symbol' }).press('Enter')
    await expect(page).toHaveURL(/\/\?q=bslt$/)
    await open('/?q=bslt')
    await expect(page.locator('tbody tr')).toHaveCount(1)
    await page.setViewportSize({ width: 390, height: 800 })
    await expect(page.getByRole('listitem').filter({ hasText: 'BSLT' })).toBeVisible()
    await expect(page.getByRole('textbox', { name: 'Search tokens by name or symbol' })).toBeVisible()

    await page.setViewportSize({ width: 1280, height: 800 })
    const [price, proof] = [
      page.getByRole('region', { name: 'Price', exact: true }),
      page.getByRole('link', { name: 'View Receipt' }),
    ]
    await page.getByRole('link', { name: 'Basalt' }).click()
    await readAgain(page, price)
    await expect(price).toContainText(/^\$0\.\d{4}/)
    await expect(page.getByRole('table', { name: 'Swaps, newest first' }).getByRole('row').nth(1)).toContainText('BSLT')
    await proof.click()
    await readAgain(page, page.getByRole('heading', { name: 'Receipt for the price of BSLT' }))
    await expect(page.getByText(/^At block [\d,]+, .* UTC$/)).toBeVisible()
  })
})

test('scripts take over what the server drew, and nothing moves', async ({ page }) => {
  const complaints = listenForComplaints(page)
  const readShifts = await watchShifts(page)
  await expect(async () => {
    await page.goto('/')
    await expect(page.locator('script#drawn')).toBeAttached({ timeout: 1 })
  }).toPass(drawnSoon)
  const row = await page.locator('tbody tr').first().elementHandle()
  await expect(page.getByRole('button', { name: 'Filters' })).toBeVisible()
  await page.getByRole('button', { name: '24h Volume' }).click()
  await expect(page).toHaveURL(/sort=volumeDesc$/)
  // Not drawn anew: the row is the very one that the server drew.
  expect(await row?.evaluate((element) => element.isConnected)).toBe(true)
  expect(await page.locator('ul > li').filter({ hasText: 'Basalt' }).count()).toBeLessThan(3)
  expect(await readShifts()).toEqual([])
  expect(complaints).toEqual([])
})

const pageScript = /\/assets\/index-.*\.js$/

/** Opens the home page as the server drew it. @param onOpen before each try */
async function openDrawn(page: Page, onOpen = () => {}): Promise<void> {
  await expect(async () => {
    // What a page before asks for is over by then.
    await page.goto('about:blank')
    onOpen()
    await page.goto('/', { waitUntil: 'commit' })
    await expect(page.locator('script#drawn')).toBeAttached({ timeout: 500 })
  }).toPass(drawnSoon)
}

/** Opens the home page as the server drew it, and holds its script back until the returned function is called. */
async function openEarly(page: Page): Promise<() => void> {
  const arrived = Promise.withResolvers<void>()
  // Not by the page's own route, which would take out what the server drew.
  await page.context().route(pageScript, async (route) => {
    await arrived.promise
    await route.continue()
  })
  await openDrawn(page)
  return arrived.resolve
}

/** Has the first requests for the page's script fail. @returns how many there were in the page that is open */
async function failScript(page: Page, times: number): Promise<() => number> {
  let asked = 0
  await page.context().route(pageScript, (route) => {
    asked += 1
    return asked <= times ? route.abort() : route.continue()
  })
  await openDrawn(page, () => {
    asked = 0
  })
  return () => asked
}

test('presses that come before the scripts are done once they are there, each once', async ({ page }) => {
  const letScriptsCome = await openEarly(page)
  const theme = page.getByRole('button', { name: /^Switch to the \w+ theme$/ })
  await theme.click()
  // Nothing seems to happen.
  await theme.click()
  await page.getByRole('button', { name: 'Price chart of BSLT' }).last().click()
  letScriptsCome()
  await expect(page.getByRole('dialog')).toContainText('Basalt')
  await expect(page).toHaveURL(/\?chart=0x/)
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
})

test('what is typed for the palette before the scripts are there is in its search', async ({ page }) => {
  const letScriptsCome = await openEarly(page)
  await page.keyboard.press('Control+k')
  await page.keyboard.type('bas')
  letScriptsCome()
  await expect(page.getByRole('dialog').getByRole('combobox')).toHaveValue('bas')
})

test('a script that does not arrive is asked for again, and opens what was asked for meanwhile', async ({ page }) => {
  const readAsked = await failScript(page, 1)
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('dialog').getByRole('combobox')).toBeFocused()
  expect(readAsked()).toBe(2)
})

test('a page whose script never arrives says so, stays readable, and can be asked for again', async ({ page }) => {
  await page.clock.install()
  const readAsked = await failScript(page, 4)
  for (const [tries, pauseMs] of [1_000, 3_000, 9_000].entries()) {
    // The page's clock also runs by itself.
    await expect.poll(readAsked).toBeGreaterThan(tries)
    await page.clock.fastForward(pauseMs)
  }
  const word = page.getByRole('alert')
  await expect(word).toContainText('This page did not load completely. Prices and buttons do not work.')
  expect(readAsked()).toBe(4)
  await page.getByRole('link', { name: 'Page 2' }).first().click({ trial: true })
  await word.getByRole('button', { name: 'Try Again' }).click()
  await takenOver(page)
  await expect(word).toHaveCount(0)
})

test('what is typed before the scripts is searched for once they are there, and the page is still taken over', async ({
  page,
}) => {
  const complaints = listenForComplaints(page)
  const letScriptsCome = await openEarly(page)
  await page.keyboard.press('/')
  await page.keyboard.type('Basalt')
  letScriptsCome()
  await expect(page.getByText('Showing 1 of 1 tokens')).toBeVisible()
  await expect(page).toHaveURL(/\?q=Basalt$/)
  expect(complaints).toEqual([])
})

/** Of the home page. A browser may paint after any of them. */
const pieces = 300

for (const width of [390, 1_440])
  test(`at a width of ${width}, no line of the page moves up or down when more of it arrives`, async ({ page }) => {
    await page.setViewportSize({ width, height: 900 })
    await page.goto('/robots.txt', { waitUntil: 'commit' })
    await expect(async () => expect(await page.evaluate(findMoved, pieces)).toEqual([])).toPass(drawnSoon)
  })

/** In the page, in place of its document: takes the home page in piece by piece. @returns what moved up or down after it was there */
async function findMoved(count: number): Promise<string[]> {
  const html = (await (await fetch('/')).text()).replace(/<script\b.*?<\/script>/gs, '')
  if (!html.includes('<tbody')) return ['The server has not drawn the page']
  const start = html.indexOf('<body')
  document.open()
  document.write(html.slice(0, start))
  const sheets = [...document.querySelectorAll('link[rel="stylesheet"]')]
  await Promise.all(sheets.map((sheet) => new Promise((resolve) => sheet.addEventListener('load', resolve))))
  await document.fonts.load('14px "Inter Variable"')
  // A browser counts no smaller one. A glyph without the text that is to follow it makes no line.
  const [shift, lineHeight] = [3, 14]
  // What does not fit there goes out of sight.
  const hiding = '.flex-wrap-reverse *'
  const tops = new Map<Element, number>()
  const moved = new Set<string>()
  const step = Math.ceil((html.length - start) / count)
  for (let from = start; from < html.length; from += step) {
    document.write(html.slice(from, from + step))
    for (const element of document.querySelectorAll<HTMLElement>('header *, main *')) {
      const { top, height } = element.getBoundingClientRect()
      const before = tops.get(element)
      if (height >= lineHeight && element.textContent !== '' && !element.closest(hiding)) tops.set(element, top)
      if (before !== undefined && Math.abs(top - before) >= shift)
        moved.add(`${element.className}: ${element.textContent.slice(0, 30)}`)
    }
  }
  document.close()
  return [...moved]
}
