import { expect, type Page } from '@playwright/test'
import { rows } from './homePage.ts'
import { test } from './test.ts'

/** How often the page has been loaded. */
function countLoads(page: Page): () => number {
  let loads = 0
  page.on('load', () => {
    loads += 1
  })
  return () => loads
}

test('a page whose server is gone stays on screen, and loads anew when that is back', async ({ page }) => {
  await page.clock.install()
  const loads = countLoads(page)
  await page.goto('/')
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

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } })

  test('a choice of wallets in the menu is not torn away after five minutes', async ({ page }) => {
    await page.clock.install()
    const loads = countLoads(page)
    await page.goto('/')
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
