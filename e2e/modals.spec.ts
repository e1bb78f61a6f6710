import AxeBuilder from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'
import { findObstacles } from './homePage.ts'
import { test } from './test.ts'
import { alterToken, basalt, modal, ochre, rowOf, usdc } from './tokenModal.ts'

// What all modals of a token have in common: addresses, closing, focus, the page behind, phones, and use by all.

const kinds = [
  { kind: 'token', title: 'Basalt Verified', tab: 'price', opener: /^Basalt$/ },
  { kind: 'chart', title: 'Basalt Price Chart', tab: 'price chart', opener: 'Price chart of BSLT' },
  { kind: 'swaps', title: 'Basalt Recent Swaps', tab: 'recent swaps', opener: 'Recent swaps of BSLT' },
] as const

const nextFrames = (page: Page) =>
  page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))

const focusIsInside = (page: Page) =>
  page.evaluate(() => document.activeElement?.closest('[role=dialog]') !== null && document.activeElement !== document.body)

for (const { kind, title, tab, opener } of kinds) {
  test.describe(`the modal at ?${kind}=`, () => {
    test('opens from the table, closes in three ways, and gives the focus back', async ({ page }) => {
      await page.goto('/')
      const button = rowOf(page, 'Basalt').getByRole(kind === 'token' ? 'link' : 'button', { name: opener })
      const closings = [
        () => page.keyboard.press('Escape'),
        () => page.mouse.click(6, 300),
        () => modal(page).getByRole('button', { name: 'Close' }).click(),
      ]
      for (const close of closings) {
        await button.click()
        await expect(modal(page).getByRole('heading', { level: 2 })).toHaveAccessibleName(title)
        await expect(modal(page)).toHaveAccessibleName(title)
        await expect(page).toHaveURL(`/?${kind}=${basalt}`)
        await expect(page).toHaveTitle(`Basalt (BSLT) ${tab} · Chainboard`)
        await expect.poll(() => focusIsInside(page)).toBe(true)
        await close()
        await expect(modal(page)).toHaveCount(0)
        await expect(page).toHaveURL('/')
        await expect(page).toHaveTitle('Chainboard')
        await expect(button).toBeFocused()
      }
    })

    test('can be shared: opened by its address it closes to the table, and the focus goes to the content', async ({ page }) => {
      await page.goto(`/?sort=nameAsc&${kind}=${basalt.toLowerCase()}`)
      await expect(modal(page)).toHaveAccessibleName(title)
      await page.keyboard.press('Escape')
      await expect(modal(page)).toHaveCount(0)
      await expect(page).toHaveURL('/?sort=nameAsc')
      await expect(page.getByRole('main')).toBeFocused()
      expect(await page.evaluate(() => scrollY)).toBe(0)
    })

    test('is one step of the history, whatever happens in it', async ({ page }) => {
      await page.goto('/?sort=nameAsc')
      await rowOf(page, 'Basalt')
        .getByRole(kind === 'token' ? 'link' : 'button', { name: opener })
        .click()
      await expect(modal(page)).toBeVisible()
      await page.reload()
      await expect(modal(page)).toHaveAccessibleName(title)
      await page.goBack()
      await expect(modal(page)).toHaveCount(0)
      await expect(page).toHaveURL('/?sort=nameAsc')
      await page.goForward()
      await expect(modal(page)).toHaveAccessibleName(title)
      // A second Escape while the first is still going back leads no further.
      await page.evaluate(() => {
        const press = () => new KeyboardEvent('keydown', { key: 'Escape', bubbles: true })
        document.activeElement?.dispatchEvent(press())
        document.activeElement?.dispatchEvent(press())
      })
      await expect(modal(page)).toHaveCount(0)
      await expect(page).toHaveURL('/?sort=nameAsc')
    })

    test('holds the page behind it still', async ({ page }) => {
      await page.setViewportSize({ width: 1280, height: 560 })
      await page.goto('/')
      await expect(rowOf(page, 'Basalt')).toBeVisible()
      await page.mouse.move(8, 300)
      await page.mouse.wheel(0, 120)
      await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(60)
      const before = await page.evaluate(() => scrollY)
      await rowOf(page, 'Basalt')
        .getByRole(kind === 'token' ? 'link' : 'button', { name: opener })
        .focus()
      await page.keyboard.press('Enter')
      await expect(modal(page)).toBeVisible()
      // The page is locked a timer's turn after the modal shows; the wheel knows it two frames later.
      await expect(page.locator('html, body').and(page.locator('[style*="overflow"]'))).toHaveCSS('overflow-y', 'hidden')
      await nextFrames(page)
      const opened = await page.evaluate(() => scrollY)
      await page.mouse.wheel(0, 120)
      await page.mouse.wheel(0, 120)
      await modal(page).press('End')
      await nextFrames(page)
      expect(await page.evaluate(() => scrollY)).toBe(opened)
      await page.keyboard.press('Escape')
      await expect(modal(page)).toHaveCount(0)
      await page.mouse.wheel(0, -2000)
      await expect.poll(() => page.evaluate(() => scrollY)).toBeLessThan(before)
    })

    test('keeps the keyboard inside', async ({ page }) => {
      await page.goto(`/?${kind}=${basalt}`)
      await expect(modal(page).getByRole('link', { name: /Trade on/ })).toBeVisible()
      const trade = modal(page).getByRole('link', { name: /Trade on/ })
      // Past the last control the focus comes round to the first one.
      for (let stops = 0, stepsAfterTrade = 0; stepsAfterTrade < 4; stops += 1) {
        expect(stops).toBeLessThan(60)
        await page.keyboard.press('Tab')
        await expect.poll(() => focusIsInside(page)).toBe(true)
        if (stepsAfterTrade > 0 || (await trade.evaluate((link) => link === document.activeElement))) stepsAfterTrade += 1
      }
    })

    test('does not know an address that nobody lists', async ({ page }) => {
      for (const address of ['0xdead', '0x000000000000000000000000000000000000dEaD', '%3Cb%3E']) {
        await page.goto(`/?${kind}=${address}`)
        await expect(modal(page)).toContainText('Token not found')
        await expect(modal(page).getByRole('link')).toHaveCount(0)
        await page.keyboard.press('Escape')
        await expect(page).toHaveURL('/')
      }
    })
  })
}

