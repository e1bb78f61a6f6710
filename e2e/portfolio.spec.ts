import { readFileSync } from 'node:fs'
import type { WireBalances, WireToken } from '@chainboard/contract'
import { expect, type Page, type Route } from '@playwright/test'
import { pin, signUp } from './account.ts'
import { findObstacles, watchShifts } from './homePage.ts'
import { test } from './test.ts'

const phone = { width: 390, height: 844 }

/** Holds tokens of the devnet, and has staked Cinderbank and Harborline. */
const whale = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
/** Holds nothing. */
const nobody = '0x000000000000000000000000000000000000dEaD'

/** A new account with these wallets, signed in as if the page had been loaded anew: without its PIN in memory. */
async function signIn(page: Page, wallets: readonly string[] = []): Promise<string> {
  const username = await signUp(page)
  for (const address of wallets)
    expect((await page.request.post(`/api/users/${username}/wallets`, { data: { address, pin } })).ok()).toBe(true)
  return username
}

const field = (page: Page) => page.getByRole('textbox', { name: 'Wallet address' })
const addButton = (page: Page) => page.getByRole('button', { name: 'Add Wallet' })
const pinField = (page: Page) => page.getByLabel('4-Digit PIN')
const confirm = (page: Page) => page.getByRole('button', { name: 'Confirm', exact: true })
const list = (page: Page) => page.getByRole('list', { name: 'Wallets' }).getByRole('listitem')
const block = (page: Page, short: string) => page.getByRole('region', { name: `Wallet ${short}` })
const value = (page: Page) => page.getByRole('region', { name: 'Portfolio Value' })
const row = (page: Page, table: RegExp, token: string) =>
  page.getByRole('table', { name: table }).getByRole('row').filter({ hasText: token })

async function showPortfolio(page: Page): Promise<void> {
  await page.goto('/portfolio')
  await expect(page.getByRole('heading', { name: 'Your account' })).toBeVisible()
}

const balanceOf = (address: string) => `**/api/wallets/${address}/balance*`
const anyBalance = '**/api/wallets/*/balance*'
const refuse = (route: Route) => route.fulfill({ status: 502, json: { error: 'The node is not responding' } })

/** The wallet as the test wants it. */
const holds = (tokens: WireBalances['tokens']) => (route: Route) => route.fulfill({ json: { block: 1_201, tokens } })

/** The server's tokens, some of them with other figures. */
async function changeTokens(page: Page, changes: Readonly<Record<string, Partial<WireToken>>>): Promise<void> {
  await page.route('**/assets.json*', async (route) => {
    const response = await route.fetch()
    const tokens = (await response.json()) as WireToken[]
    await route.fulfill({ response, json: tokens.map((token) => ({ ...token, ...changes[token.symbol] })) })
  })
}

const prices: Readonly<Record<string, Partial<WireToken>>> = Object.fromEntries(
  [
    ['WEMB', 1_500],
    ['CNDR', 2],
    ['HRBR', 100],
  ].map(([symbol, priceInUsd]) => [symbol, { priceInUsd, priceStatus: 'priced' }]),
)

test('without an account there is the way to log in', async ({ page }) => {
  await page.goto('/portfolio')
  await expect(page.getByText('Please log in to view your portfolio')).toBeVisible()
  await expect(page.getByRole('main').getByRole('link', { name: 'Login' })).toHaveAttribute('href', '/login')
  await expect(page).toHaveTitle('Portfolio · Chainboard')
})

test('a wallet is added with a right address and the PIN, and shows its tokens', async ({ page }) => {
  await signIn(page)
  await showPortfolio(page)
  await expect(page.getByText('No wallets added yet')).toBeVisible()
  await expect(value(page)).toContainText('$0.00')
  await expect(addButton(page)).toBeDisabled()

  await field(page).fill('0x7099')
  await addButton(page).click()
  await expect(page.getByText('An address is 0x followed by 40 hexadecimal digits.')).toBeVisible()
  await field(page).fill(whale.replace('C51812', 'c51812'))
  await addButton(page).click()
  await expect(page.getByText('This address fails its checksum')).toBeVisible()
  await expect(pinField(page)).toBeHidden()

  await field(page).fill(whale.toLowerCase())
  await page.keyboard.press('Enter')
  await expect(pinField(page)).toBeFocused()
  await expect(addButton(page)).toBeDisabled()
  await page.keyboard.type('1a2b3')
  await expect(pinField(page)).toHaveValue('123')
  await expect(confirm(page)).toBeDisabled()
  await page.keyboard.type('45')
  await expect(pinField(page)).toHaveValue('1234')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Invalid PIN')).toBeVisible()
  await expect(pinField(page)).toHaveValue('')

  await pinField(page).fill(pin)
  await confirm(page).click()
  await expect(pinField(page)).toBeHidden()
  await expect(field(page)).toHaveValue('')
  await expect(list(page)).toContainText(['0x7099…79C8'])
  await expect(row(page, /Token Balances/, 'Basalt')).toContainText('6,500')
})

