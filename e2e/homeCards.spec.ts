import type { WireToken } from '@chainboard/contract'
import { expect, type Locator, type Page } from '@playwright/test'
import { answerWith, rows } from './homePage.ts'
import { test } from './test.ts'

const list = (page: Page) => page.getByRole('region', { name: 'All Tokens' })

test.describe('the tokens on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, colorScheme: 'dark' })

  test('are cards that can be sorted, paged and searched in vain', async ({ page }) => {
    await page.goto('/')
    const cards = list(page).getByRole('listitem')
    await expect(cards).toHaveCount(10)
    await expect(list(page).getByRole('table')).toHaveCount(0)
    await list(page).getByRole('combobox', { name: 'Sort by' }).selectOption('Name')
    await expect(page).toHaveURL('/?sort=nameAsc')
    await expect(cards.first()).toContainText('BSLT')
    await list(page).getByRole('link', { name: 'Next page' }).tap()
    await expect(page.getByText('Showing 6 of 16 tokens')).toBeVisible()
    await expect(cards).toHaveCount(6)
    await expect(cards.last()).toContainText('WEMB')
    await page.getByRole('button', { name: 'Search' }).tap()
    await page.keyboard.type('no such token')
    await expect(list(page)).toContainText('No tokens foundNo name or symbol matches “no such token”. Show all tokens')
    await expect(cards).toHaveCount(0)
    await list(page).getByRole('button', { name: 'Show all tokens' }).tap()
    await expect(cards).toHaveCount(10)
  })

  test('keep an old price with its change, dimmed, with its age', async ({ page }) => {
    const stale = (tokens: WireToken[]): WireToken[] =>
      tokens.map((token) => ({
        ...token,
        priceStatus: 'stale',
        priceInUsd: 0.5,
        priceChange24h: 1.25,
        priceAsOf: Math.floor(Date.now() / 1000) - 7_300,
      }))
    await page.route('**/assets.json*', answerWith(stale))
    await page.goto('/')
    const basalt = list(page).getByRole('listitem').filter({ hasText: 'BSLT' })
    await expect(basalt).toContainText('2h old')
    for (const figure of ['$0.5000', '+1.25%'])
      await expect(basalt.getByText(figure, { exact: true })).toHaveCSS('color', 'rgb(133, 143, 161)')
  })
})

/** Presses Tab, or Shift and Tab, until the focus is on `target`, as a visitor without a mouse does. */
async function tabTo(page: Page, target: Locator, key: 'Tab' | 'Shift+Tab'): Promise<void> {
  await expect(target).toBeVisible()
  for (let presses = 0; presses < 20; presses += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press(key)
  }
  throw new Error(`Twenty times ${key} do not lead there`)
}

test('the table is sorted and paged by keyboard alone, and the focus stays where it was', async ({ page }) => {
  await page.goto('/')
  await expect(rows(page)).toHaveCount(10)
  const head = (name: string) => page.getByRole('columnheader', { name })
  // From the select the heads are next, so that no strip has to be passed.
  await page.getByRole('combobox', { name: 'Sort by' }).focus()
  for (const [name, key, first, order] of [
    ['Token', 'Enter', 'Basalt', 'ascending'],
    ['Price', 'Space', 'Wrapped Ember', 'descending'],
  ] as const) {
    const button = head(name).getByRole('button')
    await tabTo(page, button, 'Tab')
    await page.keyboard.press(key)
    await expect(head(name)).toHaveAttribute('aria-sort', order)
    await expect(rows(page).first()).toContainText(first)
    await expect(button).toBeFocused()
  }
  const [before, next] = [page.getByRole('link', { name: 'Previous page' }), page.getByRole('link', { name: 'Next page' })]
  // Past fifty actions of the rows.
  await rows(page).last().getByRole('button').last().focus()
  await tabTo(page, next, 'Tab')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Showing 6 of 16 tokens')).toBeVisible()
  await expect(next).toBeDisabled()
  await expect(next).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/?sort=priceDesc&page=2')
  await tabTo(page, before, 'Shift+Tab')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Showing 10 of 16 tokens')).toBeVisible()
  await expect(before).toBeFocused()
})

test('what was searched for in vain is shown as text that turns nothing round', async ({ page }) => {
  await page.goto(`/?q=${encodeURIComponent('\u202E\u200Bgnp.\u0000exe')}`)
  await expect(list(page)).toContainText('No name or symbol matches “gnp.exe”.')
  expect(await list(page).textContent()).not.toMatch(/[\u202E\u200B]/)
})