test('the modals lead to each other without filling the history, and the focus stays with them', async ({ page }) => {
  await page.goto('/')
  await rowOf(page, 'Basalt').getByRole('button', { name: 'Recent swaps of BSLT' }).click()
  for (const [button, title, query] of [
    ['Details', 'Basalt Verified', 'token'],
    ['Price Chart', 'Basalt Price Chart', 'chart'],
    ['Recent Swaps', 'Basalt Recent Swaps', 'swaps'],
    ['Price Chart', 'Basalt Price Chart', 'chart'],
    ['Details', 'Basalt Verified', 'token'],
  ] as const) {
    // In one step: the modal moves the focus itself, when it has opened.
    await modal(page).getByRole('button', { name: button }).press('Enter')
    await expect(modal(page)).toHaveAccessibleName(title)
    await expect(page).toHaveURL(`/?${query}=${basalt}`)
    await expect.poll(() => focusIsInside(page)).toBe(true)
  }
  await page.goBack()
  await expect(modal(page)).toHaveCount(0)
  await expect(page).toHaveURL('/')
  await expect(rowOf(page, 'Basalt').getByRole('button', { name: 'Recent swaps of BSLT' })).toBeFocused()
})

test('a name from a list can neither break the page nor run in it', async ({ page }) => {
  test.slow()
  const dialogs: string[] = []
  page.on('dialog', (dialog) => dialogs.push(dialog.message()))
  await alterToken(page, basalt, (token) => ({
    name: `\u202e<img src=x onerror=alert(1)> ${'Wide'.repeat(2500)}`,
    symbol: `${'M'.repeat(5000)}\u0000`,
    category: 'C'.repeat(3000),
    website: 'javascript:alert(2)',
    X: 'data:text/html,<script>alert(3)</script>',
    telegram: 'https://telegram.example/ok',
    cmcUrl: '/relative',
    lockUrl: 'javascript:alert(4)',
    priceReasons: ['R'.repeat(5000), '<b>bold</b>'],
    priceInfo: { ...(token['priceInfo'] as object), baseToken: { symbol: '<i>W'.repeat(99) } },
  }))
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 800 })
    for (const kind of ['token', 'chart', 'swaps']) {
      await page.goto(`/?${kind}=${basalt}`)
      await expect(modal(page).getByRole('heading', { level: 2 })).toContainText('<img src=x onerror=alert(1)> Wide')
      await expect(modal(page).getByRole('link', { name: /Trade on/ })).toBeVisible()
      const box = await modal(page).boundingBox()
      expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(width)
      expect(await modal(page).evaluate((dialog) => dialog.scrollWidth - dialog.clientWidth)).toBe(0)
      for (const link of await modal(page).getByRole('link').all())
        expect(await link.getAttribute('href')).toMatch(/^(https?:\/\/|\/api\/|\/token\/)/)
    }
  }
  await page.goto(`/?token=${basalt}`)
  await expect(modal(page).getByRole('link', { name: 'Telegram' })).toHaveAttribute('href', 'https://telegram.example/ok')
  for (const name of ['Website', /^X$/, /CoinMarketCap/, 'View Lock'])
    await expect(modal(page).getByRole('link', { name })).toHaveCount(0)
  expect(dialogs).toEqual([])
})

