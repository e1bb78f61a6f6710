import { expect, type Page } from '@playwright/test'
import { operator, signProof } from '../server/testing/signProof.ts'
import {
  connectDemo,
  content,
  copied,
  devices,
  examine,
  keyRow,
  keyShape,
  logIn,
  press,
  runCurl,
  search,
  statusOf,
} from './priceApi.ts'
import { test } from './test.ts'
import { carol, installWallet } from './testWallet.ts'

const dialog = (page: Page) => page.getByRole('dialog')
const notice = (page: Page, text: string) => page.getByRole('status').filter({ hasText: text })

type Session = { id: string; role: string; walletAddress: string; signature: string; message: string; loginTime: number }
const readSession = (page: Page): Promise<Session | null> =>
  page.evaluate(() => JSON.parse(sessionStorage.getItem('adminSession') ?? 'null') as Session | null)

let made = 0
const newEmail = () => `dev${process.pid}.${++made}@ember.example`

/** Makes a key in the panel; returns it whole. */
async function createKey(page: Page, email: string): Promise<string> {
  await press(page, '+ Create New Key')
  await dialog(page).getByLabel('Email *').fill(email)
  await dialog(page).getByRole('button', { name: 'Create Key' }).click()
  await expect(dialog(page).getByRole('heading', { name: 'API Key Created!' })).toBeVisible()
  const key = (await dialog(page).getByText(keyShape).textContent()) ?? ''
  await dialog(page).getByRole('button', { name: 'Close' }).last().click()
  await expect(dialog(page)).toHaveCount(0)
  return key
}

test('a free key: used as the documentation says, seen, paused, resumed, expired, deleted', async ({
  page,
  context,
  request,
}) => {
  test.slow()
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto('/developers')
  await connectDemo(page, 'Demo wallet')
  await press(page, 'Sign and generate key')
  await page.getByRole('link', { name: 'Use it in the examples' }).click()
  // The token that trades most, whichever that is.
  await expect(content(page).getByText(/symbol\/[A-Z]{4}\b/)).toBeVisible()
  const curl = await copied(page, /One token by address with curl/)
  const key = /cb_\w{38}/.exec(curl)?.[0] ?? ''
  expect(key).toMatch(keyShape)
  const used = await runCurl(curl)
  expect([used.status, JSON.parse(used.body).rateLimit]).toEqual(['200', { tier: 'free', limit: 1000, remaining: 999 }])

  await page.evaluate(() => localStorage.removeItem('wallet'))
  await logIn(page)
  const row = keyRow(page, '0x7099…79C8')
  await expect(row).toContainText(`cb_••••${key.slice(-4)}`)
  await expect(row.locator('td')).toHaveText([
    /0x7099…79C8/,
    'Active',
    'Free',
    '1 / 1,000',
    /^\w{3} \d+, 20\d\d$/,
    'Never ∞',
    /ago$/,
    /Edit/,
  ])
  await row.getByRole('button', { name: 'Pause' }).click()
  await expect(notice(page, 'Key updated successfully!')).toBeVisible()
  await expect(row).toContainText('Paused')
  const paused = await runCurl(curl)
  expect([paused.status, JSON.parse(paused.body).error.code]).toEqual(['403', 'KEY_INACTIVE'])
  await row.getByRole('button', { name: 'Resume' }).click()
  await expect(row).toContainText('Active')
  expect((await runCurl(curl)).status).toBe('200')

  // A free key does not expire: a basic one does.
  const email = newEmail()
  const basic = await createKey(page, email)
  expect(await statusOf(request, basic)).toBe(200)
  // A program signs for itself, and sends its message with every call.
  const proof = await signLogin(page)
  const { keys } = (await (await request.post('/api/admin/keys/list', { data: proof })).json()) as {
    keys: { email: string; fullId: string }[]
  }
  const id = keys.find((each) => each.email === email)?.fullId
  const expiresAt = new Date(Date.now() + 2_000).toISOString()
  await request.post(`/api/admin/keys/${id}/update`, { data: { ...proof, expiresAt } })
  await expect.poll(() => statusOf(request, basic)).toBe(403)
  await page.reload()
  const basicRow = keyRow(page, email)
  await expect(basicRow).toContainText('Expired')
  await basicRow.getByRole('button', { name: 'Resume' }).click()
  await expect(notice(page, 'The key has expired: set a later expiry date')).toBeVisible()

  for (const [each, gone] of [
    [basicRow, basic],
    [row, key],
  ] as const) {
    await each.getByRole('button', { name: 'Delete' }).click()
    await expect(dialog(page)).toContainText('Are you sure you want to delete this API key? This action cannot be undone.')
    await dialog(page).getByRole('button', { name: 'Delete' }).click()
    // Not the notice of the key before, nor a row that is on another page now.
    await expect(dialog(page)).toHaveCount(0)
    await expect(notice(page, 'Key deleted successfully!')).toBeVisible()
    await expect(each).toHaveCount(0)
    expect(await statusOf(request, gone)).toBe(401)
  }
  await press(page, 'Operators')
  const log = page.getByRole('region', { name: 'Audit log' }).getByRole('listitem')
  await expect(log.filter({ hasText: 'Changed' }).filter({ hasText: 'status paused → active' }).first()).toBeVisible()
  await expect(log.filter({ hasText: 'Deleted' }).filter({ hasText: email })).toHaveCount(1)
})