test('the total is the sum of its parts, and each row has its share', async ({ page }) => {
  await signIn(page, [whale])
  const tokens = (await (await page.request.get('/assets.json')).json()) as WireToken[]
  const addressOf = (symbol: string) => tokens.find((token) => token.symbol === symbol)?.address ?? ''
  await changeTokens(page, prices)
  await page.route(
    anyBalance,
    holds([
      { tokenAddress: 'native', balance: '2.000000000000000001' },
      { tokenAddress: addressOf('CNDR'), balance: '10.12345' },
      { tokenAddress: addressOf('OCHR'), balance: '75' },
    ]),
  )
  await showPortfolio(page)
  // 2 x 1,500 + 10.12345 x 2, and 1,200 x 2 + 5 x 100 staked.
  await expect(value(page)).toContainText(/Total\$5\.92K\$5,920\.25Liquid\$3\.02K51\.0%Staked\$2\.90K49\.0%/)
  await expect(value(page)).toContainText("1 token without a price isn't counted.")
  await expect(block(page, '0x7099…79C8')).toContainText(/Block 1,201Total\$5\.92KLiquid\$3\.02KStaked\$2\.90K/)
  await expect(page.getByRole('table', { name: /Token Balances/ }).locator('tbody tr')).toHaveText([
    'EmberEMB2$1,500.00$3.00K50.7%',
    'CinderbankCNDR10.1235$2.00$20.250.3%',
    'OchreOCHR75N/AN/AN/A',
  ])
  await expect(page.getByRole('table', { name: /Staked Tokens/ }).locator('tbody tr')).toHaveText([
    'Cinderbank (Staked)CNDR1,200$2.00$2.40K40.5%',
    'Harborline (Staked)HRBR5$100.00$500.008.4%',
  ])
})

test('a wallet that is there, and one too many, are refused before the PIN is asked for', async ({ page }) => {
  const username = await signIn(page, [whale])
  await showPortfolio(page)
  await field(page).fill(whale.toLowerCase())
  await addButton(page).click()
  await expect(page.getByText('Wallet is already added')).toBeVisible()

  const many = Array.from({ length: 50 }, (_, index) => `0x${String(index).padStart(40, '0')}`)
  await page.route(`**/api/users/${username}?*`, (route) => route.fulfill({ json: { username, wallets: many } }))
  await page.goto('/portfolio')
  await expect(list(page)).toHaveCount(50)
  await field(page).fill(whale)
  await addButton(page).click()
  await expect(page.getByText('You can add up to 50 wallets')).toBeVisible()
  await expect(pinField(page)).toBeHidden()
})

test('many wallets are read four at a time', async ({ page }) => {
  const username = await signIn(page)
  const many = Array.from({ length: 9 }, (_, index) => `0x${String(index).padStart(40, '0')}`)
  await page.route(`**/api/users/${username}?*`, (route) => route.fulfill({ json: { username, wallets: many } }))
  await page.route('**/api/staking/**', (route) => route.fulfill({ json: { totalAmount: '0' } }))
  const running: Route[] = []
  await page.route(anyBalance, (route) => void running.push(route))
  await page.goto('/portfolio')
  for (const expected of [4, 4, 1]) {
    await expect.poll(() => running.length).toBe(expected)
    await Promise.all(running.splice(0).map(holds([])))
  }
  await expect(page.getByText('No tokens found in this wallet')).toHaveCount(9)
})

test('a wallet is removed with the PIN; Cancel forgets it', async ({ page }) => {
  await signIn(page, [whale, nobody])
  await showPortfolio(page)
  const remove = page.getByRole('button', { name: 'Remove wallet 0x0000…dEaD' })
  await remove.click()
  await pinField(page).fill('99')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(pinField(page)).toBeHidden()
  await expect(remove).toBeFocused()
  await remove.press('Enter')
  await expect(pinField(page)).toHaveValue('')
  await page.keyboard.press('Escape')
  await expect(pinField(page)).toBeHidden()

  await remove.click()
  await page.route('**/api/users/*/wallets/*', (route) => route.abort())
  await pinField(page).fill(pin)
  await confirm(page).click()
  await expect(page.getByText('Failed to remove wallet')).toBeVisible()
  await page.unroute('**/api/users/*/wallets/*')
  await pinField(page).fill(pin)
  await confirm(page).click()
  await expect(list(page)).toHaveCount(1)
  await expect(block(page, '0x0000…dEaD')).toBeHidden()
  await expect(block(page, '0x7099…79C8')).toBeVisible()
})

