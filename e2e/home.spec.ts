import { expect } from '@playwright/test'
import {
  boosted,
  cards,
  findCut,
  findObstacles,
  listenForComplaints,
  openAction,
  rows,
  strip,
  waitForPlaces,
  watchShifts,
} from './homePage.ts'
import { test } from './test.ts'

test.describe('the token table', () => {
  test('is full of live data, ten tokens a page', async ({ page }) => {
    const complaints = listenForComplaints(page)
    await page.goto('/')
    await expect(rows(page)).toHaveCount(10)
    await expect(page.getByText('Showing 10 of 16 tokens')).toBeVisible()
    await expect(rows(page).filter({ hasText: 'WEMB' })).toContainText(/\$1,\d{3}\.\d\d/)
    await expect(rows(page).filter({ hasText: 'WEMB' })).toContainText(/[▲▼]?\s*[+-]?\d+\.\d\d%/)
    await expect(page.getByText(/Block [\d,]+/)).toBeVisible()
    expect(complaints).toEqual([])
  })

  test('follows the market without a reload', async ({ page }) => {
    await page.goto('/')
    const price = rows(page).filter({ hasText: 'WEMB' }).locator('td').nth(2)
    const before = await price.textContent()
    expect(before).toMatch(/\$/)
    await expect(price).not.toHaveText(before ?? '', { timeout: 40_000 })
  })

  test('searches by name and symbol, keeps that in the address, and says when nothing is found', async ({ page }) => {
    await page.goto('/')
    await expect(rows(page)).toHaveCount(10)
    await page.keyboard.press('/')
    await expect(page.getByPlaceholder('Search tokens...')).toBeFocused()
    await page.keyboard.type('tide')
    await expect(rows(page)).toHaveCount(1)
    await expect(page.getByText('Showing 1 of 1 tokens')).toBeVisible()
    await expect(page).toHaveURL(/q=tide/)
    await page.reload()
    await expect(rows(page)).toHaveCount(1)
    await page.getByPlaceholder('Search tokens...').fill('no such token')
    await expect(page.getByText('No tokens found')).toBeVisible()
  })

  test('sorts in five ways and pages', async ({ page }) => {
    await page.goto('/?sort=nameAsc')
    await expect(rows(page).first()).toContainText('Basalt')
    await page.getByRole('combobox', { name: /sort/i }).selectOption('priceDesc')
    await expect(page).toHaveURL(/sort=priceDesc/)
    await expect(rows(page).first()).toContainText('Wrapped Ember')
    await page
      .getByRole('button', { name: /next page/i })
      .or(page.getByRole('link', { name: /next page/i }))
      .click()
    await expect(rows(page)).toHaveCount(6)
    await expect(page.getByText('Showing 6 of 16 tokens')).toBeVisible()
  })

  test('shows N/A with the reason for a token without a pool and for one with too thin a pool', async ({ page }) => {
    await page.goto('/?q=ochr')
    await expect(rows(page).filter({ hasText: 'OCHR' })).toContainText('N/A')
    await rows(page).getByText('N/A').first().hover()
    await expect(page.getByText('No pool on the chain trades this token').last()).toBeVisible()
    await page.goto('/?q=thsl')
    await expect(rows(page).filter({ hasText: 'THSL' })).toContainText('N/A')
  })

  test('has all its columns on an upright tablet; no name or price is cut, and everything begins at one edge', async ({
    page,
  }) => {
    await page.setViewportSize({ width: 768, height: 1024 })
    await page.goto('/')
    await expect(rows(page)).toHaveCount(10)
    const heads = ['#', 'Token', 'Price', '24h Change', '24h Volume', 'Market Cap', 'LP', 'Actions']
    await expect(page.getByRole('columnheader')).toHaveText(heads)
    await expect(strip(page).getByRole('listitem')).toHaveCount(5)
    await expect(cards(page)).toHaveCount(6)
    await expect(boosted(page).getByRole('listitem')).toHaveCount(2)
    expect(await findCut(page)).toEqual({ prices: 23, cut: [] })
    const headings = await page.locator('main h2').evaluateAll((all) => all.map((head) => head.getBoundingClientRect().left))
    expect(headings).toEqual([16, 16, 16, 16])
    expect((await cards(page).first().locator('xpath=ancestor::li').boundingBox())?.x).toBe(16)

    const heights = () => rows(page).evaluateAll((all) => all.map((row) => row.getBoundingClientRect().height))
    expect(await heights()).toEqual(Array(10).fill(56))
    for (const width of [1440, 1100, 768]) {
      await page.setViewportSize({ width, height: 1024 })
      // The button is in the header of the first, widest one.
      if (width === 1440) await page.getByRole('button', { name: 'Paired' }).click()
      await expect(rows(page).first()).toContainText('USDC')
      expect(await findCut(page), `paired, ${width}`).toEqual({ prices: 23, cut: [] })
      expect(await heights()).toEqual(Array(10).fill(56))
    }
  })

  test('sends any unknown path home', async ({ page }) => {
    await page.goto('/nowhere/at/all')
    await expect(page).toHaveURL(/\/$/)
    await expect(rows(page)).toHaveCount(10)
  })
})

