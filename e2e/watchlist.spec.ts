import type { WireToken } from '@chainboard/contract'
import { expect, type Page } from '@playwright/test'
import { bar, fillLogin, notice, pin, pretendUser, send, showWatchlist, signUp, star, watched, watchlist } from './account.ts'
import { basalt, cards, findObstacles, listenForComplaints, refuse, rows, waitForPlaces, watchShifts } from './homePage.ts'
import { test } from './test.ts'

const tidewater = '0x0DCd1Bf9A1b36cE34237eEaFef220932846BCD82'
const ochre = '0x3Aa5ebB10DC797CAC828524e59A333d0A371443c'
const delisted = '0x00000000000000000000000000000000000000aa'

/** The watchlist of a new user with these tokens on it. */
async function openWatchlist(page: Page, favorites: readonly string[]): Promise<string> {
  const username = await signUp(page, favorites)
  await showWatchlist(page)
  await page.goto('/')
  return username
}

/** The same of a user who is none, for stories that change nothing. */
async function pretendWatchlist(page: Page, favorites: readonly string[]): Promise<void> {
  await pretendUser(page, favorites)
  await showWatchlist(page)
  await page.goto('/')
}

const kept = async (page: Page, username: string) => (await page.request.get(`/api/favorites/${username}`)).json()

