import type { WireToken } from '@chainboard/contract'
import { expect, type Route } from '@playwright/test'
import {
  answerWith,
  boosted,
  card,
  cards,
  findObstacles,
  grid,
  listenForComplaints,
  listPaths,
  refuse,
  rows,
  strip,
  waitForPlaces,
  watchShifts,
} from './homePage.ts'
import { test } from './test.ts'

test.describe('while the server is slow, empty or failing', () => {
  test('the skeletons have the place of what comes', async ({ page }) => {
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route(/api\/trending|highlighted\.json|assets\.json/, async (route) => {
      await held
      await route.continue()
    })
    await page.goto('/')
    await expect(page.getByText('Loading the tokens')).toBeVisible()
    await expect(page.locator('.skeleton').first()).toBeVisible()
    await expect(page.locator('section[aria-busy="true"]')).toHaveCount(3)
    const places = async () => [
      await strip(page).boundingBox(),
      await grid(page).boundingBox(),
      await boosted(page).boundingBox(),
      await page.locator('table[data-sort] tbody tr').nth(9).boundingBox(),
    ]
    const before = await places()
    release()
    await expect(rows(page).filter({ hasText: 'WEMB' })).toBeVisible()
    await expect(cards(page)).toHaveCount(6)
    await expect(strip(page)).toContainText('#5')
    await expect(boosted(page).getByRole('listitem')).toHaveCount(2)
    await expect(page.locator('.skeleton')).toHaveCount(0)
    expect(await places()).toEqual(before)
  })

  test('a failing strip and grid say so and can be asked again; the table does not care', async ({ page }) => {
    await page.route(listPaths, refuse)
    await page.goto('/')
    await expect(rows(page).filter({ hasText: 'WEMB' })).toBeVisible()
    await expect(strip(page).getByRole('alert')).toContainText('Failed to fetch tokens')
    await expect(grid(page).getByRole('alert')).toContainText('Failed to fetch highlighted tokens')
    for (const part of [strip(page), grid(page)]) {
      await expect(part.getByRole('alert')).toHaveCSS('border', '1px dashed rgb(203, 196, 181)')
      await expect(part.getByRole('alert').locator('..')).toHaveCSS('border-style', 'solid')
      await expect(part.getByRole('alert').locator('..')).toHaveCSS('border-width', '0px')
    }
    await page.unroute(listPaths)
    await strip(page).getByRole('button', { name: 'Try Again' }).click()
    await expect(strip(page).getByRole('listitem')).toHaveCount(5)
    await grid(page).getByRole('button', { name: 'Try Again' }).click()
    await expect(cards(page)).toHaveCount(6)
  })

  test('a failing table says so and can be asked again', async ({ page }) => {
    await page.route('**/assets.json*', refuse)
    await page.goto('/')
    const section = page.getByRole('region', { name: 'All Tokens' })
    await expect(section.getByRole('alert')).toContainText('Failed to load tokens. Please try again later.')
    await expect(page.getByText(/Live prices/)).toHaveCount(0)
    await expect(cards(page)).toHaveCount(6)
    await page.unroute('**/assets.json*')
    await section.getByRole('button', { name: 'Try Again' }).click()
    await expect(rows(page)).toHaveCount(10)
  })

  for (const last of ['api/trending', 'highlighted.json', 'boosted=true', 'assets.json?sort'])
    test(`without trade, choice, boosts and list there is a table that says so, and nothing moves: ${last} comes last`, async ({
      page,
    }) => {
      const shifts = await watchShifts(page)
      await waitForPlaces(page)
      const others = Array.from({ length: 3 }, () => Promise.withResolvers<void>())
      const left = [...others]
      await page.route(/api\/trending|highlighted\.json|assets\.json\?(sort|boosted)/, async (route) => {
        const isLast = route.request().url().includes(last)
        if (isLast) await Promise.all(others.map(({ promise }) => promise))
        if (isLast) await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))
        await route.fulfill({ json: [], headers: { 'x-total-count': '0' } })
        if (!isLast) left.pop()?.resolve()
      })
      await page.goto('/')
      await expect(page.getByText('No tokens found')).toBeVisible()
      await expect(page.getByRole('heading', { level: 2 })).toHaveText(['Boosted Tokens', 'All Tokens'])
      await expect(boosted(page)).toContainText('No Boosted Tokens Yet')
      expect(await shifts()).toEqual([])
    })

  test('on a phone the line over the tokens has its place before the table comes', async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 1400 })
    const shifts = await watchShifts(page)
    await waitForPlaces(page)
    const drawn = Promise.withResolvers<void>()
    await page.route(/assets\.json\?sort/, async (route) => {
      await drawn.promise
      await route.continue()
    })
    await page.goto('/')
    await expect(page.getByText('Loading the tokens')).toBeVisible()
    await expect(page.getByText('Live prices')).toHaveCount(0)
    drawn.resolve()
    await expect(page.getByText('Live prices on Chainboard Devnet')).toBeVisible()
    expect(await shifts()).toEqual([])
  })

  test('when the server falls silent every figure is dimmed with its age, and nothing claims to be live', async ({ page }) => {
    await page.clock.install()
    await page.goto('/')
    await expect(page.getByText('Live prices on Chainboard Devnet')).toBeVisible()
    await expect(strip(page)).not.toContainText('old')
    await page.route(/api\/|assets\.json|highlighted\.json/, (route) => route.abort())
    await expect(async () => {
      await page.clock.fastForward('00:05')
      await expect(page.getByText('Last known prices on Chainboard Devnet')).toBeVisible({ timeout: 500 })
      await expect(strip(page).getByText(/^\d+[sm] old$/)).toHaveCount(5, { timeout: 500 })
    }).toPass()
    await expect(card(page, 'Basalt').getByText(/^\d+[sm] old$/)).toBeVisible()
    await expect(card(page, 'Basalt').getByText('Market Cap').locator('..')).toHaveCSS('color', 'rgb(98, 102, 111)')
    await expect(rows(page).getByText(/^\d+[sm] old$/)).toHaveCount(10)
    await expect(rows(page).first().getByRole('cell').nth(5)).toHaveCSS('color', 'rgb(98, 102, 111)')
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await expect(async () => {
      await page.clock.fastForward('00:05')
      await expect(page.getByText('Live prices on Chainboard Devnet')).toBeVisible({ timeout: 500 })
      await expect(strip(page).getByText(/old$/)).toHaveCount(0, { timeout: 500 })
    }).toPass()
  })

  test('a page that never had an answer claims no live prices', async ({ page }) => {
    await page.route(/api\/|assets\.json|highlighted\.json/, (route) => route.abort())
    await page.goto('/')
    await expect(page.getByRole('main').getByText('The server is not responding.')).toBeVisible()
    await expect(page.getByText(/Live prices/)).toHaveCount(0)
  })

  test('an old price is dimmed with its age, a missing one says why', async ({ page }) => {
    const stale = (tokens: WireToken[]): WireToken[] =>
      tokens.map((token) =>
        token.symbol === 'WEMB'
          ? {
              ...token,
              priceStatus: 'unpriced',
              priceInUsd: 0,
              fdmc: 0,
              priceReasons: ['No pool on the chain trades this token.'],
            }
          : { ...token, priceStatus: 'stale', priceAsOf: Math.floor(Date.now() / 1000) - 7_300 },
      )
    for (const path of [listPaths, '**/assets.json*']) await page.route(path, answerWith(stale))
    await page.goto('/')
    const change = /^[+-]?\d+\.\d\d%$/
    for (const old of [
      card(page, 'Basalt'),
      strip(page).getByRole('listitem').filter({ hasNotText: 'WEMB' }).first(),
      boosted(page).getByRole('listitem').first(),
    ]) {
      await expect(old).toContainText('2h old')
      await expect(old.getByText(change)).toHaveCSS('color', 'rgb(98, 102, 111)')
    }
    await expect(card(page, 'Wrapped Ember')).toContainText('N/A')
    await expect(card(page, 'Wrapped Ember')).toContainText('Market Cap N/A')
    const missing = card(page, 'Wrapped Ember').getByRole('button', { name: 'N/A' })
    const reason = card(page, 'Wrapped Ember').getByRole('tooltip')
    await expect(missing).toHaveAccessibleDescription('No pool on the chain trades this token.')
    await missing.hover()
    await expect(reason).toBeVisible()
    // The pointer may go on to the reason, and rest there.
    const box = await reason.boundingBox()
    if (!box) throw new Error('The reason has no box')
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2, { steps: 8 })
    await expect(reason).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(reason).toBeHidden()
    await missing.focus()
    await expect(reason).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(reason).toBeHidden()
    await expect(missing).toBeFocused()
  })
})

