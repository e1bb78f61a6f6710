import type { WireDashboard, WireToken } from '@chainboard/contract'
import { expect, type Page, type Route } from '@playwright/test'
import { newName, pin } from './account.ts'
import { findObstacles, watchShifts } from './homePage.ts'
import { test } from './test.ts'

const dashboardUrl = '**/api/stats/dashboard*'
const counts = [0, 0, 1, 3, 2, 8, 0, 0, 1, 1, 2, 4, 0, 0, 5, 1, 3, 0, 0, 2, 1, 0, 0, 14, 3, 1, 0, 2, 4, 1]
/** 2026-10-23, a Friday, to 2026-11-21. */
const days = counts.map((users, index) => ({
  date: new Date(Date.UTC(2026, 9, 23 + index)).toISOString().slice(0, 10),
  users,
}))
const delisted = '0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc'

const figures: WireDashboard = {
  totalUsers: 1_284,
  usersToday: 1,
  usersWithWallets: 402,
  usersWithFavorites: 811,
  totalWallets: 977,
  avgWalletsPerUser: 0.76,
  totalFavorites: 4_210,
  avgFavoritesPerUser: 3.3,
  userRegistrationChart: days,
  mostFavoritedTokens: [{ tokenAddress: delisted, count: 1 }],
}

const answer =
  (changes: Partial<WireDashboard> = {}) =>
  (route: Route) =>
    route.fulfill({ json: { ...figures, ...changes } })
const refuse = (route: Route) => route.fulfill({ status: 500, json: { error: 'out of order' } })

const ranking = (page: Page) => page.getByRole('region', { name: 'Most Favorited Tokens' })

async function showUsers(page: Page): Promise<void> {
  await page.goto('/users')
  await expect(page.getByText('30-day total')).toBeVisible()
}

test('eight figures, with what part of all users two of them are', async ({ page }) => {
  await page.route(dashboardUrl, answer())
  await showUsers(page)
  await expect(page).toHaveTitle('Users · Chainboard')
  await expect(page.getByRole('main').locator('dl > div')).toHaveText([
    'Total Users1,284',
    'Users Today1since 00:00 UTC',
    'Users with Wallets40231.3% of total',
    'Users with Favorites81163.2% of total',
    'Total Wallets977',
    'Avg Wallets/User0.76',
    'Total Favorites4,210',
    'Avg Favorites/User3.30',
  ])
})

test('seven days as bars, thirty as a sum and as a calendar of four shades', async ({ page }) => {
  await page.route(dashboardUrl, answer())
  await showUsers(page)
  const registrations = page.getByRole('region', { name: 'User Registrations (Last 30 Days)' })
  await expect(registrations).toContainText('30-day total: 59')
  await expect(registrations.getByRole('listitem')).toHaveText([
    '14SunNov 15',
    '3MonNov 16',
    '1TueNov 17',
    '0WedNov 18',
    '2ThuNov 19',
    '4FriNov 20',
    '1SatNov 21',
  ])
  const bars = registrations.getByRole('listitem').locator('[aria-hidden]')
  const height = async (index: number) => (await bars.nth(index).boundingBox())?.height
  expect(await height(0)).toBe(128)
  expect(await height(3)).toBe(2)
  expect((await height(1)) ?? 0).toBeCloseTo((128 * 3) / 14, 0)

  const timeline = page.getByRole('region', { name: 'Complete Registration Timeline' })
  await expect(timeline.getByRole('list', { name: 'Shades' }).getByRole('listitem')).toHaveText([
    '0',
    '1',
    'Up to 3',
    'More than 3',
  ])
  await expect(timeline.getByRole('row')).toHaveText([
    'Week ofMonTueWedThuFriSatSun',
    'Oct 23001',
    'Oct 263280011',
    'Nov 22400513',
    'Nov 9002100' + '14',
    'Nov 16310241',
  ])
  const shade = (title: string) =>
    timeline.getByTitle(title, { exact: true }).evaluate((cell) => getComputedStyle(cell).backgroundColor)
  const [none, one, two, three, four, many] = await Promise.all(
    ['Oct 23: 0', 'Oct 25: 1', 'Oct 27: 2', 'Oct 26: 3', 'Nov 3: 4', 'Nov 15: 14'].map(shade),
  )
  expect(two).toBe(three)
  expect(four).toBe(many)
  expect(new Set([none, one, two, four]).size).toBe(4)
})

