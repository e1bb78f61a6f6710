import { expect, type Locator, type Page } from '@playwright/test'
import { listenForComplaints, watchShifts } from './homePage.ts'
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
    await expect(page).toHaveURL(/sort=nameAsc$/)
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

/** Opens the home page as the server drew it, and holds its script back until the returned function is called. */
async function openEarly(page: Page): Promise<() => void> {
  const arrived = Promise.withResolvers<void>()
  // Not by the page's own route, which would take out what the server drew.
  await page.context().route(/\/assets\/index-.*\.js$/, async (route) => {
    await arrived.promise
    await route.continue()
  })
  await expect(async () => {
    await page.goto('/', { waitUntil: 'commit' })
    await expect(page.locator('script#drawn')).toBeAttached({ timeout: 500 })
  }).toPass(drawnSoon)
  return arrived.resolve
}

test('a press that comes before the scripts is done once they are there', async ({ page }) => {
  const letScriptsCome = await openEarly(page)
  await page.getByRole('button', { name: 'Price chart of BSLT' }).last().click()
  letScriptsCome()
  await expect(page.getByRole('dialog')).toContainText('Basalt')
  await expect(page).toHaveURL(/\?chart=0x/)
})

test('what is typed before the scripts is searched for once they are there, and the page is still taken over', async ({
  page,
}) => {
  const complaints = listenForComplaints(page)
  const letScriptsCome = await openEarly(page)
  await page.getByRole('textbox', { name: 'Search tokens by name or symbol' }).fill('Basalt')
  letScriptsCome()
  await expect(page.getByText('Showing 1 of 1 tokens')).toBeVisible()
  await expect(page).toHaveURL(/\?q=Basalt$/)
  expect(complaints).toEqual([])
})