test('a press on a reason opens nothing, and a pointer that passes leaves it to whoever has the focus there', async ({
  page,
}) => {
  await page.goto('/?q=ochre')
  const missing = rows(page).getByRole('button', { name: 'N/A' }).first()
  const reason = rows(page).getByRole('tooltip').first()
  await missing.hover()
  await reason.click()
  await page.mouse.move(5, 5)
  await expect(reason).toBeHidden()
  await missing.focus()
  await missing.hover()
  await page.mouse.move(5, 5)
  await expect(reason).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(reason).toBeHidden()
  await expect(page).toHaveURL('/?q=ochre')
})

test('names and pictures that want to break the page do not', async ({ page }) => {
  const complaints = listenForComplaints(page)
  const hostile = (tokens: WireToken[]) =>
    tokens.map((token, i) => ({
      ...token,
      name: i % 2 ? '\u202E<script>alert(1)</script>' : 'W'.repeat(10_000),
      symbol: 'X'.repeat(300),
      category: 'C'.repeat(500),
      logo: 'javascript:alert(1)',
      priceInUsd: 123_456_789.12,
      priceChange24h: 123_456,
    }))
  for (const path of [listPaths, '**/assets.json*']) await page.route(path, answerWith(hostile))
  test.slow() // three pages
  for (const width of [390, 768, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    await page.goto('/')
    await expect(cards(page).nth(1)).toHaveText('<script>alert(1)</script>')
    await expect(page.getByText('Showing 10 of 16 tokens')).toBeVisible()
    const sideways = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
    expect(sideways).toBe(0)
    expect((await grid(page).boundingBox())?.height, `${width}`).toBe({ 390: 140, 768: 140, 1440: 108 }[width])
  }
  expect(complaints).toEqual([])
})

test('waiting and failing can be used by all', async ({ browser }) => {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } })
  const page = await context.newPage()
  let answer: (route: Route) => void = () => {}
  await page.route(/api\/trending|highlighted\.json|assets\.json/, (route) => answer(route))
  for (const [next, settled] of [
    [() => {}, 'Loading the tokens'],
    [refuse, 'Failed to fetch highlighted tokens'],
  ] as const) {
    answer = next
    await page.goto('/')
    await expect(page.getByText(settled)).toBeVisible()
    expect(await findObstacles(page)).toEqual([])
  }
  await context.close()
})
