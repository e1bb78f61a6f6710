import type { WireToken } from '@chainboard/contract'
import { expect, type Page } from '@playwright/test'
import { answerWith, boosted, refuse, rows } from './homePage.ts'
import { holdPolls } from './poll.ts'
import { test } from './test.ts'

const listUrl = '**/assets.json?sort=*'
const section = (page: Page) => page.getByRole('region', { name: 'All Tokens' })
const shown = (page: Page) => section(page).locator('[data-token-name]')

for (const [device, viewport] of [
  ['desk', { width: 1_280, height: 900 }],
  ['phone', { width: 390, height: 844 }],
] as const)
  test.describe(`the tokens on a ${device}`, () => {
    test.use({ viewport })

    test('that cannot be refreshed stay with their time, claim nothing, and come when asked again', async ({ page }) => {
      const poll = await holdPolls(page)
      await page.goto('/')
      await expect(shown(page)).toHaveCount(10)
      await expect(section(page)).toContainText('Live prices')
      await page.route(listUrl, refuse)
      await poll(60_000)
      await expect(section(page)).toContainText(/Couldn't refresh\. These figures are from \d\d:\d\d:\d\d\./)
      await expect(section(page)).not.toContainText('Live prices')
      await expect(shown(page)).toHaveCount(10)
      await page.unroute(listUrl)
      await section(page).getByRole('button', { name: 'Try Again' }).click()
      await expect(section(page)).toContainText('Live prices')
      await expect(section(page)).not.toContainText("Couldn't refresh")
    })

    test('that never came say so, and come when asked again; so does a search', async ({ page }) => {
      await page.route(listUrl, refuse)
      await page.goto('/?q=orr')
      await expect(section(page).getByRole('alert')).toContainText('Failed to load tokens. Please try again later.')
      await expect(section(page)).not.toContainText('Live prices')
      await page.unroute(listUrl)
      await section(page).getByRole('button', { name: 'Try Again' }).click()
      await expect(shown(page)).toHaveText(/Orrery|ORRY/)
    })
  })

test('a search that fails leaves no rows of another', async ({ page }) => {
  await page.goto('/')
  await expect(rows(page)).toHaveCount(10)
  await page.route(/search=orr/, refuse)
  await page.getByPlaceholder('Search tokens...').fill('orr')
  await expect(section(page).getByRole('alert')).toContainText('Failed to load tokens. Please try again later.')
  await expect(rows(page)).toHaveCount(0)
})

test('a logo that does not come leaves no other token’s in its place', async ({ page }) => {
  await page.goto('/?sort=nameAsc')
  const row = rows(page).nth(4)
  const take = async () => {
    await row.evaluate((element) => element.scrollIntoView({ block: 'center' }))
    return row.getByRole('presentation').screenshot()
  }
  await expect(row).toContainText('Glasswork')
  await expect(row.getByRole('presentation')).toHaveJSProperty('complete', true)
  const glasswork = await take()
  await page.route('**/logos/devnet/verd.svg', () => undefined)
  await page.getByRole('link', { name: /next page/i }).click()
  await expect(row).toContainText('Verdigris')
  expect((await take()).equals(glasswork)).toBe(false)
})

test('the focus in a row that goes is not on the button of the token that comes', async ({ page }) => {
  const poll = await holdPolls(page)
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? null)
  await page.goto('/?sort=nameAsc')
  await page.getByRole('link', { name: /next page/i }).click()
  await expect(rows(page).first()).toContainText('Quillpay')
  await page.getByRole('button', { name: 'Price chart of QUIL' }).focus()
  await page.goBack()
  await expect(rows(page).first()).toContainText('Basalt')
  expect(await focused()).toBeNull()

  // What stays keeps the focus, wherever it goes; what goes takes it along.
  await page.getByRole('button', { name: 'Price chart of FNNC' }).focus()
  await page.route(
    listUrl,
    answerWith((tokens) => tokens.filter(({ symbol }) => symbol !== 'BSLT').reverse()),
  )
  await poll(60_000)
  await expect(rows(page)).toHaveCount(9)
  expect(await focused()).toBe('Price chart of FNNC')
  await page.route(
    listUrl,
    answerWith((tokens) => [...tokens.filter(({ symbol }) => symbol !== 'FNNC')]),
  )
  await poll(60_000)
  await expect(rows(page).first()).toContainText('Basalt')
  expect(await focused()).toBeNull()
})

test('a change of four digits and a large market cap stand beside each other on a boosted card', async ({ page }) => {
  const rise = (tokens: WireToken[]): WireToken[] =>
    tokens.map((token) => ({ ...token, priceStatus: 'priced', priceChange24h: 1_234.56, fdmc: 123_456_789_012 }))
  await page.route('**/assets.json*', answerWith(rise))
  await page.goto('/')
  const card = boosted(page).getByRole('listitem').first()
  await expect(card).toContainText('+1,234.56%')
  const gapPx = await card.evaluate((element) => {
    const [, change, cap] = element.querySelectorAll('dd')
    const end = change?.firstElementChild?.getBoundingClientRect().right ?? Number.NaN
    return (cap?.getBoundingClientRect().left ?? Number.NaN) - end
  })
  expect(gapPx).toBeGreaterThanOrEqual(12)
})
