import { expect, type Page } from '@playwright/test'
import { bar, fillLogin, newName, pin, send, watchlist } from './account.ts'
import { listenForComplaints } from './homePage.ts'
import { test } from './test.ts'

// The whole way of a user, by what the pages offer alone.

/** Holds tokens of the devnet, and has staked Cinderbank and Harborline. */
const whale = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

const pinField = (page: Page) => page.getByLabel('4-Digit PIN', { exact: true })
const confirm = (page: Page) => page.getByRole('button', { name: 'Confirm', exact: true })
const wallets = (page: Page) => page.getByRole('list', { name: 'Wallets' }).getByRole('listitem')
const line = (page: Page, list: RegExp, token: string) =>
  page
    .getByRole('table', { name: list })
    .getByRole('row')
    .or(page.getByRole('list', { name: list }).getByRole('listitem'))
    .filter({
      hasText: token,
    })
const star = (page: Page, symbol: string) => page.getByRole('button', { name: `Add ${symbol} to your watchlist`, exact: true })
const stored = (page: Page) => page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }))

for (const [device, use] of [
  ['a desk', { viewport: { width: 1440, height: 900 } }],
  ['a phone', { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }],
] as const)
  test.describe(`on ${device}`, () => {
    test.use(use)
    const onPhone = device === 'a phone'
    /** Opens the menu that has what a phone's bar has no room for. */
    const openBar = async (page: Page) => {
      if (onPhone) await page.getByRole('button', { name: 'Menu' }).tap()
    }

    test('a user registers, watches a token, adds a wallet, comes back and leaves', async ({ page }) => {
      const complaints = listenForComplaints(page)
      const username = newName()
      const press = (button: ReturnType<typeof send>) => (onPhone ? button.tap() : button.click())
      await page.goto('/')
      await openBar(page)
      await press(bar(page).getByRole('link', { name: 'Login' }))
      await expect(page).toHaveTitle('Login · Chainboard')
      await press(page.getByRole('button', { name: "Don't have an account? Register" }))
      await expect(page.getByRole('heading', { name: 'Register' })).toBeVisible()
      await fillLogin(page, username, pin)
      await press(send(page, 'Register'))
      await expect(page.getByRole('heading', { name: 'Registration Complete!' })).toBeFocused()
      await expect(page.getByText('Redirecting to your portfolio...')).toBeVisible()
      await expect(page.getByText('No wallets added yet')).toBeVisible()
      await expect(page).toHaveURL(/\/portfolio$/)

      await openBar(page)
      await press(bar(page).getByRole('link', { name: 'Home' }))
      await press(star(page, 'BSLT'))
      await openBar(page)
      await press(bar(page).getByRole('button', { name: 'Watchlist' }))
      await expect(watchlist(page)).toContainText('Basalt')

      if (!onPhone) await press(bar(page).getByRole('link', { name: username }))
      else await press(bar(page).getByRole('link', { name: 'Portfolio' }))
      await page.getByRole('textbox', { name: 'Wallet address' }).fill(whale)
      await press(page.getByRole('button', { name: 'Add Wallet' }))
      await expect(pinField(page)).toBeFocused()
      await pinField(page).fill(pin)
      await press(confirm(page))
      await expect(wallets(page)).toContainText(['0x7099…79C8'])
      await expect(line(page, /Token Balances/, 'Tidewater')).toContainText('40,000')
      await expect(line(page, /Staked Tokens/, 'Cinderbank (Staked)')).toContainText('1,200')
      await expect(line(page, /Staked Tokens/, 'Harborline (Staked)')).toContainText('5')
      expect(await stored(page)).toContain(username)
      expect(await stored(page)).not.toContain(pin)

      await page.reload()
      await expect(wallets(page)).toContainText(['0x7099…79C8'])
      await expect(line(page, /Staked Tokens/, 'Cinderbank (Staked)')).toContainText('1,200')
      await press(page.getByRole('button', { name: 'Remove wallet 0x7099…79C8' }))
      await expect(pinField(page)).toHaveValue('')
      await expect(confirm(page)).toBeDisabled()
      await pinField(page).fill(pin)
      await press(confirm(page))
      await expect(page.getByText('No wallets added yet')).toBeVisible()

      await openBar(page)
      await press(bar(page).getByRole('link', { name: 'Home' }))
      await expect(watchlist(page)).toContainText('Basalt')
      await openBar(page)
      await expect(bar(page).getByRole('link', { name: username })).toHaveAttribute('href', '/portfolio')
      await press(bar(page).getByRole('button', { name: 'Logout' }))
      await expect(page).toHaveURL(/:\d+\/$/)
      await expect(watchlist(page)).toContainText('Please log in to view your watchlist')
      await expect(star(page, 'BSLT')).toHaveAttribute('aria-pressed', 'false')
      expect(await stored(page)).not.toContain(username)
      await page.reload()
      await openBar(page)
      await expect(bar(page).getByRole('link', { name: 'Login' })).toBeVisible()
      expect(complaints).toEqual([])
    })
  })
