import { expect, type Page } from '@playwright/test'
import { content, examine, keyRow, lists, logIn, press, search, stopClock } from './priceApi.ts'
import { test } from './test.ts'

const figure = (page: Page, term: string) => page.locator('dt', { hasText: term }).locator('xpath=following-sibling::dd')

const fakeKey = (index: number) => ({
  id: `cb_••••k${String(index).padStart(3, '0')}`,
  fullId: `record-${index}`,
  email: `user${String(index).padStart(2, '0')}@ember.example`,
  status: 'active',
  tier: 'basic',
  requestsPerDay: 100,
  usageToday: index,
  createdAt: new Date(Date.UTC(2026, 0, 1 + index)).toISOString(),
  expiresAt: null,
  lastUsed: null,
  note: '',
  wallet: null,
  txHash: null,
  payment: null,
  deletion: null,
})

const fakeAct = (index: number) => ({
  id: `act${index}`,
  at: new Date(Date.UTC(2026, 0, 1, index)).toISOString(),
  wallet: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
  act: 'login',
  keyId: null,
  from: {},
  to: {},
  role: 'owner',
  via: 'session',
  alerts: [],
  entry: index + 1,
})

test.describe('the panel', () => {
  test('has the figures, and asks for everything again every 30 seconds', async ({ page }) => {
    await page.clock.install()
    const stats = {
      totalKeys: 12,
      activeKeys: 9,
      monthlyRevenue: 1_215,
      totalRequestsToday: 34_567,
      sharedApiUsage: 15_000,
      sharedApiIPs: 3,
    }
    await page.route('**/api/admin/stats*', (route) => route.fulfill({ json: { success: true, stats } }))
    let asked = 0
    await page.route(lists, (route) => {
      asked += 1
      return route.fulfill({ json: { success: true, keys: asked === 1 ? [] : [fakeKey(1)] } })
    })
    await logIn(page)
    await expect(content(page)).toContainText('No API keys yet')
    await stopClock(page)
    for (const [term, text] of [
      ['Total Keys', '12'],
      ['Active Keys', '9'],
      ['Monthly Revenue', '$1,215'],
      ['Requests Today', '34,567'],
    ] as const)
      await expect(figure(page, term)).toHaveText(text)
    await expect(content(page)).toContainText('15,000 of 30,000 requests today · 3 active IPs')
    await page.clock.runFor(26_000)
    expect(asked).toBe(1)
    await page.clock.runFor(4_000)
    await expect.poll(() => asked).toBe(2)
    // What is drawn waits for the clock, too.
    await page.clock.resume()
    await expect(keyRow(page, 'user01@ember.example')).toContainText('1 / 100')
  })

  test('many keys come in pages, in five orders, and are found by e-mail or key; a phone shows the log in parts', async ({
    page,
  }) => {
    await page.route(lists, (route) =>
      route.fulfill({ json: { success: true, keys: Array.from({ length: 25 }, (_, index) => fakeKey(index + 1)) } }),
    )
    const acts = Array.from({ length: 20 }, (_, index) => fakeAct(index))
    await page.route('**/api/admin/acts*', (route) => route.fulfill({ json: { success: true, acts, next: null } }))
    await logIn(page)
    const rows = page.getByRole('table', { name: 'API keys' }).locator('tbody tr')
    await expect(rows).toHaveCount(10)
    await expect(rows.first()).toContainText('user25@')
    await expect(page.getByText('Showing 10 of 25 keys')).toBeVisible()
    await press(page, 'Page 3')
    await expect(rows).toHaveCount(5)
    await page.getByLabel('Sort').selectOption('Email')
    await press(page, 'Page 1')
    await expect(rows.first()).toContainText('user01@')
    await search(page).fill('USER1')
    await expect(page.getByText('Showing 10 of 10 keys, 25 in total')).toBeVisible()
    await search(page).fill('k007')
    await expect(rows).toHaveText([/user07@/])
    await search(page).fill('nobody')
    await expect(content(page)).toContainText('No matching keys')
    await press(page, 'Operators')
    const log = page.getByRole('region', { name: 'Audit log' }).getByRole('listitem')
    await expect(log).toHaveCount(20)
    await page.setViewportSize({ width: 390, height: 844 })
    await expect(log).toHaveCount(8)
    await press(page, 'Show more')
    await expect(log).toHaveCount(16)
    await press(page, 'Show more')
    await expect(log).toHaveCount(20)
    await expect(content(page).getByRole('button', { name: 'Show more' })).toHaveCount(0)
  })

  test('featured tokens are put in another order, added and removed, with a preview, and saved', async ({ page }) => {
    const trending = (await (await page.request.get('/api/trending')).json()) as { address: string; symbol: string }[]
    const [one, two, three] = trending
    if (!one || !two || !three) throw new Error('three tokens trend on the devnet')
    // Other tests look at what the site features: what is saved here stays here.
    let tokens = [one.address, two.address]
    const saved: unknown[] = []
    await page.route('**/api/admin/featured?*', (route) =>
      route.fulfill({ json: { success: true, featured: { allowed: true, source: 'panel', tokens, tokensMax: 24 } } }),
    )
    await page.route('**/api/admin/featured/edit*', (route) => {
      const body = route.request().postDataJSON() as { tokens: string[] | null }
      saved.push(body.tokens)
      tokens = body.tokens ?? []
      return route.fulfill({ json: { success: true } })
    })
    await logIn(page)
    await press(page, /^Site/)
    const section = page.getByRole('region', { name: 'Featured tokens' })
    await section.getByRole('button', { name: 'Edit' }).click()
    const lines = section.getByRole('list', { name: 'Featured tokens, in order' }).getByRole('listitem')
    await expect(lines).toHaveText([new RegExp(one.symbol), new RegExp(two.symbol)])
    await section.getByRole('button', { name: `Move ${two.symbol} up` }).click()
    await expect(lines).toHaveText([new RegExp(two.symbol), new RegExp(one.symbol)])
    await section.getByLabel('Add a token').fill(three.symbol)
    await section.getByRole('button', { name: `Add ${three.symbol}` }).click()
    await expect(section.getByRole('region', { name: 'Preview' })).toContainText(three.symbol)
    await section.getByRole('button', { name: `Remove ${one.symbol}` }).click()
    await examine(page, 'featured')
    await section.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByRole('status').filter({ hasText: 'Featured tokens saved' })).toBeVisible()
    expect(saved).toEqual([[two.address, three.address]])
    await section.getByRole('button', { name: 'Use the files' }).click()
    await expect(section).toContainText('Nothing is featured')
    expect(saved[1]).toBe(null)
  })

  test('says what does not come, asks again, and lets out whom the server no longer knows', async ({ page }) => {
    await page.route(lists, (route) => route.fulfill({ status: 400, json: { error: 'Out of order' } }))
    await logIn(page)
    await expect(content(page).getByRole('alert').filter({ hasText: 'Out of order' })).toBeVisible()
    await page.unroute(lists)
    await page.route(lists, (route) => route.fulfill({ json: { success: true, keys: [fakeKey(3)] } }))
    await press(page, 'Try Again')
    await expect(keyRow(page, 'user03@ember.example')).toBeVisible()
    await page.route('**/api/admin/keys/*/update*', (route) =>
      route.fulfill({ status: 401, json: { error: 'Your session has ended. Log in again' } }),
    )
    await keyRow(page, 'user03@').getByRole('button', { name: 'Pause' }).click()
    await expect(content(page).getByRole('alert')).toHaveText('Your session has ended. Log in again')
    await expect(page.getByRole('heading', { name: 'Admin Access' })).toBeVisible()
  })
})