async function signLogin(page: Page) {
  const { siteName, domain } = (await (await page.request.get('/api/config')).json()) as { siteName: string; domain: string }
  return signProof(operator, { siteName, domain, purpose: 'Admin Login' })
}

test.describe('the door', () => {
  test('lets no other wallet in, and says why', async ({ page, baseURL }) => {
    const config = (await (await page.request.get('/api/config')).json()) as object
    await page.route('**/api/config*', (route) => route.fulfill({ json: { ...config, demoWallets: [] } }))
    const wallet = await installWallet(page, `${baseURL}/rpc`)
    await page.goto('/admin')
    await wallet.changeAccount(carol)
    await expect(page).toHaveTitle('Admin · Chainboard')
    await expect(page.getByRole('heading', { name: 'Admin Access' })).toBeVisible()
    await expect(content(page)).toContainText('Connect your admin wallet to continue')
    await expect(content(page)).toContainText('Only authorized wallet addresses can access the admin panel.')
    const connect = wallet.hold()
    await press(page, 'Connect Wallet')
    await expect(content(page).getByText('Connecting...').first()).toBeVisible()
    connect()
    await expect(content(page)).toContainText('0x3C44…93BC')
    const alert = content(page).getByRole('alert')
    wallet.decline()
    await press(page, 'Sign Message to Login')
    await expect(alert).toHaveText('You declined the request in your wallet')
    const sign = wallet.hold()
    await press(page, 'Sign Message to Login')
    await expect(content(page).getByRole('button', { name: 'Verifying...' })).toBeVisible()
    sign()
    await expect(alert).toHaveText('This wallet is not authorized')
    await page.route('**/api/admin/session?*', (route) => route.abort())
    await press(page, 'Sign Message to Login')
    await expect(alert).toHaveText('Failed to authenticate. Please try again.')
    expect(await readSession(page)).toBeNull()
    await press(page, 'Disconnect')
    await expect(content(page).getByRole('button', { name: 'Connect Wallet' })).toBeVisible()
  })

  test('stays open for a day in this tab, and logging out shuts it on the server too', async ({ page, request }) => {
    await logIn(page)
    const session = await readSession(page)
    const kept = ['id', 'loginTime', 'message', 'role', 'signature', 'walletAddress']
    expect(Object.keys(session ?? {}).toSorted()).toEqual(kept)
    expect(session?.message.split('\n')[0]).toBe('Chainboard Admin Session')
    await page.reload()
    await expect(page.getByRole('heading', { name: 'API Key Management' })).toBeVisible()
    // No script of the page sees the cookie, and what it does see opens nothing elsewhere.
    expect(await page.evaluate(() => document.cookie)).toBe('')
    const { id, walletAddress, signature, message } = session ?? {}
    expect((await request.post('/api/admin/stats', { data: { session: id } })).status()).toBe(401)
    expect((await request.post('/api/admin/stats', { data: { walletAddress, signature, message } })).status()).toBe(401)
    expect((await page.request.post('/api/admin/stats', { data: { session: id } })).status()).toBe(200)
    await press(page, 'Logout')
    await expect(page.getByRole('heading', { name: 'Admin Access' })).toBeVisible()
    await expect(page).toHaveURL('/admin')
    expect(await readSession(page)).toBeNull()
    expect((await page.request.post('/api/admin/stats', { data: { session: id } })).status()).toBe(401)
    // What somebody kept of it opens nothing.
    await page.evaluate((kept) => sessionStorage.setItem('adminSession', JSON.stringify(kept)), session)
    await page.reload()
    await expect(content(page).getByRole('alert')).toHaveText('Your session has ended. Log in again')
    expect(await readSession(page)).toBeNull()
  })

  test('shuts by itself after 24 hours', async ({ page }) => {
    // The page does not load itself anew meanwhile.
    await page.route('**/healthz*', (route) => route.abort())
    await page.clock.install()
    await logIn(page)
    await page.clock.fastForward('23:59:00')
    await expect(page.getByRole('heading', { name: 'API Key Management' })).toBeVisible()
    const session = await readSession(page)
    await page.clock.fastForward('00:01:30')
    await expect(content(page).getByRole('alert')).toHaveText('Your session has ended after 24 hours. Log in again.')
    await expect(page.getByRole('heading', { name: 'Admin Access' })).toBeFocused()
    expect(await readSession(page)).toBeNull()
    // What an earlier page left, and nobody looked at in time.
    await page.evaluate((left) => sessionStorage.setItem('adminSession', JSON.stringify(left)), session)
    await page.reload()
    await expect(content(page).getByRole('alert')).toHaveText('Your session has ended after 24 hours. Log in again.')
    expect(await readSession(page)).toBeNull()
  })
})

