import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { buildSignMessage } from '@chainboard/core'
import { type APIRequestContext, expect, type Page } from '@playwright/test'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { findObstacles } from './homePage.ts'

// What the tests of the price API's pages do on them, and with what stands there.

const run = promisify(execFile)

export const keyShape = /^cb_[0-9A-Za-z]{38}$/
export const content = (page: Page) => page.locator('main')
export const press = (page: Page, name: string | RegExp) =>
  content(page)
    .getByRole('button', { name, exact: typeof name === 'string' })
    .click()

type Ran = { readonly status: string; readonly body: string }

/** Runs a command that begins with `curl`, as a visitor's shell does, for 10 seconds at most (a stream for 2). */
export async function runCurl(command: string): Promise<Ran> {
  expect(command).toMatch(/^curl /)
  const limit = command.includes('/stream') ? 2 : 10
  const { stdout } = await run('bash', ['-c', `${command} -s -w '\\n%{http_code}' --max-time ${limit}`]).catch((error) => {
    // curl's own word for "that took too long": a stream never ends.
    if (error.code === 28) return error as { stdout: string }
    throw error
  })
  const end = stdout.lastIndexOf('\n')
  return { status: stdout.slice(end + 1), body: stdout.slice(0, end) }
}

/** The status of a question for all prices with this key. */
export async function statusOf(request: APIRequestContext, key: string): Promise<number> {
  return (await request.get('/api/v1/prices', { headers: { 'x-api-key': key } })).status()
}

/** A free key of a wallet that nobody else has. */
export async function makeFreeKey(request: APIRequestContext): Promise<string> {
  const account = privateKeyToAccount(generatePrivateKey())
  const { siteName, domain } = (await (await request.get('/api/config')).json()) as { siteName: string; domain: string }
  const message = buildSignMessage({
    title: `${siteName} Free API Key`,
    domain,
    wallet: account.address,
    timestamp: new Date().toISOString(),
  })
  const data = { walletAddress: account.address, message, signature: await account.signMessage({ message }) }
  const answer = await request.post('/api/keys/generate-free', { data })
  expect(answer.status()).toBe(201)
  return ((await answer.json()) as { key: string }).key
}

/** Connects one of the devnet's own wallets in the page's content. */
export async function connectDemo(page: Page, name: 'Demo wallet' | 'Demo operator'): Promise<void> {
  await press(page, 'Connect Wallet')
  await press(page, new RegExp(name))
  await expect(content(page).getByRole('button', { name: 'Disconnect' })).toBeVisible()
}

/** Enters the operators' panel. */
export async function logIn(page: Page): Promise<void> {
  await page.goto('/admin')
  await connectDemo(page, 'Demo operator')
  await press(page, 'Sign Message to Login')
  await expect(page.getByRole('heading', { name: 'API Key Management' })).toBeVisible()
}

/** What the copy button beside `name` puts on the clipboard. */
export async function copied(page: Page, name: RegExp): Promise<string> {
  const button = content(page).getByRole('button', { name }).first()
  await button.click()
  await expect(content(page).getByText('Copied!').first()).toBeVisible()
  return page.evaluate(() => navigator.clipboard.readText())
}

/** The page's clock, installed before, goes on by `runFor` alone from here, two seconds on. */
export async function stopClock(page: Page): Promise<void> {
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 2_000)
}

/** Everybody can use what is on screen, and nothing leaves it sideways. */
export async function examine(page: Page, name: string): Promise<void> {
  const sideways = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  expect(sideways, `${name} scrolls sideways`).toBeLessThanOrEqual(0)
  expect([name, await findObstacles(page)]).toEqual([name, []])
}

// The operators' panel.

export const keyRow = (page: Page, text: string) =>
  page.getByRole('table', { name: 'API keys' }).locator('tbody tr', { hasText: text })
export const search = (page: Page) => page.getByPlaceholder('Search by email or key...')
export const lists = '**/api/admin/keys/list*'

export const devices = [
  { device: 'phone', viewport: { width: 390, height: 844 }, hasTouch: true },
  { device: 'desktop', viewport: { width: 1440, height: 900 }, hasTouch: false },
] as const

/** Opens a page with examples. @returns the symbol they are about: that of the token that trends first just now */
export async function openExamples(page: Page, path: string): Promise<string> {
  const answered = page.waitForResponse((response) => new URL(response.url()).pathname === '/api/trending')
  await page.goto(path)
  const [token] = (await (await answered).json()) as readonly { readonly symbol: string }[]
  expect(token, 'a token that trends').toBeDefined()
  return token?.symbol ?? ''
}