test('a wallet without tokens says so', async ({ page }) => {
  await signIn(page, [nobody])
  await showPortfolio(page)
  await expect(block(page, '0x0000…dEaD')).toContainText('No tokens found in this wallet')
  await expect(value(page)).toContainText('$0.00')
})

test('a wallet that cannot be read harms no other', async ({ page }) => {
  await signIn(page, [nobody, whale])
  await page.route(balanceOf(nobody), refuse)
  await showPortfolio(page)
  const broken = block(page, '0x0000…dEaD')
  await expect(broken).toContainText('Balances could not be read.')
  await expect(broken).toContainText('Total$0.00')
  await expect(broken).not.toContainText('No tokens found in this wallet')
  await expect(row(page, /Token Balances of 0x7099/, 'Tidewater')).toContainText('40,000')
  await expect(value(page)).toContainText('1 wallet could not be read.')
  // Zeros that nobody read are no figures: in the ink of what is said beside.
  const quiet = await broken.getByText('Unavailable', { exact: true }).evaluate((text) => getComputedStyle(text).color)
  await expect(broken.getByText('$0.00').first()).toHaveCSS('color', quiet)
  await expect(block(page, '0x7099…79C8').getByText(/^\$/).first()).not.toHaveCSS('color', quiet)
  const arrives = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export CSV' }).click()
  const lines = readFileSync(await (await arrives).path(), 'utf8').split('\r\n')
  expect(lines.slice(-2)).toEqual([`${nobody},Missing,This wallet could not be read,,,,,,`, ''])

  await page.getByRole('button', { name: 'Refresh' }).click()
  await expect(page.getByText('Failed to refresh balances')).toBeVisible()
  await page.unroute(balanceOf(nobody))
  await broken.getByRole('button', { name: 'Try Again' }).click()
  await expect(broken).toContainText('No tokens found in this wallet')
  await expect(value(page)).not.toContainText('could not be read')
  await page.getByRole('button', { name: 'Refresh' }).click()
  await expect(page.getByText('Failed to refresh balances')).toBeHidden()
})

test('a server that is asked too much is asked again when it says, and nothing is missing meanwhile', async ({ page }) => {
  await signIn(page, [whale])
  let asked = 0
  let readyAtMs = 0
  await page.route(anyBalance, (route) => {
    asked += 1
    if (asked === 1) readyAtMs = Date.now() + 1_900
    if (Date.now() >= readyAtMs) return route.continue()
    return route.fulfill({ status: 429, headers: { 'retry-after': '2' }, json: { error: 'Slow down' } })
  })
  await showPortfolio(page)
  await expect(row(page, /Token Balances/, 'Tidewater')).toContainText('40,000')
  await expect(block(page, '0x7099…79C8')).not.toContainText('could not be read')
  expect(asked).toBe(2)
})

test('balances that cannot be refreshed stay, with their time', async ({ page }) => {
  await signIn(page, [whale])
  await showPortfolio(page)
  await page.route(anyBalance, refuse)
  await page.getByRole('button', { name: 'Refresh' }).click()
  await expect(page.getByText('Failed to refresh balances')).toBeVisible()
  await expect(block(page, '0x7099…79C8')).toContainText(/Balances are from \d\d:\d\d:\d\d\./)
  await expect(row(page, /Token Balances/, 'Tidewater')).toContainText('40,000')
})

test('a staking contract that fails takes nothing else away', async ({ page }) => {
  await signIn(page, [whale])
  const tokens = (await (await page.request.get('/assets.json')).json()) as WireToken[]
  const contract = tokens.find(({ symbol }) => symbol === 'CNDR')?.stakingContract
  await page.route(`**/api/staking/${contract}/**`, refuse)
  await showPortfolio(page)
  await expect(block(page, '0x7099…79C8')).toContainText('Some stakes could not be read.')
  await expect(row(page, /Staked Tokens/, 'Harborline (Staked)')).toContainText('5')
  await expect(row(page, /Token Balances/, 'Tidewater')).toContainText('40,000')
  await expect(page.getByText('Cinderbank (Staked)')).toBeHidden()
})

