import type { Page } from '@playwright/test'
import { expect } from '@playwright/test'
import { rows } from './homePage.ts'

// Users of the tests, and what they look at.

export const pin = '4821'

let made = 0

/** A name that nobody has on the server of this run. */
export function newName(): string {
  made += 1
  return `User_${process.pid}.${made}`
}

/** Registers a user, with the tokens on the list, whom the page finds signed in when it is next opened. */
export async function signUp(page: Page, favorites: readonly string[] = []): Promise<string> {
  const username = newName()
  expect((await page.request.post('/api/users', { data: { username, pin } })).status()).toBe(201)
  for (const tokenAddress of favorites)
    expect((await page.request.post(`/api/favorites/${username}`, { data: { tokenAddress } })).status()).toBe(200)
  await page.goto('/robots.txt')
  await page.evaluate((name) => localStorage.setItem('username', name), username)
  return username
}

/** A user whom the server does not know, with these tokens on a list that it does not know either. */
export async function pretendUser(page: Page, favorites: readonly string[]): Promise<string> {
  const username = 'somebody'
  await page.route(`**/api/users/${username}?*`, (route) => route.fulfill({ json: { username, wallets: [] } }))
  await page.route(`**/api/favorites/${username}?*`, (route) =>
    route.fulfill({ json: favorites.map((address) => address.toLowerCase()) }),
  )
  await page.addInitScript((name) => localStorage.setItem('username', name), username)
  return username
}

/** Shows the watchlist when the page is next opened. */
export async function showWatchlist(page: Page): Promise<void> {
  await page.addInitScript(() => localStorage.setItem('watchlistShown', 'on'))
}

export const bar = (page: Page) => page.getByRole('banner')
export const field = (page: Page, label: 'Username' | '4-Digit PIN' | 'Sign-in code') => page.getByLabel(label, { exact: true })
export const send = (page: Page, text: 'Login' | 'Register') =>
  page.getByRole('main').getByRole('button', { name: text, exact: true })
export const watchlist = (page: Page) => page.getByRole('region', { name: 'Watchlist' })
export const watched = (page: Page) => watchlist(page).getByRole('table').locator('tbody tr')
export const star = (page: Page, token: string) =>
  rows(page)
    .filter({ hasText: token })
    .getByRole('button', { name: /your watchlist$/ })
export const notice = (page: Page, text: string) => page.getByRole('status').filter({ hasText: text })

export async function fillLogin(page: Page, username: string, digits: string): Promise<void> {
  await field(page, 'Username').fill(username)
  await field(page, '4-Digit PIN').fill(digits)
}
