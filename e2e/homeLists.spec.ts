import type { WireToken } from '@chainboard/contract'
import { expect, type Page } from '@playwright/test'
import { answerWith, basalt, card, cards, grid, openAction, rows, strip } from './homePage.ts'
import { test } from './test.ts'

test.describe('the trending strip', () => {
  test('ranks the five most traded tokens, each with its price, its change and a way to trade', async ({ page }) => {
    await page.goto('/')
    const places = strip(page).getByRole('listitem')
    await expect(places).toHaveCount(5)
    // Two tokens trade nearly as much as each other: which one is first changes.
    await expect(async () => {
      const ranked = (await (await page.request.get('/api/trending')).json()) as readonly { symbol: string }[]
      for (const [at, { symbol }] of ranked.entries())
        await expect(places.nth(at)).toContainText(`#${at + 1}${symbol}`, { timeout: 1_000 })
    }).toPass()
    const { symbol, name, address } = await findMover(page)
    const mover = places.filter({ hasText: name })
    await expect(mover).toContainText(/\$[\d,]+\.\d\d/)
    await expect(mover).toContainText(/[+-]?\d+\.\d\d%/)
    const trade = mover.getByRole('link', { name: `Trade ${symbol}` })
    await expect(trade).toHaveAttribute('href', `https://app.emberswap.example/swap?outputCurrency=${address}`)
    await expect(trade).toHaveAttribute('target', '_blank')
    await expect(trade).toHaveAttribute('rel', 'noopener noreferrer')
  })

  test('opens the details from anywhere on a card, and follows the market', async ({ page }) => {
    test.setTimeout(120_000)
    await page.goto('/')
    await expect(strip(page).getByRole('listitem')).toHaveCount(5)
    // Places may change, too.
    const read = async () => ((await strip(page).textContent()) ?? '').replace(/#\d/g, '')
    const before = await read()
    await expect.poll(read, { timeout: 80_000 }).not.toBe(before)
    const { name, address } = await findMover(page)
    const mover = strip(page).getByRole('listitem').filter({ hasText: name })
    await mover.click({ position: { x: 8, y: 8 } })
    await expect(page).toHaveURL(new RegExp(`\\?token=${address}$`))
  })
})

/** The first of the trending tokens that is no stable coin: which one that is changes with the market. */
async function findMover(page: Page): Promise<WireToken> {
  const ranked = (await (await page.request.get('/api/trending')).json()) as readonly WireToken[]
  const mover = ranked.find(({ symbol }) => symbol !== 'USDC')
  if (!mover) throw new Error('Stable coins alone are trending')
  return mover
}

test.describe('the featured tokens', () => {
  test("are the operator's, with category, price, change, market cap and links", async ({ page }) => {
    await page.goto('/')
    await expect(cards(page)).toHaveText(['Wrapped Ember', 'Cinderbank', 'Harborline', 'Basalt', 'Orrery', 'Tidewater'])
    const ember = card(page, 'Wrapped Ember')
    await expect(ember).toContainText('WEMB · Native')
    await expect(ember.getByRole('img', { name: 'Verified' })).toBeVisible()
    await expect(ember).toContainText(/\$1,\d{3}\.\d\d[+-]?\d+\.\d\d%Market Cap \$\d\.\d\dB/)
    for (const [name, href] of [
      ['Website of WEMB', 'https://ember.example/'],
      ['X of WEMB', 'https://x.example/ember'],
      ['Telegram of WEMB', 'https://telegram.example/wemb'],
    ] as const) {
      const link = ember.getByRole('link', { name, exact: true })
      await expect(link).toHaveAttribute('href', href)
      await expect(link).toHaveAttribute('target', '_blank')
      await expect(link).toHaveAttribute('rel', 'noopener noreferrer')
    }
    // Its name leads to its own page.
    await expect(ember.getByRole('link', { name: 'Wrapped Ember' })).toHaveAttribute('href', /^\/token\/0x/)
    await expect(ember.getByRole('link')).toHaveCount(4)
  })

  test('link to CoinMarketCap and CoinGecko where the list says so, and never run a script', async ({ page }) => {
    const urls = {
      website: 'javascript:alert(1)',
      cmcUrl: 'https://coinmarketcap.example/currencies/ember/',
      coingeckoUrl: 'https://coingecko.example/en/coins/ember',
    }
    await page.route(
      '**/highlighted.json*',
      answerWith((tokens) => tokens.map((token) => ({ ...token, ...urls }))),
    )
    await page.route(
      '**/assets.json?addresses*',
      answerWith((tokens) => tokens.map((token) => ({ ...token, ...urls }))),
    )
    await page.goto('/')
    const links = card(page, 'Wrapped Ember').getByRole('list').getByRole('link')
    await expect(links).toHaveCount(4)
    expect(await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')))).toEqual([
      'https://x.example/ember',
      'https://telegram.example/wemb',
      'https://coinmarketcap.example/currencies/ember/',
      'https://coingecko.example/en/coins/ember',
    ])
  })

  test('open details, chart and swaps', async ({ page }) => {
    await page.goto('/')
    await card(page, 'Basalt').getByRole('button', { name: 'Chart of BSLT' }).click()
    await expect(page.getByRole('dialog', { name: 'Basalt Price Chart' })).toBeVisible()
    await page.keyboard.press('Escape')
    await card(page, 'Basalt').getByRole('button', { name: 'Swaps of BSLT' }).click()
    await expect(page.getByRole('dialog', { name: 'Basalt Recent Swaps' })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toBeHidden()
    await card(page, 'Basalt').click({ position: { x: 120, y: 90 } })
    await expect(page).toHaveURL(`/?token=${basalt}`)
  })

  test('stand in one line, through which buttons lead', async ({ page }) => {
    const others = (tokens: WireToken[]) =>
      tokens.slice(0, 3).map((token, i) => ({ ...token, address: `0x${String(i).repeat(40)}` }))
    await page.route(
      '**/highlighted.json*',
      answerWith((tokens) => [...tokens, ...others(tokens)]),
    )
    await page.goto('/')
    await expect(cards(page)).toHaveCount(9)
    const [first, last] = [cards(page).first(), cards(page).last()]
    await expect(last).not.toBeInViewport()
    expect((await last.boundingBox())?.y).toBe((await first.boundingBox())?.y)
    const more = grid(page).getByRole('button', { name: 'More featured tokens' })
    await expect(async () => {
      if (await more.isEnabled()) await more.click()
      await expect(last).toBeInViewport({ timeout: 500 })
    }).toPass()
  })
})

test.describe('details of a token', () => {
  test('open from its row and from its name, and the focus stands on the name', async ({ page }) => {
    await page.goto('/')
    await rows(page).filter({ hasText: 'Basalt' }).locator('td').nth(4).click()
    await expect(page).toHaveURL(`/?token=${basalt}`)
    await page.goBack()
    await expect(page).toHaveURL('/')
    await expect(rows(page).getByRole('link', { name: 'Basalt', exact: true })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(`/?token=${basalt}`)
  })

  test('open without a mouse: slash, some letters, arrow down, enter', async ({ page }) => {
    await page.goto('/')
    await expect(rows(page)).toHaveCount(10)
    await page.keyboard.press('/')
    await page.keyboard.type('line')
    await expect(page.getByText('Showing 2 of 2 tokens')).toBeVisible()
    await expect(strip(page)).toBeHidden()
    const names = rows(page).locator('td:nth-child(2)').getByRole('link')
    await page.keyboard.press('ArrowDown')
    await expect(names.nth(0)).toBeFocused()
    await page.keyboard.press('ArrowDown')
    await expect(names.nth(1)).toBeFocused()
    await page.keyboard.press('ArrowDown')
    await expect(names.nth(1)).toBeFocused()
    await page.keyboard.press('ArrowUp')
    await expect(names.nth(0)).toHaveText('Harborline')
    await expect(names.nth(0)).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/\?q=line&token=0xA51c1fc2f0D1a1b8494Ed1FE312d7C3a78Ed91C0$/)
  })

  test('open with a tap on a phone', async ({ browser }) => {
    const context = await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })
    const page = await context.newPage()
    await page.goto('/')
    const basaltCard = page.getByRole('region', { name: 'All Tokens' }).getByRole('listitem').filter({ hasText: 'BSLT' })
    await basaltCard.tap({ position: { x: 240, y: 20 } })
    await expect(page).toHaveURL(`/?token=${basalt}`)
    await context.close()
  })
})