test('the file has every position with all digits, and no formula', async ({ page }) => {
  await signIn(page, [whale])
  await changeTokens(page, { ...prices, CNDR: { ...prices['CNDR'], name: '=HYPERLINK("https://x.example","Cinder, bank")' } })
  await page.route(anyBalance, holds([{ tokenAddress: 'native', balance: '2.000000000000000001' }]))
  await showPortfolio(page)
  const arrives = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export CSV' }).click()
  const download = await arrives
  expect(download.suggestedFilename()).toMatch(/^portfolio-\d{4}-\d\d-\d\d\.csv$/)
  const lines = readFileSync(await download.path(), 'utf8').split('\r\n')
  expect(lines[0]).toBe('Wallet,Kind,Name,Symbol,Token,Staking contract,Balance,Price USD,Value USD')
  expect(lines[1]).toBe(`${whale},Token,Ember,EMB,native,,2.000000000000000001,1500,3000.0000000000000015`)
  expect(lines[2]).toMatch(
    /^0x7099\w+,Staked,"'=HYPERLINK\(""https:\/\/x\.example"",""Cinder, bank""\) \(Staked\)",CNDR,0x\w{40},0x\w{40},1200,2,2400$/,
  )
  expect(lines[3]).toMatch(/^0x7099\w+,Staked,Harborline \(Staked\),HRBR,0x\w{40},0x\w{40},5,100,500$/)
  expect(lines.slice(4)).toEqual([''])
})

test('a wallet with many tokens shows the most valuable, and the rest when asked', async ({ page }) => {
  await signIn(page, [whale])
  const tokens = (await (await page.request.get('/assets.json')).json()) as WireToken[]
  expect(tokens).toHaveLength(16)
  await page.route(anyBalance, holds(tokens.map(({ address }) => ({ tokenAddress: address, balance: '1' }))))
  await showPortfolio(page)
  const rows = page.getByRole('table', { name: /Token Balances/ }).locator('tbody tr')
  await expect(rows).toHaveCount(10)
  await page.getByRole('button', { name: 'Show 6 more' }).click()
  await expect(rows).toHaveCount(16)
})

test('an address is copied, and leads to the explorer', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await signIn(page, [whale])
  await showPortfolio(page)
  await page.getByRole('button', { name: 'Copy address 0x7099…79C8' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'Address copied to clipboard' })).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(whale)
  const link = page.getByRole('link', { name: 'Wallet 0x7099…79C8 in the explorer' })
  await expect(link).toHaveAttribute('href', `https://explorer.ember.example/address/${whale}`)
  await expect(link).toHaveAttribute('rel', 'noopener noreferrer')
})

test('a sign-in code is made with the PIN', async ({ page }) => {
  await signIn(page)
  await showPortfolio(page)
  await page.getByRole('button', { name: 'Create Code' }).click()
  await pinField(page).fill('9999')
  await confirm(page).click()
  await expect(page.getByText('Invalid PIN')).toBeVisible()
  await expect(pinField(page)).toHaveValue('')
  await pinField(page).fill(pin)
  await confirm(page).click()
  const made = page.getByRole('region', { name: 'Sign-in code' })
  await expect(made).toContainText(/[2-9A-Z]{5}-[2-9A-Z]{5}Works once, until \d\d:\d\d\./)
})

test('the account is deleted with the PIN alone', async ({ page }) => {
  const username = await signIn(page, [whale])
  await showPortfolio(page)
  await page.getByRole('button', { name: 'Delete My Account' }).click()
  await expect(page.getByText('This cannot be undone.')).toBeVisible()
  await pinField(page).fill('9999')
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(page.getByText('Invalid PIN')).toBeVisible()
  await expect(pinField(page)).toHaveValue('')
  await pinField(page).fill(pin)
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(page).toHaveURL(/:\d+\/$/)
  expect(await page.evaluate(() => localStorage.getItem('username'))).toBeNull()
  expect((await page.request.get(`/api/users/${username}`)).status()).toBe(401)
})

for (const [name, viewport] of [
  ['a desktop', { width: 1440, height: 900 }],
  ['a phone', phone],
] as const)
  test.describe(`on ${name}`, () => {
    test.use({ viewport })

    test('nothing moves while the portfolio is read, and everybody can use it', async ({ page }) => {
      const shifts = await watchShifts(page)
      await signIn(page, [nobody, whale])
      // What stands below is there before what stands above.
      const below = page.waitForResponse(balanceOf(whale))
      await page.route(balanceOf(nobody), async (route) => {
        await below
        await route.continue()
      })
      await showPortfolio(page)
      await expect(page.getByText('Tidewater')).toBeVisible()
      expect(await shifts()).toEqual([])
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(viewport.width)
      await field(page).fill('0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC')
      await addButton(page).click()
      await expect(pinField(page)).toBeFocused()
      expect(await findObstacles(page)).toEqual([])
    })

    test('who is not logged in meets no obstacle either', async ({ page }) => {
      await page.goto('/portfolio')
      await expect(page.getByText('Please log in to view your portfolio')).toBeVisible()
      expect(await findObstacles(page)).toEqual([])
    })
  })
