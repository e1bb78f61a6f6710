import { expect, type Page } from '@playwright/test'
import { bar, fillLogin, newName, notice, pin, send } from './account.ts'
import { findObstacles } from './homePage.ts'
import { test } from './test.ts'
import { carol, installWallet } from './testWallet.ts'

// Ways to sign in beside the PIN. Browsers have passkeys for names alone: the site is opened as localhost.

const desk = { width: 1440, height: 900 }
const phone = { width: 390, height: 844 }

const button = (page: Page, name: string) => page.getByRole('main').getByRole('button', { name, exact: true })
const listOf = (page: Page, name: string) => page.getByRole('list', { name, exact: true }).getByRole('listitem')

/** The site under its name. */
const toNamed = (baseURL: string | undefined) => String(baseURL).replace('127.0.0.1', 'localhost')

async function register(page: Page, site: string): Promise<string> {
  const username = newName()
  await page.goto(`${site}/login`)
  await page.getByRole('button', { name: /have an account/ }).click()
  await fillLogin(page, username, pin)
  await send(page, 'Register').click()
  await page.waitForURL('**/portfolio')
  return username
}

async function leave(page: Page, site: string): Promise<void> {
  await page.request.post(`${site}/api/session/logout`)
  await page.evaluate(() => localStorage.clear())
  await page.goto(`${site}/login`)
}

/** A phone's own authenticator, whose owner puts a finger on it each time. */
async function addAuthenticator(page: Page): Promise<void> {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}

test('a passkey is added with the PIN, signs in without a name, sets a new PIN and is removed', async ({ page, baseURL }) => {
  const site = toNamed(baseURL)
  await page.setViewportSize(desk)
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await addAuthenticator(page)
  const username = await register(page, site)
  await button(page, 'Add a Passkey').click()
  await page.getByLabel('4-Digit PIN').fill('0000')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert').filter({ hasText: 'Invalid PIN' })).toBeVisible()
  await page.getByLabel('4-Digit PIN').fill(pin)
  await page.keyboard.press('Enter')
  await expect(notice(page, 'Passkey added')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Passkeys', exact: true })).toBeFocused()
  await expect(listOf(page, 'Passkeys')).toHaveText(/^Chrome on LinuxNever used · added /)

  await leave(page, site)
  await button(page, 'Sign in with a passkey').click()
  await page.waitForURL('**/portfolio')
  await expect(bar(page).getByRole('link', { name: username })).toBeVisible()
  await expect(listOf(page, 'Passkeys')).toHaveText(/^Chrome on LinuxLast used /)
  const added = notice(page, 'Passkey added: Chrome on Linux')
  await expect(added).toContainText("If this wasn't you, remove that passkey and change your PIN.")
  await added.getByRole('link', { name: 'Review' }).click()
  await expect(page.getByRole('heading', { name: 'Passkeys', exact: true })).toBeInViewport()
  await button(page, 'Set a New PIN').click()
  await page.getByLabel('New 4-Digit PIN').fill('9024')
  await button(page, 'Confirm with a passkey').click()
  await expect(notice(page, 'PIN changed')).toBeVisible()
  expect(await findObstacles(page)).toEqual([])
  const verify = (digits: string) => page.request.post(`${site}/api/users/${username}/verify-pin`, { data: { pin: digits } })
  expect((await verify(pin)).status()).toBe(401)
  expect((await verify('9024')).status()).toBe(200)

  await button(page, 'Remove Chrome on Linux').click()
  expect(await findObstacles(page)).toEqual([])
  await button(page, 'Use a passkey instead').click()
  await expect(listOf(page, 'Passkeys')).toHaveCount(0)
  await leave(page, site)
  await button(page, 'Sign in with a passkey').click()
  await expect(page.getByRole('alert').filter({ hasText: 'This passkey is not linked here' })).toBeVisible()
})

test('a wallet is linked on a phone, signs in with Ethereum, and says why it does not', async ({ page, baseURL }) => {
  await page.setViewportSize(phone)
  await page.emulateMedia({ reducedMotion: 'reduce' })
  const config = (await (await page.request.get('/api/config')).json()) as object
  await page.route('**/api/config*', (route) => route.fulfill({ json: { ...config, demoWallets: [] } }))
  const wallet = await installWallet(page, `${baseURL}/rpc`, { isProxy: true, account: carol })
  const site = String(baseURL)
  const username = await register(page, site)
  await button(page, 'Connect Wallet').click()
  await button(page, 'Link 0x3C44…93BC').click()
  await page.getByLabel('4-Digit PIN').fill(pin)
  await page.keyboard.press('Enter')
  await expect(notice(page, 'Wallet linked')).toBeVisible()
  await expect(listOf(page, 'Wallets to sign in with')).toHaveText(/^Test Fox0x3C44…93BCNever used · added /)
  expect(await findObstacles(page)).toEqual([])

  await leave(page, site)
  await button(page, 'Sign in with Ethereum').click()
  await button(page, 'Connect Wallet').click()
  await wallet.answered('eth_requestAccounts')
  wallet.decline()
  await button(page, 'Sign in as 0x3C44…93BC').click()
  await expect(page.getByRole('alert').filter({ hasText: 'You declined the request in your wallet' })).toBeVisible()
  expect(await findObstacles(page)).toEqual([])
  await button(page, 'Sign in as 0x3C44…93BC').click()
  await page.waitForURL('**/portfolio')
  await expect(page.getByRole('heading', { name: 'Your account' })).toBeVisible()
  expect(await page.evaluate(() => localStorage.getItem('username'))).toBe(username)
  await expect(notice(page, 'Wallet linked for login: Chrome on Linux')).toBeVisible()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(phone.width)
  // A wallet is one account's: the next run wants it again.
  expect((await page.request.delete(`/api/users/${username}`, { data: { pin } })).status()).toBe(204)
})