test('a favourite opens on the home page; one that left the list is there without a link', async ({ page }) => {
  const tokens = (await (await page.request.get('/assets.json')).json()) as WireToken[]
  const basalt = tokens.find(({ symbol }) => symbol === 'BSLT') as WireToken
  const favorites = [
    { tokenAddress: basalt.address.toLowerCase(), count: 128, token: basalt },
    { tokenAddress: delisted, count: 1 },
  ]
  await page.route(dashboardUrl, answer({ mostFavoritedTokens: favorites }))
  await showUsers(page)
  await expect(ranking(page).getByRole('listitem')).toHaveText([
    '1BasaltBSLT128 users',
    /^23c0x3c44…93bcNo longer listed1 user$/i,
  ])
  await expect(ranking(page).getByRole('link')).toHaveCount(1)
  // The whole row leads there.
  const row = ranking(page).getByRole('listitem').first()
  const { width, height } = (await row.boundingBox()) ?? { width: 0, height: 0 }
  await row.click({ position: { x: width - 20, y: height / 2 } })
  await expect(page).toHaveURL(`/?token=${basalt.address}`)
  await expect(page.getByRole('dialog', { name: 'Basalt' })).toBeVisible()
})

test('eight favourites at most, and a text when there are none', async ({ page }) => {
  const nine = Array.from({ length: 9 }, (_, index) => ({
    tokenAddress: `0x${String(index).padStart(40, '0')}`,
    count: 9 - index,
  }))
  await page.route(dashboardUrl, answer({ mostFavoritedTokens: nine }))
  await showUsers(page)
  await expect(ranking(page).getByRole('listitem')).toHaveCount(8)
  await page.unroute(dashboardUrl)
  await page.route(dashboardUrl, answer({ mostFavoritedTokens: [] }))
  await page.getByRole('button', { name: 'Refresh Data' }).click()
  await expect(ranking(page)).toContainText('No favorites data available yet')
})

test('figures of this very server: who registers is counted', async ({ page }) => {
  await showUsers(page)
  const total = page.getByRole('main').locator('dl > div').first()
  const readTotal = async () => Number((await total.textContent())?.replace(/\D/g, ''))
  const before = await readTotal()
  expect((await page.request.post('/api/users', { data: { username: newName(), pin } })).status()).toBe(201)
  // Other tests register users as well.
  await expect(async () => {
    await page.getByRole('button', { name: 'Refresh Data' }).click()
    expect(await readTotal()).toBeGreaterThan(before)
  }).toPass()
})

test('a failure says so until trying again helps; old figures stay with their time', async ({ page }) => {
  await page.route(dashboardUrl, refuse)
  await page.goto('/users')
  await expect(page.getByRole('heading', { name: 'Error Loading Dashboard' })).toBeVisible()
  await expect(page.getByText('Failed to load dashboard statistics')).toBeVisible()
  await page.unroute(dashboardUrl)
  await page.route(dashboardUrl, answer())
  await page.getByRole('button', { name: 'Try Again' }).click()
  await expect(page.getByText('30-day total: 59')).toBeVisible()

  await page.unroute(dashboardUrl)
  await page.route(dashboardUrl, refuse)
  await page.getByRole('button', { name: 'Refresh Data' }).click()
  await expect(page.getByText(/Couldn't refresh\. These figures are from \d\d:\d\d:\d\d\./)).toBeVisible()
  await expect(page.getByText('30-day total: 59')).toBeVisible()
})

for (const [name, viewport] of [
  ['a desktop', { width: 1440, height: 900 }],
  ['a phone', { width: 390, height: 844 }],
] as const)
  test.describe(`on ${name}`, () => {
    test.use({ viewport })

    test('nothing moves while the figures come, and everybody can read them', async ({ page }) => {
      const shifts = await watchShifts(page)
      await page.route(dashboardUrl, answer())
      await showUsers(page)
      expect(await shifts()).toEqual([])
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(viewport.width)
      expect(await findObstacles(page)).toEqual([])
    })
  })
