import { expect, type Page } from '@playwright/test'
import { cards, rows, strip } from './homePage.ts'
import { test } from './test.ts'
import { basalt, modal } from './tokenModal.ts'

test.use({ colorScheme: 'dark', viewport: { width: 739, height: 1000 } })

const toPaper = (page: Page) => page.emulateMedia({ media: 'print' })
const inkOf = (page: Page) => page.locator('body').evaluate((body) => getComputedStyle(body).color)

test('on paper the figures are dark on white, and nothing that can only be pressed is there', async ({ page }) => {
  await page.addInitScript(() => localStorage.setItem('theme', 'dark'))
  await page.goto('/')
  await expect(rows(page)).toHaveCount(10)
  await expect(cards(page)).toHaveCount(6)
  await expect(page.getByText(/^Block [\d,]+/)).toBeVisible()
  expect(await inkOf(page)).toBe('rgb(236, 239, 245)')
  await toPaper(page)
  expect(await inkOf(page)).toBe('rgb(0, 0, 0)')
  expect(await page.locator('html').evaluate((html) => getComputedStyle(html).backgroundColor)).toBe('rgb(255, 255, 255)')
  await expect(page.getByRole('banner')).toBeHidden()
  await expect(page.getByRole('navigation')).toHaveCount(0)
  await expect(page.getByRole('combobox')).toHaveCount(0)
  await expect(page.getByRole('link', { name: /^Trade/ })).toHaveCount(0)
  await expect(page.getByRole('button', { name: /watchlist|Copy|chart of|swaps of|Details|Page/ })).toHaveCount(0)
  await expect(strip(page).getByRole('listitem')).toHaveCount(5)
  await expect(rows(page).first()).toContainText('Wrapped Ember')
  await expect(rows(page).first().getByText('Wrapped Ember')).toBeVisible()
  await expect(page.getByRole('columnheader').filter({ visible: true })).toHaveText([
    'Token',
    'Price',
    '24h Change',
    'Market Cap',
    'LP',
  ])
})

test('with a modal open the paper has the modal alone, the points of a chart included', async ({ page }) => {
  await page.goto(`/?chart=${basalt}`)
  await expect(modal(page).getByRole('table')).toHaveCount(1)
  await toPaper(page)
  await expect(page.locator('#root')).toBeHidden()
  await expect(modal(page).getByRole('heading', { name: 'Basalt Price Chart' })).toBeVisible()
  await expect(modal(page).getByRole('button')).toHaveCount(0)
  await expect(modal(page).getByRole('link')).toHaveCount(0)
  await expect(modal(page).getByRole('row')).toHaveCount(25)
  const box = await modal(page).getByRole('row').last().boundingBox()
  expect(box?.height).toBeGreaterThan(16)
})