test.describe('the dialogs', () => {
  test('make a key, which is shown once, and change it', async ({ page, context, request }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    const email = newEmail()
    await logIn(page)
    await press(page, '+ Create New Key')
    await expect(dialog(page).getByRole('heading', { name: 'Create New API Key' })).toBeVisible()
    const create = dialog(page).getByRole('button', { name: 'Create Key' })
    await expect(create).toBeDisabled()
    await expect(dialog(page).getByLabel('Email *')).toHaveAttribute('type', 'email')
    await expect(dialog(page).getByLabel('Daily limit *')).toHaveValue('10000')
    await dialog(page).getByLabel('Email *').fill('nobody')
    await dialog(page).getByLabel('Daily limit *').fill('1.5')
    await dialog(page).getByLabel('Expiry date').fill('2020-01-01')
    await dialog(page).getByLabel('Transaction hash').fill('0x12')
    await create.click()
    await expect(dialog(page).getByRole('alert').filter({ hasText: /\S/ })).toHaveText([
      'Enter an address like name@example.org',
      'Enter a whole number from 1 to 10,000,000',
      'Enter a day in the future',
      'Enter 0x followed by 64 hexadecimal digits',
    ])
    await dialog(page).getByLabel('Email *').fill(email)
    await dialog(page).getByLabel('Daily limit *').fill('2500')
    await dialog(page).getByLabel('Tier').selectOption('forever')
    await expect(dialog(page).getByLabel('Expiry date')).toBeDisabled()
    await dialog(page)
      .getByLabel('Transaction hash')
      .fill(`0x${'ab'.repeat(32)}`)
    await dialog(page).getByLabel('Note').fill('pays in <b>spring</b>')
    await create.click()
    await expect(dialog(page).getByRole('heading', { name: 'API Key Created!' })).toBeVisible()
    await dialog(page).getByRole('button', { name: 'Copy Key' }).click()
    await expect(dialog(page).getByRole('button', { name: 'Copied!' })).toBeVisible()
    const key = await page.evaluate(() => navigator.clipboard.readText())
    await expect(dialog(page).getByText(key)).toBeVisible()
    await expect(dialog(page)).toContainText('PaymentNot found on the chain')
    expect(await statusOf(request, key)).toBe(200)
    await dialog(page).getByRole('button', { name: 'Close' }).last().click()
    await expect(page.getByText(key)).toHaveCount(0)

    const row = keyRow(page, email)
    await expect(row).toContainText('pays in <b>spring</b>')
    await expect(row).toContainText('Payment: Not found on the chain')
    await expect(row).toContainText('Never ∞')
    await search(page).fill(key)
    await expect(page.getByText(/^Showing 1 of 1 key(, \d+ in total)?$/)).toBeVisible()
    await search(page).fill(`cb_${'x'.repeat(34)}____`)
    await expect(content(page)).toContainText('No matching keys')
    await search(page).fill(email)
    await row.getByRole('button', { name: 'Edit' }).click()
    await expect(dialog(page).getByRole('heading', { name: 'Edit API Key' })).toBeVisible()
    await expect(dialog(page).getByLabel('Expiry date')).toBeDisabled()
    await dialog(page).getByLabel('Daily limit *').fill('')
    await dialog(page).getByRole('button', { name: 'Save Changes' }).click()
    await expect(dialog(page).getByRole('alert').first()).toHaveText('Enter a whole number from 1 to 10,000,000')
    await dialog(page).getByLabel('Daily limit *').fill('7')
    await dialog(page).getByRole('button', { name: 'Save Changes' }).click()
    await expect(notice(page, 'Key updated successfully!')).toBeVisible()
    await expect(row).toContainText('1 / 7')
  })

  test('a basic key lasts 30 days by default, and can be given for good', async ({ page }) => {
    const email = newEmail()
    await logIn(page)
    await createKey(page, email)
    const inDays = (days: number) => new Date(Date.now() + days * 86_400_000)
    const toDay = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', year: 'numeric', timeZone: 'UTC' })
    await expect(keyRow(page, email)).toContainText(toDay.format(inDays(30)))
    await keyRow(page, email).getByRole('button', { name: 'Edit' }).click()
    await expect(dialog(page).getByLabel('Expiry date')).toHaveValue(inDays(30).toISOString().slice(0, 10))
    await dialog(page).getByLabel('Expiry date').fill('')
    await dialog(page).getByRole('button', { name: 'Save Changes' }).click()
    await expect(keyRow(page, email)).toContainText('Never ∞')
  })

  test('say what failed, and keep what was typed', async ({ page }) => {
    const email = newEmail()
    await logIn(page)
    await createKey(page, email)
    const row = keyRow(page, email)
    const fail = (route: { fulfill: (answer: object) => Promise<void> }) => route.fulfill({ status: 500, body: '' })
    await page.route('**/api/admin/keys?*', fail)
    await page.route('**/api/admin/keys/*/*', fail)
    await press(page, '+ Create New Key')
    await dialog(page).getByLabel('Email *').fill('kept@ember.example')
    await dialog(page).getByRole('button', { name: 'Create Key' }).click()
    await expect(dialog(page).getByRole('alert').filter({ hasText: 'Failed to create API key' })).toBeVisible()
    await expect(dialog(page).getByLabel('Email *')).toHaveValue('kept@ember.example')
    await page.keyboard.press('Escape')
    await expect(dialog(page)).toHaveCount(0)
    await row.getByRole('button', { name: 'Edit' }).click()
    await dialog(page).getByRole('button', { name: 'Save Changes' }).click()
    await expect(dialog(page).getByRole('alert').filter({ hasText: 'Failed to update key' })).toBeVisible()
    await dialog(page).getByRole('button', { name: 'Cancel' }).click()
    await row.getByRole('button', { name: 'Pause' }).click()
    await expect(notice(page, 'Failed to update key')).toBeVisible()
    await row.getByRole('button', { name: 'Delete' }).click()
    await dialog(page).getByRole('button', { name: 'Delete' }).click()
    await expect(dialog(page).getByRole('alert').filter({ hasText: 'Failed to delete key' })).toBeVisible()
    await dialog(page).getByRole('button', { name: 'Cancel' }).click()
    await page.unrouteAll()
    // What the server says comes first.
    await page.route('**/api/admin/keys/*/delete*', (route) => route.fulfill({ status: 404, json: { error: 'No such key' } }))
    await row.getByRole('button', { name: 'Delete' }).click()
    await dialog(page).getByRole('button', { name: 'Delete' }).click()
    await expect(dialog(page).getByRole('alert')).toHaveText('No such key')
  })
})