test.describe('the watchlist of a visitor without an account', () => {
  test('asks to log in, on the star of a row and of a card', async ({ page }) => {
    await page.goto('/')
    await openAction(page, 'Basalt', /watchlist/).click()
    await expect(page.getByRole('status').filter({ hasText: 'Please log in to add tokens to your watchlist' })).toBeVisible()
    await expect(page).toHaveURL('/')
    await page.setViewportSize({ width: 390, height: 844 })
    await page.reload()
    await page.getByRole('button', { name: 'Add BSLT to your watchlist' }).click()
    await expect(page.getByText('Please log in to add tokens to your watchlist')).toBeVisible()
    await expect(page).toHaveURL('/')
  })

  test('stands above all tokens once it is asked for', async ({ page }) => {
    await page.goto('/')
    await expect(rows(page)).toHaveCount(10)
    await expect(page.getByRole('region', { name: 'Watchlist' })).toBeHidden()
    const toggle = page.getByRole('banner').getByRole('button', { name: 'Watchlist' })
    await expect(toggle).toHaveAttribute('aria-pressed', 'false')
    await toggle.click()
    await expect(page.getByRole('region', { name: 'Watchlist' })).toContainText('Please log in to view your watchlist')
    await page.reload()
    await expect(toggle).toHaveAttribute('aria-pressed', 'true')
    await expect(page.getByRole('region', { name: 'Watchlist' })).toBeVisible()
    const headings = ['Trending', 'Featured', 'Boosted Tokens', 'Watchlist', 'All Tokens']
    await expect(page.getByRole('heading', { level: 2 })).toHaveText(headings)
    await toggle.click()
    await expect(page.getByRole('region', { name: 'Watchlist' })).toBeHidden()
  })
})