test('every way out opens a page of its own and tells it nothing', async ({ page }) => {
  for (const kind of ['token', 'chart', 'swaps']) {
    await page.goto(`/?${kind}=${basalt}`)
    await expect(modal(page).getByRole('link', { name: 'Trade on EmberSwap' })).toHaveAttribute(
      'href',
      `https://app.emberswap.example/swap?outputCurrency=${basalt}`,
    )
    for (const link of await modal(page).locator('a[href^="http"]').all()) {
      await expect(link).toHaveAttribute('target', '_blank')
      await expect(link).toHaveAttribute('rel', 'noopener noreferrer')
    }
  }
})

test('on a phone a modal is a sheet from below', async ({ browser }) => {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })
  const page = await context.newPage()
  for (const kind of ['token', 'chart', 'swaps']) {
    await page.goto(`/?${kind}=${basalt}`)
    await expect(modal(page).getByRole('link', { name: /Trade on/ })).toBeVisible()
    await expect
      .poll(async () => {
        const box = await modal(page).boundingBox()
        return box && { x: box.x, width: box.width, bottom: Math.round(box.y + box.height) }
      })
      .toEqual({ x: 0, width: 390, bottom: 844 })
    const close = await modal(page).getByRole('button', { name: 'Close' }).boundingBox()
    expect(close?.height).toBeGreaterThanOrEqual(44)
  }
  await expect(modal(page).getByRole('listitem')).toHaveCount(20)
  await expect(modal(page).getByRole('table')).toHaveCount(0)
  await context.close()
})

test('a list without links scrolls by the keyboard, where a chain has no explorer', async ({ page }) => {
  await page.route(/\/api\/config/, async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...(await response.json()), explorer: null } })
  })
  await page.goto(`/?swaps=${basalt}`)
  await expect(modal(page).getByRole('row')).toHaveCount(21)
  await expect(modal(page).getByRole('cell').getByRole('link')).toHaveCount(0)
  const { violations } = await new AxeBuilder({ page }).withRules(['scrollable-region-focusable']).analyze()
  expect(violations.map(({ nodes }) => nodes[0]?.html)).toEqual([])
  await page.goto(`/?token=${basalt}`)
  await expect(modal(page).getByRole('link', { name: 'View Lock' })).toBeVisible()
  await expect(modal(page).getByRole('link', { name: 'View Contract' })).toHaveCount(0)
})

const screens = [
  ['details', `/?token=${basalt}`, 'Locked until Mar 1, 2031'],
  ['details without a price', `/?token=${ochre}`, 'No pool on the chain trades this token'],
  ['chart', `/?chart=${basalt}`, 'Past 24 hours'],
  ['candles', `/?chart=${basalt}&view=candles&range=1m`, /^Past month, from/],
  ['chart without candles', `/?chart=${usdc}&view=candles`, 'No chart data available'],
  ['swaps', `/?swaps=${basalt}`, '0x'],
  ['no token', '/?token=0x1', 'Token not found'],
] as const

for (const [device, options] of [
  ['phone', { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }],
  ['desktop', { viewport: { width: 1440, height: 900 } }],
] as const)
  test(`the modals can be used by all: ${device}`, async ({ browser }) => {
    test.slow()
    const context = await browser.newContext(options)
    const page = await context.newPage()
    for (const [name, path, settled] of screens) {
      await page.goto(path)
      await expect(modal(page).getByText(settled).first()).toBeVisible()
      await expect.poll(() => modal(page).evaluate((dialog) => getComputedStyle(dialog).opacity)).toBe('1')
      // The page behind is the same under each modal.
      expect([name, await findObstacles(page, name === 'details' ? undefined : 'main')]).toEqual([name, []])
    }
    await context.close()
  })
