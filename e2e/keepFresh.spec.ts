import { existsSync } from 'node:fs'
import { chromium, expect, type Page } from '@playwright/test'
import { wholeBrowserPath } from '../tools/browser.ts'
import { followsPrices, openAction, openWithClock, rows } from './homePage.ts'
import { test } from './test.ts'

/** How often the page has been loaded. */
function countLoads(page: Page): () => number {
  let loads = 0
  page.on('load', () => {
    loads += 1
  })
  return () => loads
}

test('a page whose server is gone stays on screen, and reloads when that is back', async ({ page }) => {
  const loads = countLoads(page)
  await openWithClock(page)
  await expect(rows(page)).toHaveCount(10)
  await page.route('**/*', (route) => route.abort())
  const asked = page.waitForEvent('requestfailed', (request) => request.url().includes('/healthz'))
  await page.clock.fastForward('05:01')
  await asked
  const askedAgain = page.waitForEvent('requestfailed', (request) => request.url().includes('/healthz'))
  await expect(async () => {
    await page.clock.fastForward('00:06')
    await Promise.race([askedAgain, Promise.reject(new Error('not yet'))])
  }).toPass()
  await expect(rows(page)).toHaveCount(10)
  expect(loads()).toBe(1)
  await page.unroute('**/*')
  const reloaded = page.waitForEvent('load')
  await page.clock.fastForward('00:06')
  await reloaded
  await expect(rows(page)).toHaveCount(10)
})

test('details that are open are there again after five minutes, in a page that is new', async ({ page }) => {
  await openWithClock(page)
  await rows(page).filter({ hasText: 'Basalt' }).getByRole('link', { name: 'Basalt', exact: true }).click()
  await expect(page.getByRole('dialog', { name: 'Basalt' })).toContainText('Contract')
  const reloaded = page.waitForEvent('load')
  await page.clock.fastForward('05:01')
  await reloaded
  await expect(page.getByRole('dialog', { name: 'Basalt' })).toContainText('Contract')
  await page.keyboard.press('Escape')
  await expect(page).toHaveURL('/')
})

test('a boost that is about to be paid for and a search that is being typed are not torn away', async ({ page }) => {
  const loads = countLoads(page)
  let asked = 0
  // A page that wants to load itself anew first asks whether its server is there.
  page.on('request', (request) => {
    if (request.url().includes('/healthz')) asked += 1
  })
  await openWithClock(page)
  await openAction(page, 'Basalt', /boost/i).click()
  await expect(page.getByRole('dialog')).toContainText('Wallet Not Connected')
  await page.clock.fastForward('05:01')
  await page.clock.fastForward('00:06')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.getByPlaceholder('Search tokens...').fill('bas')
  await page.clock.fastForward('00:06')
  await expect(page.getByText('Showing 1 of 1 tokens')).toBeVisible()
  expect([asked, loads()]).toEqual([0, 1])
  const reloaded = page.waitForEvent('load')
  await page.keyboard.press('ArrowDown')
  await page.clock.fastForward('00:06')
  await reloaded
  await expect(page.getByPlaceholder('Search tokens...')).toHaveValue('bas')
})

test('a page that the visitor comes back to reloads, also out of the memory of the browser', async ({ baseURL }) => {
  // The browser without windows keeps no pages; where it is the only one, this is a step back like any other.
  const isWhole = existsSync(wholeBrowserPath)
  const launch = test.info().project.use.launchOptions
  const browser = await chromium.launch({
    ...launch,
    ...(isWhole && { executablePath: wholeBrowserPath }),
    ignoreDefaultArgs: ['--disable-back-forward-cache'],
  })
  try {
    const page = await browser.newPage()
    const loads = countLoads(page)
    await page.addInitScript(() =>
      addEventListener('pageshow', ({ persisted }) => persisted && sessionStorage.setItem('kept', '1')),
    )
    await page.goto(`${baseURL}/?q=tide`)
    await expect(rows(page)).toHaveCount(1)
    await followsPrices(page)
    await page.goto(`${baseURL}/docs`)
    await expect(page.getByRole('heading', { name: 'Authentication' })).toBeVisible()
    // Its answer may be overtaken by the reload.
    await page.goBack({ waitUntil: 'commit' }).catch(() => null)
    await expect.poll(loads).toBe(3)
    await expect(page).toHaveURL(`${baseURL}/?q=tide`)
    await expect(rows(page)).toHaveCount(1)
    const readKept = () => page.evaluate(() => sessionStorage.getItem('kept'))
    expect(await readKept()).toBe(isWhole ? '1' : null)

    // The page does not load again while someone is typing.
    await page.getByPlaceholder('Search tokens...').press('End')
    await followsPrices(page)
    await page.goto(`${baseURL}/docs`)
    await page.goBack({ waitUntil: 'commit' }).catch(() => null)
    await expect(page).toHaveURL(`${baseURL}/?q=tide`)
    await followsPrices(page)
    expect(loads()).toBe(isWhole ? 4 : 5)
  } finally {
    await browser.close()
  }
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } })

  test('a choice of wallets in the menu is not torn away after five minutes', async ({ page }) => {
    const loads = countLoads(page)
    await openWithClock(page)
    await page.getByRole('button', { name: 'Menu' }).click()
    await page.getByRole('button', { name: 'Connect Wallet' }).click()
    await expect(page.getByRole('heading', { name: 'Connect a wallet' })).toBeVisible()
    await page.clock.fastForward('05:01')
    await page.clock.fastForward('00:06')
    await expect(page.getByRole('heading', { name: 'Connect a wallet' })).toBeVisible()
    expect(loads()).toBe(1)
    const reloaded = page.waitForEvent('load')
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.clock.fastForward('00:06')
    await reloaded
  })
})
