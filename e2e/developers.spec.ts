import { expect, type Page } from '@playwright/test'
import { content, devices, examine, keyShape, openExamples, press, statusOf } from './priceApi.ts'
import { test } from './test.ts'
import { carol, installWallet } from './testWallet.ts'

const answer = (page: Page) => page.getByRole('region', { name: 'Example response' })
const section = (page: Page) => page.getByRole('region', { name: 'Get a free API key' })
const shownKey = (page: Page) => section(page).locator('[data-key]')

/** A browser with one wallet, which has an account of its own; undefined for a browser without. */
async function openWith(page: Page, baseURL: string | undefined, chainId?: number) {
  const config = (await (await page.request.get('/api/config')).json()) as object
  await page.route('**/api/config*', (route) => route.fulfill({ json: { ...config, demoWallets: [] } }))
  const wallet = await installWallet(page, `${baseURL}/rpc`, chainId === undefined ? {} : { chainId })
  await page.goto('/developers')
  await wallet.changeAccount(carol)
  return wallet
}

test('has a real answer of this server, and tells what is offered for what', async ({ page }) => {
  const symbol = await openExamples(page, '/developers')
  await expect(page).toHaveTitle('Price API · Chainboard')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Price API')
  await expect(answer(page)).toContainText(`"symbol": "${symbol}"`)
  await expect(answer(page)).toContainText('"tier": "shared"')
  await expect(page.getByText(/^200 in \d+ ms · [\d,]+ of your 10,000 left today$/)).toBeVisible()
  const before = await answer(page).textContent()
  await press(page, 'Refresh')
  await expect(answer(page)).not.toHaveText(before ?? '')
  const plans = page.getByRole('region', { name: 'Pricing' }).getByRole('heading', { level: 3 })
  await expect(plans).toHaveText(['Shared', 'Free key', 'Basic', 'Custom'])
  await expect(page.getByRole('region', { name: 'Pricing' })).toContainText('$15a month10,000 requests a day')
  await expect(page.getByRole('link', { name: 'api@ember.example' })).toHaveAttribute(
    'href',
    'mailto:api@ember.example?subject=API%20key',
  )
  await expect(page.getByRole('link', { name: 'Chat channel' })).toHaveAttribute('href', 'https://chat.ember.example/')
  await page.getByRole('link', { name: 'Get Started' }).click()
  await expect(page.getByRole('heading', { name: 'Get a free API key' })).toBeInViewport()
  await page.getByRole('link', { name: 'View Documentation' }).click()
  await expect(page).toHaveURL('/docs')
  await page.getByRole('contentinfo').getByRole('link', { name: 'Developer APIs' }).click()
  await expect(page).toHaveURL('/developers')
})

test('shows a refusal as it is, and what does not answer as that', async ({ page }) => {
  const refusal = { success: false, error: { code: 'RATE_LIMIT_EXCEEDED', message: 'Used up', limit: 10_000, remaining: 0 } }
  await page.route('**/api/v1/prices/*', (route) => route.fulfill({ status: 429, json: refusal }))
  await page.goto('/developers')
  await expect(answer(page)).toContainText('"code": "RATE_LIMIT_EXCEEDED"')
  await expect(page.getByText(/^429 in \d+ ms$/)).toBeVisible()
  await page.unroute('**/api/v1/prices/*')
  await page.route('**/api/v1/prices/*', (route) => route.abort())
  await page.reload()
  await expect(page.getByRole('alert').filter({ hasText: 'The price API is not responding' })).toBeVisible()
  await page.unroute('**/api/v1/prices/*')
  await press(page, 'Try Again')
  await expect(answer(page)).toContainText('"success": true')
})

test('moves nothing while the answer comes', async ({ page }) => {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route('**/api/v1/prices/*', async (route) => {
    await promise
    await route.continue()
  })
  await page.goto('/developers')
  const pricing = page.getByRole('heading', { name: 'Pricing' })
  await expect(pricing).toBeVisible()
  const before = await pricing.boundingBox()
  resolve()
  await expect(answer(page)).toContainText('"success": true')
  expect(await pricing.boundingBox()).toEqual(before)
})

test('a contact that the network does not have leaves no gap', async ({ page }) => {
  const config = (await (await page.request.get('/api/config')).json()) as object
  await page.route('**/api/config*', (route) => route.fulfill({ json: { ...config, contact: { email: null, chatUrl: null } } }))
  await page.goto('/developers')
  await expect(page.getByRole('region', { name: 'Contact' })).toContainText('Use the links at the bottom of this page.')
  await expect(page.getByRole('region', { name: 'Contact' }).getByRole('link')).toHaveCount(0)
})