test.describe('a watchlist', () => {
  test('begins empty, and says so', async ({ page }) => {
    await pretendWatchlist(page, [])
    await expect(watchlist(page)).toContainText('No tokens in your watchlist yet')
    await expect(watchlist(page)).toContainText('Add tokens to your watchlist to track them here')
  })

  test('shows its tokens in the order they were added, with price, change and market cap', async ({ page }) => {
    const complaints = listenForComplaints(page)
    await pretendWatchlist(page, [tidewater, ochre, basalt])
    await expect(watched(page)).toContainText(['Tidewater', 'Ochre', 'Basalt'])
    await expect(watched(page).first()).toContainText(/TIDE.*\$0\.\d+.*[+-]?\d+\.\d\d%.*\$\d+\.\d\dM/)
    await expect(watched(page).nth(1).getByRole('cell', { name: 'N/A' })).toHaveCount(3)
    await expect(watchlist(page).getByRole('columnheader')).toHaveText(['Token', 'Price', '24h Change', 'Market Cap', 'Actions'])
    expect(complaints).toEqual([])
  })

  test('follows the market', async ({ page }) => {
    test.setTimeout(120_000)
    await pretendWatchlist(page, ['0x9fE46736679d2D9a65F0992F2272dE9f3c7fa6e0'])
    const price = watched(page).locator('td').nth(1)
    await expect(price).toContainText('$')
    const before = await price.textContent()
    await expect(price).not.toHaveText(before ?? '', { timeout: 80_000 })
  })

  test('opens details from a row, the chart and the swaps from its buttons', async ({ page }) => {
    await pretendWatchlist(page, [basalt])
    await watched(page).locator('td').nth(3).click()
    const details = page.getByRole('dialog', { name: 'Basalt' })
    await expect(details.getByRole('button', { name: 'Remove BSLT from your watchlist' })).toHaveAttribute('aria-pressed', 'true')
    await page.keyboard.press('Escape')
    await watched(page).getByRole('button', { name: 'Price chart of BSLT' }).click()
    await expect(page.getByRole('dialog', { name: 'Basalt Price Chart' })).toBeVisible()
    await page.keyboard.press('Escape')
    await watched(page).getByRole('button', { name: 'Recent swaps of BSLT' }).click()
    await expect(page.getByRole('dialog', { name: 'Basalt Recent Swaps' })).toBeVisible()
  })

  test('gains and loses tokens by the stars of the list, of itself and of the details', async ({ page }) => {
    const username = await openWatchlist(page, [tidewater])
    await star(page, 'Basalt').click()
    await expect(watched(page)).toContainText(['Tidewater', 'Basalt'])
    await expect.poll(() => kept(page, username)).toEqual([tidewater.toLowerCase(), basalt.toLowerCase()])
    await watched(page).first().getByRole('button', { name: 'Remove TIDE from your watchlist' }).click()
    await expect(watched(page)).toContainText(['Basalt'])
    await page.goto(`/?token=${basalt}`)
    const details = page.getByRole('dialog', { name: 'Basalt' })
    await details.getByRole('button', { name: 'Remove BSLT from your watchlist' }).click()
    await expect(details.getByRole('button', { name: 'Add BSLT to your watchlist' })).toBeVisible()
    await expect.poll(() => kept(page, username)).toEqual([])
  })

  test('stays with its last change when several come quickly, and answers late', async ({ page }) => {
    const username = await openWatchlist(page, [])
    await expect(watchlist(page)).toContainText('No tokens')
    const answers: (() => Promise<void>)[] = []
    await page.route(`**/api/favorites/${username}?*`, (route) =>
      route.request().method() === 'POST' ? void answers.push(() => route.continue()) : route.continue(),
    )
    for (const token of ['Basalt', 'Cinderbank', 'Orrery']) await star(page, token).click()
    await expect(watched(page)).toContainText(['Basalt', 'Cinderbank', 'Orrery'])
    for (const count of [1, 2, 3]) {
      // One call after the other, and no answer takes a later token away.
      await expect.poll(() => answers.length).toBe(count)
      await expect(watched(page)).toHaveCount(3)
      await answers[count - 1]?.()
    }
    await expect.poll(async () => (await kept(page, username)).length).toBe(3)
    await expect(watched(page)).toContainText(['Basalt', 'Cinderbank', 'Orrery'])
  })

  test('takes a token back that the server does not add, and says why', async ({ page }) => {
    await openWatchlist(page, [tidewater])
    await page.route('**/api/favorites/*', (route) => (route.request().method() === 'POST' ? refuse(route) : route.continue()))
    await star(page, 'Basalt').click()
    await expect(notice(page, 'out of order')).toBeVisible()
    await expect(star(page, 'Basalt')).toHaveAttribute('aria-pressed', 'false')
    await expect(watched(page)).toContainText(['Tidewater'])
    await page.route('**/api/favorites/*', (route) => (route.request().method() === 'POST' ? route.abort() : route.continue()))
    await star(page, 'Basalt').click()
    await expect(notice(page, 'Failed to add favorite')).toBeVisible()
    await expect(watched(page)).toHaveCount(1)
  })

  test('keeps a token that the server does not take off, in its place', async ({ page }) => {
    await openWatchlist(page, [tidewater, basalt, ochre])
    await expect(watched(page)).toHaveCount(3)
    let refuseIt = () => {}
    const held = new Promise<void>((resolve) => {
      refuseIt = resolve
    })
    await page.route('**/api/favorites/*/*', async (route) => {
      await held
      await route.fulfill({ status: 500 })
    })
    await watched(page).nth(1).getByRole('button', { name: 'Remove BSLT from your watchlist' }).click()
    await expect(watched(page)).toContainText(['Tidewater', 'Ochre'])
    const logged = page.waitForEvent('console', (message) => message.text().startsWith('Failed to remove favorite'))
    refuseIt()
    await expect(watched(page)).toContainText(['Tidewater', 'Basalt', 'Ochre'])
    await logged
  })

  test('does not add a token twice: whether the page knows, or the server alone', async ({ page }) => {
    const username = await signUp(page, [basalt])
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    let posts = 0
    await page.route('**/api/favorites/*', async (route) => {
      if (route.request().method() === 'POST') posts += 1
      else await held
      await route.continue()
    })
    await page.goto('/')
    await expect(bar(page).getByRole('button', { name: 'Logout' })).toBeEnabled()
    await star(page, 'Basalt').click()
    release()
    await expect(notice(page, 'Token is already in your favorites')).toBeVisible()
    expect(posts).toBe(0)
    await expect(star(page, 'Basalt')).toHaveAttribute('aria-pressed', 'true')
    // The page's own notice is gone, so that the next one is the server's.
    await expect(notice(page, 'Token is already in your favorites')).toHaveCount(0)
    // Another device is faster.
    await page.request.post(`/api/favorites/${username}`, { data: { tokenAddress: tidewater } })
    await page.getByPlaceholder('Search tokens...').fill('tide')
    await star(page, 'Tidewater').click()
    await expect(notice(page, 'Token is already in your favorites')).toBeVisible()
    await expect(star(page, 'Tidewater')).toHaveAttribute('aria-pressed', 'true')
    expect(posts).toBe(1)
  })

  test('that does not load says so, and loads when asked again', async ({ page }) => {
    await pretendUser(page, [])
    await page.route('**/api/favorites/*', (route) => route.fulfill({ status: 404, json: {} }))
    await showWatchlist(page)
    await page.goto('/')
    await expect(watchlist(page).getByRole('alert')).toContainText('Failed to load favorites')
    await page.route('**/api/favorites/*', (route) => route.fulfill({ json: [basalt.toLowerCase()] }))
    await watchlist(page).getByRole('button', { name: 'Try Again' }).click()
    await expect(watched(page)).toContainText(['Basalt'])
  })

  test('names a token that is no longer listed by its address, and lets go of it', async ({ page }) => {
    await pretendWatchlist(page, [delisted, basalt])
    await expect(watched(page)).toContainText(['0x0000…00aaNo longer listed', 'Basalt'])
    await page.route('**/api/favorites/*/*', (route) => route.fulfill({ json: [basalt.toLowerCase()] }))
    await watched(page).getByRole('button', { name: 'Remove 0x0000…00aa from your watchlist' }).click()
    await expect(watched(page)).toContainText(['Basalt'])
  })

  test('of more than ten tokens shows ten, and all when asked', async ({ page }) => {
    const listed = (await (await page.request.get('/assets.json?pageSize=12')).json()) as WireToken[]
    await pretendWatchlist(
      page,
      listed.map(({ address }) => address),
    )
    await expect(watched(page)).toHaveCount(10)
    await watchlist(page).getByRole('button', { name: 'Show all 12' }).click()
    await expect(watched(page)).toHaveCount(12)
  })

  test('is used without a mouse: the focus stays in the list when a token goes', async ({ page }) => {
    await openWatchlist(page, [tidewater, basalt])
    const remove = (symbol: string) => watched(page).getByRole('button', { name: `Remove ${symbol} from your watchlist` })
    await remove('TIDE').focus()
    await page.keyboard.press('Enter')
    await expect(remove('BSLT')).toBeFocused()
    await expect(watched(page)).toHaveCount(1)
    await page.keyboard.press('Space')
    await expect(page.getByRole('main')).toBeFocused()
    await expect(watchlist(page)).toContainText('No tokens in your watchlist yet')
  })

  test('does not come between the search and what is found', async ({ page }) => {
    await pretendWatchlist(page, [basalt])
    await expect(watched(page)).toHaveCount(1)
    await page.getByPlaceholder('Search tokens...').fill('tide')
    await expect(page.getByText('Showing 1 of 1 tokens')).toBeVisible()
    await page.keyboard.press('ArrowDown')
    await expect(page.getByRole('link', { name: 'Tidewater' })).toBeFocused()
  })

  test('is forgotten with the logout', async ({ page }) => {
    const username = await openWatchlist(page, [basalt])
    await expect(watched(page)).toHaveCount(1)
    await bar(page).getByRole('button', { name: 'Logout' }).click()
    await expect(watchlist(page)).toContainText('Please log in')
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route('**/api/favorites/*', async (route) => {
      await held
      await route.continue()
    })
    await watchlist(page).getByRole('link', { name: 'Login' }).click()
    await fillLogin(page, username, pin)
    await send(page, 'Login').click()
    await expect(page.getByText('Login Successful!')).toBeVisible()
    await bar(page).getByRole('link', { name: 'Home' }).click()
    await expect(rows(page).filter({ hasText: 'Basalt' }).last()).toBeVisible()
    await expect(watchlist(page)).toBeVisible()
    await expect(watchlist(page)).not.toContainText('Basalt')
    release()
    await expect(watched(page)).toContainText(['Basalt'])
  })

  test('arrives without moving the page, also when it comes last', async ({ page }) => {
    const shifts = await watchShifts(page)
    await page.setViewportSize({ width: 1280, height: 1400 })
    await waitForPlaces(page)
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const listed = (await (await page.request.get('/assets.json?pageSize=6')).json()) as WireToken[]
    const addresses = listed.map(({ address }) => address)
    const username = await pretendUser(page, addresses)
    await page.route(`**/api/favorites/${username}?*`, async (route) => {
      await held
      await route.fulfill({ json: addresses })
    })
    await showWatchlist(page)
    await page.goto('/')
    await expect(cards(page).first()).toBeVisible()
    // The tokens are there, seen or not.
    await expect(page.locator('tr', { hasText: 'Basalt' })).toHaveCount(1)
    release()
    await expect(watched(page)).toHaveCount(6)
    await expect(page.getByText('Showing 10 of 16 tokens')).toBeVisible()
    await expect(page.getByText(/registered user/)).toBeVisible()
    expect(await shifts()).toEqual([])
  })
})

for (const [device, viewport] of [
  ['a desk', { width: 1440, height: 900 }],
  ['a phone', { width: 390, height: 844 }],
] as const)
  test(`the watchlist has all its figures and buttons, and no obstacles, on ${device}`, async ({ page }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await page.setViewportSize(viewport)
    await pretendWatchlist(page, [basalt, delisted])
    await expect(watchlist(page)).toContainText('No longer listed')
    await expect(page.getByText('Showing 10 of 16 tokens')).toBeVisible()
    await expect(watchlist(page).getByRole('button', { name: 'Remove BSLT from your watchlist' })).toBeVisible()
    expect(await findObstacles(page)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(viewport.width)
    await expect(watchlist(page)).toContainText('Market Cap')
    await expect(watchlist(page)).toContainText(/\$\d+\.\d\dM/)
    for (const [action, title] of [
      ['Price chart of BSLT', 'Basalt Price Chart'],
      ['Recent swaps of BSLT', 'Basalt Recent Swaps'],
    ] as const) {
      await watchlist(page).getByRole('button', { name: action }).click()
      await expect(page.getByRole('dialog', { name: title })).toBeVisible()
      await page.keyboard.press('Escape')
    }
  })