for (const { device, viewport, hasTouch } of devices) {
  test(`can be used by all: ${device}`, async ({ browser }) => {
    test.slow()
    const context = await browser.newContext({ viewport, hasTouch })
    const page = await context.newPage()
    await page.goto('/admin')
    await expect(page.getByRole('heading', { name: 'Admin Access' })).toBeVisible()
    await examine(page, 'door')
    await connectDemo(page, 'Demo operator')
    // By keyboard alone from here.
    await expect(content(page).getByRole('button', { name: 'Sign Message to Login' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { name: 'API Key Management' })).toBeFocused()
    const create = content(page).getByRole('button', { name: '+ Create New Key' })
    await expect(create).toBeVisible()
    const email = newEmail()
    await create.focus()
    await page.keyboard.press('Enter')
    // Visible a moment earlier: a key pressed before the dialog has the focus goes to the button behind it.
    await expect(dialog(page)).toBeFocused()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await expect(dialog(page).getByLabel('Email *')).toBeFocused()
    await page.keyboard.type(email)
    await examine(page, 'create')
    await page.keyboard.press('Enter')
    await expect(dialog(page).getByRole('heading', { name: 'API Key Created!' })).toBeVisible()
    await examine(page, 'created')
    await page.keyboard.press('Escape')
    await expect(dialog(page)).toHaveCount(0)
    await expect(page.getByText(email).first()).toBeVisible()
    await examine(page, 'panel')
    for (const [view, heading] of [
      ['Site', 'Alerts'],
      ['Operators', 'Sessions'],
    ] as const) {
      await content(page)
        .getByRole('button', { name: new RegExp(`^${view}`) })
        .focus()
      await page.keyboard.press('Enter')
      await expect(page.getByRole('heading', { name: heading })).toBeVisible()
      await expect(content(page).locator('[aria-busy="true"]')).toHaveCount(0)
      await examine(page, view)
    }
    await content(page).getByRole('button', { name: 'Keys' }).focus()
    await page.keyboard.press('Enter')
    const edit = content(page).getByRole('button', { name: `Edit ${email}` })
    await edit.focus()
    await page.keyboard.press('Enter')
    await expect(dialog(page).getByRole('heading', { name: 'Edit API Key' })).toBeVisible()
    await examine(page, 'edit')
    await page.keyboard.press('Escape')
    await expect(edit).toBeFocused()
    await content(page)
      .getByRole('button', { name: `Delete ${email}` })
      .focus()
    await page.keyboard.press('Enter')
    await expect(dialog(page)).toContainText('Are you sure')
    await examine(page, 'delete')
    await context.close()
  })
}
