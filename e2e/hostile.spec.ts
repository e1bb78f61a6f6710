import { expect, type Page } from '@playwright/test'
import { expectHarmless, listen, notTheLogo } from './harm.ts'
import { rows } from './homePage.ts'
import { attacks, serveHostileConfig, serveHostileLists } from './hostileList.ts'
import { test } from './test.ts'

/** Opens a modal without loading the page anew. */
async function open(page: Page, search: string): Promise<void> {
  await page.evaluate((path) => history.pushState(null, '', path), `/${search}`)
}

const screens = [
  ['phone', { width: 390, height: 844 }],
  ['tablet', { width: 768, height: 1024 }],
  ['desktop', { width: 1440, height: 900 }],
] as const

for (const [device, viewport] of screens) {
  test.describe(`a list that means harm, on a ${device}`, () => {
    test.use({ viewport })

    test('is shown as text, in rows of the same height, with links that are links', async ({ page }) => {
      const heard = listen(page)
      await serveHostileLists(page)
      await page.goto('/')
      await expect(page.getByText('Missing Logo').last()).toBeVisible()
      await expect(page.getByText('<script>alert(1)</script>').last()).toBeVisible()
      // Logos load as they come into view.
      await page.getByText('Showing 10 of 16 tokens').scrollIntoViewIfNeeded()
      await expect(page.getByText('MI', { exact: true }).last()).toBeVisible()
      await expectHarmless(page, 'home')
      const table = page.getByRole('region', { name: 'All Tokens' })
      const lines = device === 'phone' ? table.locator('li').filter({ has: page.getByText(/\$/) }) : rows(page)
      const heights = await lines.evaluateAll((all) => all.map((line) => Math.round(line.getBoundingClientRect().height)))
      expect(heights).toEqual(Array(10).fill(device === 'phone' ? 64 : 56))
      expect(heard.dialogs).toEqual([])
      expect(heard.complaints.filter(notTheLogo)).toEqual([])
    })

    test('is shown as text in every modal', async ({ page }) => {
      const heard = listen(page)
      const addresses = await serveHostileLists(page)
      await page.goto('/')
      await expect(page.getByText('Missing Logo').last()).toBeVisible()
      for (const [place, { what }] of attacks.entries()) {
        for (const kind of ['token', 'chart', 'swaps'] as const) {
          await open(page, `?${kind}=${addresses[place]}`)
          await expect(page.getByRole('dialog')).toBeVisible()
          await expect(page.getByRole('dialog').getByRole('status')).toHaveCount(0)
          await expectHarmless(page, `${kind} of ${what}`)
        }
      }
      expect(heard.dialogs).toEqual([])
      expect(heard.complaints.filter(notTheLogo)).toEqual([])
    })

    test('and a network file that means harm', async ({ page }) => {
      const heard = listen(page)
      await serveHostileConfig(page)
      await page.goto('/')
      await expect(page.getByText('Showing 10 of 16 tokens')).toBeVisible()
      await page.getByRole('contentinfo').scrollIntoViewIfNeeded()
      await expectHarmless(page, 'home')
      await open(page, '?swaps=0x0165878A594ca255338adfa4d48449f69242Eb8F')
      await expect(page.getByRole('dialog').getByText('Buy').or(page.getByRole('dialog').getByText('Sell')).first()).toBeVisible()
      await expectHarmless(page, 'swaps')
      expect(heard.dialogs).toEqual([])
      expect(heard.complaints).toEqual([])
    })
  })
}

test('rows are 56 px high for a mouse and 64 for a finger, whatever is in them', async ({ browser }) => {
  for (const [hasTouch, height] of [
    [false, 56],
    [true, 64],
  ] as const) {
    const context = await browser.newContext({ viewport: { width: 1024, height: 900 }, hasTouch, isMobile: hasTouch })
    const page = await context.newPage()
    await serveHostileLists(page)
    await page.goto('/')
    await expect(rows(page).filter({ hasText: 'MISS' })).toBeVisible()
    const heights = await rows(page).evaluateAll((all) => all.map((row) => Math.round(row.getBoundingClientRect().height)))
    expect(heights).toEqual(Array(10).fill(height))
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await context.close()
  }
})

test('a mark stands in for a logo that is missing or not allowed', async ({ page }) => {
  await serveHostileLists(page)
  await page.goto('/')
  for (const [name, initials] of [
    ['Missing Logo', 'MI'],
    ['Data Logo', 'DA'],
    ['Plain Logo', 'PL'],
  ] as const) {
    const row = rows(page).filter({ hasText: name })
    await row.scrollIntoViewIfNeeded()
    await expect(row.getByText(initials, { exact: true })).toBeVisible()
    await expect(row.locator('img')).toHaveCount(0)
  }
})

test('what cannot be seen is called by its address', async ({ page }) => {
  const address = (await serveHostileLists(page))[2] ?? ''
  await page.goto('/')
  const short = `${address.slice(0, 6)}…${address.slice(-4)}`
  await expect(rows(page).nth(2)).toContainText(short)
  await open(page, `?swaps=${address}`)
  await expect(page.getByRole('dialog')).toHaveAccessibleName(`${short} Recent Swaps`)
})

test('the server answers lists as JSON that no browser takes for a page, and logos that can do nothing', async ({ request }) => {
  for (const path of ['/assets.json', '/highlighted.json', '/api/trending', '/api/config']) {
    const headers = (await request.get(path)).headers()
    expect(headers['content-type'], path).toBe('application/json; charset=utf-8')
    expect(headers['x-content-type-options'], path).toBe('nosniff')
    expect(headers['content-security-policy'], path).toContain("script-src 'self'")
  }
  const logo = (await request.get('/logos/devnet/wemb.svg')).headers()
  expect(logo['content-security-policy']).toBe("default-src 'none'; style-src 'unsafe-inline'; sandbox")
  expect(logo['x-content-type-options']).toBe('nosniff')
})