test("what is no page is answered as such: missing files, folders outside, the build's own notes", async ({ request }) => {
  for (const path of [
    '/assets/none.js',
    '/logos/devnet/none.svg',
    '/..%2f..%2fpackage.json',
    '/.vite/manifest.json',
    '/api/none',
  ]) {
    const answer = await request.get(path)
    expect(answer.status(), path).toBe(404)
    expect(await answer.json()).toEqual({ error: expect.stringContaining('No route for GET /') })
  }
})

test.describe('the price chart', () => {
  test('opens from the row, changes its range, and closes on Escape with the focus back', async ({ page }) => {
    const complaints = listenForComplaints(page)
    await page.goto('/')
    await openAction(page, 'Basalt', /chart/i).click()
    const dialog = page.getByRole('dialog', { name: 'Basalt Price Chart' })
    await expect(dialog).toContainText('Current Price')
    await expect(dialog.locator('canvas').first()).toBeVisible()
    await expect(dialog.getByRole('table').locator('tbody tr')).toHaveCount(24)
    for (const [range, points] of [
      ['3D', 72],
      ['1W', 168],
      ['1M', 30],
    ] as const) {
      await dialog
        .getByRole('button', { name: range })
        .or(dialog.getByRole('radio', { name: range }))
        .click()
      await expect(dialog.getByRole('table').locator('tbody tr')).toHaveCount(points)
    }
    await expect(dialog.getByRole('link', { name: /Trade on EmberSwap/ })).toHaveAttribute(
      'href',
      /outputCurrency=0x0165878A594ca255338adfa4d48449f69242Eb8F/i,
    )
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    await expect(openAction(page, 'Basalt', /chart/i)).toBeFocused()
    expect(complaints).toEqual([])
  })

  test('can be shared as an address, and has nothing to draw for a token without a pool', async ({ page }) => {
    await page.goto('/?q=ochr')
    await openAction(page, 'OCHR', /chart/i).click()
    await expect(page.getByRole('dialog')).toContainText('No chart data available')
    await page.reload()
    await expect(page.getByRole('dialog')).toContainText('No chart data available')
  })
})

test.describe('the recent swaps', () => {
  test('lists twenty with type, amount, value and the transaction', async ({ page }) => {
    await page.goto('/')
    await openAction(page, 'Wrapped Ember', /swaps/i).click()
    const dialog = page.getByRole('dialog', { name: 'Wrapped Ember Recent Swaps' })
    await expect(dialog.locator('tbody tr')).toHaveCount(20)
    await expect(dialog.locator('tbody tr').first()).toContainText(/Buy|Sell/)
    await expect(dialog.locator('tbody tr').first()).toContainText(/WEMB/)
    await expect(dialog.locator('tbody tr').first().getByRole('link').first()).toHaveAttribute(
      'href',
      /^https:\/\/explorer\.ember\.example\/tx\/0x[0-9a-f]{64}$/,
    )
    await page.mouse.click(5, 5)
    await expect(dialog).toBeHidden()
  })
})

for (const [device, viewport] of [
  ['phone', { width: 390, height: 844 }],
  ['tablet', { width: 768, height: 1024 }],
  ['desktop', { width: 1440, height: 900 }],
] as const) {
  test(`looks right and can be used by all: ${device}`, async ({ browser }) => {
    test.slow() // three pages, examined in whole
    const context = await browser.newContext({ viewport })
    const page = await context.newPage()
    const shifts = await watchShifts(page)
    await waitForPlaces(page)
    await page.addInitScript(() => localStorage.setItem('watchlistShown', 'on'))
    for (const [name, path, settled] of [
      ['home', '/', 'Showing 10 of 16 tokens'],
      ['chart', '/?chart=0x0165878A594ca255338adfa4d48449f69242Eb8F&range=1w', 'Current Price'],
      ['swaps', '/?swaps=0x0165878A594ca255338adfa4d48449f69242Eb8F', '0x'],
    ] as const) {
      await page.goto(path)
      await expect(page.getByText(settled).first()).toBeVisible()
      if (name === 'home') {
        await expect(strip(page).getByRole('listitem')).toHaveCount(5)
        await expect(cards(page)).toHaveCount(6)
        await expect(page.getByText('Please log in to view your watchlist')).toBeVisible()
        expect(await shifts()).toEqual([])
      }
      if (name === 'chart') await expect(page.locator('canvas').first()).toBeVisible()
      const sideways = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
      expect(sideways, `${name} scrolls sideways`).toBeLessThanOrEqual(0)
      // What is behind a modal is the first page.
      expect(await findObstacles(page, name === 'home' ? undefined : 'main')).toEqual([])
    }
    await context.close()
  })
}
