import { expect } from '@playwright/test'
import { rows } from './homePage.ts'
import { test } from './test.ts'

test.use({ serviceWorkers: 'allow' })

test('without a connection the last prices are shown with their time, and nothing old is called live', async ({
  page,
  context,
}) => {
  await page.goto('/')
  await page.evaluate(() => navigator.serviceWorker.ready)
  const isKept = () => page.evaluate(async () => (await caches.match('/')) !== undefined)
  await expect(async () => {
    await page.goto('/')
    await expect(rows(page)).toHaveCount(10)
    expect(await isKept()).toBe(true)
  }).toPass({ timeout: 30_000 })
  // Answers of the API, which may be private, are never kept.
  const paths = await page.evaluate(async () => {
    const names = await caches.keys()
    const requests = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()))
    return requests.flat().map(({ url }) => new URL(url).pathname.replace(/^\/assets\/.*(\.\w+)$/, '$1'))
  })
  expect(paths.sort()).toEqual(['.css', '.woff2', '/'])

  await context.setOffline(true)
  await page.goto('/portfolio')
  await expect(page.getByText(/^Offline, prices of \d{1,2} \w{3} \d{4}, \d\d:\d\d\. Try again$/)).toBeVisible()
  await expect(page.locator('tbody tr')).toHaveCount(10)
  await expect(page.locator('tbody tr').first()).toContainText('$')
  await expect(page.getByText(/^Live prices/)).toBeHidden()
  await expect(page.getByText(/^Block [\d,]+/)).toBeHidden()

  await context.setOffline(false)
  await page.goto('/')
  await expect(page.getByText(/^Live prices/)).toBeVisible()
  await expect(page.getByText('Offline, prices of')).toHaveCount(0)
})