test('a browser without a wallet says so', async ({ page }) => {
  const config = (await (await page.request.get('/api/config')).json()) as object
  await page.route('**/api/config*', (route) => route.fulfill({ json: { ...config, demoWallets: [] } }))
  await page.goto('/developers')
  await press(page, 'Connect Wallet')
  await expect(section(page).getByRole('alert').filter({ hasText: 'MetaMask is not installed' })).toBeVisible()
  await expect(section(page).getByRole('button', { name: 'Sign and generate key' })).toBeDisabled()
})

test('a signature makes a key, shown once, and the next one replaces it', async ({ page, baseURL, request }) => {
  // Which chain the wallet is on does not matter.
  const wallet = await openWith(page, baseURL, 1)
  await press(page, 'Connect Wallet')
  await expect(section(page)).toContainText('0x3C44…93BC')
  wallet.decline()
  await press(page, 'Sign and generate key')
  await expect(section(page).getByRole('alert')).toHaveText('You declined the request in your wallet')
  const sign = wallet.hold()
  await press(page, 'Sign and generate key')
  await expect(section(page).getByRole('button', { name: 'Confirm in your wallet' })).toBeVisible()
  sign()
  await expect(shownKey(page)).toHaveText(keyShape)
  const first = (await shownKey(page).textContent()) ?? ''
  expect(await statusOf(request, first)).toBe(200)
  await expect(section(page)).toContainText("you won't see it again")
  await press(page, 'Done')
  await expect(shownKey(page)).toHaveCount(0)
  await press(page, 'Sign and generate key')
  await expect(shownKey(page)).toHaveText(keyShape)
  const second = (await shownKey(page).textContent()) ?? ''
  expect([await statusOf(request, first), await statusOf(request, second)]).toEqual([401, 200])
  // The examples have it, without a word to any storage.
  await page.getByRole('link', { name: 'Use it in the examples' }).click()
  await expect(content(page).locator('mark').first()).toHaveText(second)
  const stored = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]))
  expect(stored).not.toContain(second)
  await page.reload()
  await expect(content(page).locator('mark')).toHaveCount(0)
})

test("what the server refuses is said in its words, else in the product's", async ({ page, baseURL }) => {
  await openWith(page, baseURL)
  await press(page, 'Connect Wallet')
  const generate = '**/api/keys/generate-free*'
  await page.route(generate, (route) => route.fulfill({ status: 503, json: { error: 'The chain does not answer' } }))
  await press(page, 'Sign and generate key')
  await expect(section(page).getByRole('alert')).toHaveText('The chain does not answer')
  await page.unroute(generate)
  await page.route(generate, (route) => route.fulfill({ status: 500, body: '' }))
  await press(page, 'Sign and generate key')
  await expect(section(page).getByRole('alert')).toHaveText('Failed to generate API key')
})

test('a device with a wrong clock signs with the time of the server', async ({ page, baseURL }) => {
  await page.clock.install({ time: '2031-01-01T00:00:00Z' })
  await openWith(page, baseURL)
  await press(page, 'Connect Wallet')
  const sent = page.waitForRequest('**/api/keys/generate-free*')
  await page.route('**/api/keys/generate-free*', (route) => route.fulfill({ status: 409, json: { error: 'Enough' } }))
  await press(page, 'Sign and generate key')
  const { message } = (await sent).postDataJSON() as { message: string }
  const [title, domain, wallet, timestamp] = message.split('\n')
  expect([title, domain, wallet]).toEqual([
    'Chainboard Free API Key',
    `Domain: ${new URL(baseURL ?? '').host}`,
    `Wallet: ${carol}`,
  ])
  expect(timestamp).toMatch(/^Timestamp: 20\d\d-/)
  expect(timestamp).not.toContain('2031')
})

for (const { device, viewport, hasTouch } of devices) {
  test(`can be used by all: ${device}`, async ({ browser, baseURL }) => {
    const context = await browser.newContext({ viewport, hasTouch })
    const page = await context.newPage()
    await openWith(page, baseURL)
    await expect(answer(page)).toContainText('"success": true')
    await examine(page, 'developers')
    await page.route('**/api/keys/generate-free*', (route) =>
      route.fulfill({ status: 201, json: { key: `cb_${'a1'.repeat(19)}` } }),
    )
    // By keyboard alone.
    await page.getByRole('link', { name: 'Get Started' }).focus()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    await expect(section(page).getByRole('button', { name: 'Connect Wallet' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(section(page)).toContainText('0x3C44…93BC')
    await examine(page, 'connected')
    await page.getByRole('button', { name: 'Sign and generate key' }).focus()
    await page.keyboard.press('Enter')
    await expect(shownKey(page)).toHaveText(keyShape)
    await expect(page.getByRole('heading', { name: 'Your API key' })).toBeFocused()
    await page.keyboard.press('Tab')
    await expect(section(page).getByRole('button', { name: /^Copy/ })).toBeFocused()
    await examine(page, 'key made')
    await context.close()
  })
}
