import { expect } from '@playwright/test'
import { finishAnimations } from './homePage.ts'
import { holdPolls } from './poll.ts'
import { test } from './test.ts'
import { alterToken, basalt, hold, modal, ochre, refuse, usdc } from './tokenModal.ts'
import { withoutStream } from './withoutStream.ts'

// What each modal shows: populated, waiting, failing, empty and stale.

const chartUrl = /\/api\/tokens\/0x[0-9a-fA-F]{40}\/chart/
const swapsUrl = /\/api\/tokens\/0x[0-9a-fA-F]{40}\/swaps/
const tokenUrl = /\/assets\.json\?addresses=/
const red = 'rgb(255, 117, 147)'

test.use({ colorScheme: 'dark' })

test.describe('the details of a token', () => {
  test('say all there is to know, and lead to where it comes from', async ({ page }) => {
    await page.goto(`/?token=${basalt}`)
    const details = modal(page)
    for (const text of ['BSLT · Infrastructure', '0x0165…Eb8F', 'Locked until Mar 1, 2031', 'BSLT/WEMB', '0.3%'])
      await expect(details.getByText(text, { exact: true })).toBeVisible()
    await expect(details.getByRole('img', { name: 'Verified' })).toBeVisible()
    await expect(details.getByRole('region', { name: 'Price' })).toContainText(/\$0\.\d{4}0\.\d{6} WEMB/)
    for (const [term, value] of [
      ['24h Change', /^[+-]?\d+\.\d\d%$/],
      ['7d Change', /^[+-]?\d+\.\d\d%$/],
      ['Market Cap', /^\$\d+\.\d\dM$/],
      ['24h Volume', /^\$\d+\.\d\d[KM](\$[\d.]+[KM]? organic.*)?$/],
      ['Last trade', /^\$0\.\d{4}range \$0\.\d{4} – \$0\.\d{4}$/],
      ['10% move', /^\$\d+\.\d\d in fees, there and back$/],
      // A lively market has a word on where the price was.
      [
        'Price from',
        /^Pools on this chain\d+s ago · \d+% confidence(Last traded at .*|Was between .*|Its pools, .*|Confidence was .*)?$/,
      ],
    ] as const)
      await expect(details.locator('dt', { hasText: term }).locator('+ dd')).toHaveText(value)
    for (const [name, href] of [
      ['View Contract', `https://explorer.ember.example/address/${basalt}`],
      ['View Lock', 'https://locks.ember.example/bslt'],
      ['View Pool', /^https:\/\/app\.emberswap\.example\/pool\/0xbAcA7aA3b24A8518B65D0f54233137b16D680825$/i],
      ['View Receipt', `/token/${basalt}/receipt`],
      ['Website', 'https://basalt.example/'],
      ['X', 'https://x.example/basalt'],
      ['Telegram', 'https://telegram.example/bslt'],
    ] as const)
      await expect(details.getByRole('link', { name, exact: true })).toHaveAttribute('href', href)
    const receipt = await (await page.request.get(`/api/tokens/${basalt}/receipt`)).json()
    expect(receipt).toMatchObject({ symbol: 'BSLT', restsOn: 'pools' })
  })

  test('copy the address, and say so above the modal', async ({ page, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.goto(`/?token=${basalt}`)
    await modal(page).getByRole('button', { name: 'Copy address of BSLT' }).click()
    // A modal hides the rest of the page from screen readers: only what they can still hear is found by role.
    const notice = page.getByRole('status').filter({ hasText: 'Address copied to clipboard' })
    await expect(notice).toBeVisible()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(basalt)
    const order = await notice.evaluate((line) => {
      const layer = line.parentElement
      return [layer?.tagName, Number(getComputedStyle(line).zIndex) > 50]
    })
    expect(order).toEqual(['BODY', true])
  })

  test('say that a lock has ended, and nothing where none is known', async ({ page }) => {
    await alterToken(page, basalt, () => ({ lockTimer: '2020-01-01' }))
    await page.goto(`/?token=${basalt}`)
    await expect(modal(page).getByText('Unlocked', { exact: true })).toBeVisible()
    await page.goto(`/?token=${ochre}`)
    await expect(modal(page).getByText('None known')).toBeVisible()
    await expect(modal(page).locator('dt', { hasText: 'Liquidity' })).toHaveCount(0)
    await expect(modal(page).getByRole('link', { name: /View (Lock|Pool|Receipt)/ })).toHaveCount(0)
  })

  test('show N/A with the reason for a token without a price', async ({ page }) => {
    await page.goto(`/?token=${ochre}`)
    await expect(modal(page).getByRole('region', { name: 'Price' })).toHaveText('PriceN/ANo pool on the chain trades this token')
    for (const term of ['24h Change', '7d Change', 'Market Cap', '24h Volume'])
      await expect(modal(page).locator('dt', { hasText: term }).locator('+ dd')).toHaveText('N/A')
  })

  test('keep an old price, dimmed, with its age', async ({ page }) => {
    await alterToken(page, basalt, () => ({
      priceInUsd: 0.5,
      priceStatus: 'stale',
      priceAsOf: Math.floor(Date.now() / 1000) - 16 * 60 - 20,
      priceReasons: ['Stale: the last good price is from 16m ago'],
    }))
    await page.goto(`/?token=${basalt}`)
    const price = modal(page).getByRole('region', { name: 'Price' })
    await expect(price).toContainText('$0.500016m old')
    await expect(price.getByText('$0.5000')).toHaveCSS('color', 'rgb(133, 143, 161)')
    await expect(modal(page).getByText('Stale: the last good price is from 16m ago')).toBeVisible()
    await page.goto(`/?chart=${basalt}`)
    await expect(modal(page).getByText('16m old')).toBeVisible()
    await expect(modal(page).getByText('$0.5000').first()).toHaveCSS('color', 'rgb(133, 143, 161)')
  })

  test('follow the market without a reload', async ({ page }) => {
    // A page with a stream asks for the figures twice a minute only, and the stream tells the real ones.
    await withoutStream(page)
    let priceInUsd = 1.25
    await alterToken(page, basalt, () => ({ priceInUsd }))
    await page.goto(`/?token=${basalt}`)
    await expect(modal(page).getByText('$1.25', { exact: true })).toBeVisible()
    priceInUsd = 2.5
    await expect(modal(page).getByText('$2.50', { exact: true })).toBeVisible({ timeout: 30_000 })
  })

  test('wait with their own geometry, and a failure can be tried again', async ({ page }) => {
    // Nothing on the page has brought the token already.
    await page.route(/\/highlighted\.json|\/api\/trending/, (route) => route.fulfill({ json: [] }))
    const release = await hold(page, tokenUrl)
    await page.goto(`/?q=nothing&token=${basalt}`)
    await expect(modal(page).getByRole('status')).toHaveText('Loading the token')
    await finishAnimations(page)
    const waiting = await modal(page).boundingBox()
    release()
    await expect(modal(page)).toHaveAccessibleName('Basalt Verified')
    expect(await modal(page).boundingBox()).toEqual(waiting)

    const allow = await refuse(page, tokenUrl)
    await page.goto(`/?q=nothing&token=${usdc}`)
    await expect(modal(page).getByRole('alert')).toContainText('Failed to load tokens. Please try again later.')
    await allow()
    await modal(page).getByRole('button', { name: 'Try Again' }).click()
    await expect(modal(page)).toContainText('Counted as one US dollar')
  })
})

test.describe('the price chart', () => {
  test('starts with a day, reads each range again, and marks it as specified', async ({ page }) => {
    await page.goto(`/?chart=${basalt}`)
    await expect(modal(page).getByText('Current Price')).toBeVisible()
    await expect(modal(page).getByRole('button', { name: '1D' })).toHaveAttribute('aria-pressed', 'true')
    for (const [range, points, label] of [
      ['1D', 24, /^\d\d:00$/],
      ['3D', 72, /^\d{1,2}\/\d{1,2} \d\d:00$/],
      ['1W', 168, /^[A-Z][a-z]{2} \d{1,2}$/],
      ['1M', 30, /^[A-Z][a-z]{2} \d{1,2}$/],
      ['1D', 24, /^\d\d:00$/],
    ] as const) {
      const asked = range === '1D' && points === 24 ? undefined : page.waitForRequest((request) => chartUrl.test(request.url()))
      await modal(page).getByRole('button', { name: range }).click()
      await asked
      await expect(modal(page).getByRole('row')).toHaveCount(points + 1)
      const labels = modal(page).locator('[aria-hidden] > span').filter({ hasText: label })
      await expect(labels.first()).toBeVisible()
      expect(await labels.count()).toBeLessThanOrEqual(8)
    }
  })

  test('keeps range and kind in its address', async ({ page }) => {
    await page.goto(`/?chart=${basalt}`)
    await modal(page).getByRole('button', { name: '1W' }).click()
    await modal(page).getByRole('button', { name: 'Candles' }).click()
    await expect(page).toHaveURL(`/?chart=${basalt}&range=1w&view=candles`)
    await page.reload()
    await expect(modal(page).getByRole('button', { name: '1W' })).toHaveAttribute('aria-pressed', 'true')
    await expect(modal(page).getByRole('button', { name: 'Candles' })).toHaveAttribute('aria-pressed', 'true')
    await expect(modal(page).getByRole('columnheader')).toHaveText(['Time', 'Open', 'High', 'Low', 'Close', 'Volume'])
    const cells = modal(page).getByRole('row').nth(1).getByRole('cell')
    await expect(cells).toHaveText([/^\$0\.\d{4}$/, /^\$0\.\d{4}$/, /^\$0\.\d{4}$/, /^\$0\.\d{4}$/, /^\$\d+\.\d\dK?$/])
  })

  test('reads the point under the mouse, and ends at the current price', async ({ page }) => {
    await alterToken(page, basalt, () => ({ priceInUsd: 123.45 }))
    await page.goto(`/?chart=${basalt}`)
    await expect(modal(page).getByRole('row').last().getByRole('cell')).toHaveText('$123.45')
    // Where it is once the modal has arrived.
    await finishAnimations(page)
    const canvas = await modal(page).locator('canvas').first().boundingBox()
    await page.mouse.move((canvas?.x ?? 0) + 200, (canvas?.y ?? 0) + 100)
    await expect(modal(page).getByText(/^[A-Z][a-z]{2} \d{1,2}, \d\d:\d\d · \$[\d.]+$/)).toBeVisible()
    await page.mouse.move(5, 5)
    await expect(modal(page).getByText('Past 24 hours', { exact: true })).toBeVisible()
  })

  test('reads the point nearest to a tap, and keeps showing it', async ({ browser }) => {
    const context = await browser.newContext({ hasTouch: true, viewport: { width: 390, height: 844 } })
    const page = await context.newPage()
    await page.goto(`/?chart=${basalt}`)
    await expect(modal(page).getByRole('row')).toHaveCount(25)
    // Where it is once the modal has arrived.
    await finishAnimations(page)
    const canvas = await modal(page).locator('canvas').first().boundingBox()
    await page.touchscreen.tap((canvas?.x ?? 0) + 120, (canvas?.y ?? 0) + 100)
    await expect(modal(page).getByText(/^[A-Z][a-z]{2} \d{1,2}, \d\d:\d\d · \$[\d.]+$/)).toBeVisible()
    await context.close()
  })

  test('waits, fails in red, and can be tried again', async ({ page }) => {
    const release = await hold(page, chartUrl)
    await page.goto(`/?chart=${basalt}`)
    await expect(modal(page).getByText('Loading the chart')).toBeAttached()
    release()
    await expect(modal(page).getByRole('row')).toHaveCount(25)

    const allow = await refuse(page, chartUrl)
    await modal(page).getByRole('button', { name: '3D' }).click()
    await expect(modal(page).getByText('Failed to load chart data', { exact: true })).toHaveCSS('color', red)
    await allow()
    await modal(page).getByRole('button', { name: 'Try Again' }).click()
    await expect(modal(page).getByRole('row')).toHaveCount(73)
  })

  test('keeps what it drew when it cannot be read again, says from when it is, and can be asked again', async ({ page }) => {
    const poll = await holdPolls(page)
    await page.goto(`/?chart=${basalt}`)
    await expect(modal(page).getByRole('row')).toHaveCount(25)
    const allow = await refuse(page, chartUrl)
    await poll(60_000)
    await expect(modal(page).getByText(/^Couldn't refresh\. These figures are from \d\d:\d\d:\d\d\./)).toBeVisible()
    await expect(modal(page).getByRole('row')).toHaveCount(25)
    await expect(modal(page).locator('canvas').first()).toBeVisible()
    await allow()
    await modal(page).getByRole('button', { name: 'Try Again' }).click()
    await expect(modal(page).getByText("Couldn't refresh.")).toHaveCount(0)
    await expect(modal(page).getByRole('row')).toHaveCount(25)
  })

  test('says when there is nothing to draw, and why', async ({ page }) => {
    await page.goto(`/?chart=${ochre}`)
    await expect(modal(page)).toContainText('Current Price N/A')
    await expect(modal(page)).toContainText('No chart data availableNo pool address provided')
    await page.goto(`/?chart=${usdc}&view=candles`)
    await expect(modal(page)).toContainText('No chart data availableNo trades in this range.')
    await page.route(chartUrl, (route) => route.fulfill({ json: { points: [], reason: 'No historical data available' } }))
    await page.goto(`/?chart=${basalt}`)
    await expect(modal(page)).toContainText('No chart data availableNo historical data available')
  })
})

const recipient = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const swap = {
  timestamp: 1_700_000_000,
  amount0: '1',
  amount1: '-1',
  sender: recipient,
  recipient,
  transaction: { id: `0x${'ab'.repeat(32)}` },
  pool: { token0: { id: basalt }, token1: { id: usdc } },
  priceImpact: null,
  tokenPriceAtSwap: null,
  percentChangeFromPrevious: null,
}
const bought = { ...swap, id: 'a', type: 'buy', tokenAmount: 1234.567, usdValue: 1036.349 }
const sold = { ...swap, id: 'b', type: 'sell', tokenAmount: null, usdValue: null }

test.describe('the recent swaps', () => {
  for (const width of [390, 768, 1440])
    test(`keep their columns apart whatever a pool claims: ${width}`, async ({ page }) => {
      await page.setViewportSize({ width, height: 900 })
      await page.route(swapsUrl, (route) => route.fulfill({ json: [{ ...bought, usdValue: 1e30, tokenAmount: 1e30 }] }))
      await page.goto(`/?swaps=${basalt}`)
      const value = modal(page).getByText('$1.00e+30', { exact: true })
      await expect(value).toBeVisible()
      const overlaps = await value.evaluate((element) => element.scrollWidth > element.clientWidth)
      expect(overlaps).toBe(false)
    })

  test('are the last twenty, newest first', async ({ page }) => {
    await page.goto(`/?swaps=${basalt}`)
    await expect(modal(page).getByRole('columnheader')).toHaveText(['Type', 'Time', 'Amount', 'Value', 'Account', 'Tx'])
    await expect(modal(page).getByRole('row')).toHaveCount(21)
    await expect(modal(page).getByText(/^BSLT · updated \d+s ago$/)).toBeVisible()
  })

  test('read type, time, amount, value, and lead to their transaction', async ({ page }) => {
    await page.route(swapsUrl, (route) => route.fulfill({ json: [bought, sold] }))
    await page.goto(`/?swaps=${basalt}`)
    const [first, second] = [modal(page).getByRole('row').nth(1), modal(page).getByRole('row').nth(2)]
    await expect(first.getByRole('cell')).toHaveText(['Buy', 'Nov 14, 2023', '1,234.57 BSLT', '$1,036.35', '0x7099…79C8', ''])
    await expect(second.getByRole('cell')).toHaveText(['Sell', 'Nov 14, 2023', 'N/A', 'N/A', '0x7099…79C8', ''])
    await expect(first.getByText('Buy')).toHaveCSS('color', 'rgb(63, 214, 176)')
    await expect(second.getByText('Sell')).toHaveCSS('color', red)
    await expect(first.getByRole('cell').nth(1)).toHaveAttribute('title', /^14 Nov 2023, \d\d:\d\d:20$/)
    for (const link of await first.getByRole('link').all())
      await expect(link).toHaveAttribute('href', `https://explorer.ember.example/tx/0x${'ab'.repeat(32)}`)
    await expect(first.getByRole('link')).toHaveCount(2)
  })

  test('refresh while they are open; when they do not, the old ones stay and say so', async ({ page }) => {
    let answers = 0
    await page.route(swapsUrl, (route) => {
      answers += 1
      if (answers === 3) return route.fulfill({ status: 400, json: {} })
      return route.fulfill({ json: answers === 1 ? [sold] : [bought, sold] })
    })
    await page.goto(`/?swaps=${basalt}`)
    await expect(modal(page).getByRole('row')).toHaveCount(2)
    await expect(modal(page).getByRole('row')).toHaveCount(3, { timeout: 25_000 })
    await expect(modal(page).getByText("Couldn't refresh.")).toBeVisible({ timeout: 25_000 })
    await expect(modal(page).getByText('1,234.57 BSLT')).toHaveCSS('color', 'rgb(133, 143, 161)')
    await modal(page).getByRole('button', { name: 'Try Again' }).click()
    await expect(modal(page).getByText("Couldn't refresh.")).toHaveCount(0)
    await expect(modal(page).getByRole('row')).toHaveCount(3)
  })

  test('wait with the geometry of the table, fail in red, and may be none', async ({ page }) => {
    const release = await hold(page, swapsUrl)
    await page.goto(`/?swaps=${basalt}`)
    await expect(modal(page).getByText('Loading the swaps')).toBeAttached()
    release()
    await expect(modal(page).getByRole('row')).toHaveCount(21)

    const allow = await refuse(page, swapsUrl)
    await page.goto(`/?swaps=${usdc}`)
    await expect(modal(page).getByText('Failed to load swap data', { exact: true })).toHaveCSS('color', red)
    await allow()
    await modal(page).getByRole('button', { name: 'Try Again' }).click()
    await expect(modal(page).getByRole('row')).toHaveCount(21)

    await page.goto(`/?swaps=${ochre}`)
    await expect(modal(page).getByText('No recent swaps found')).toBeVisible()
  })
})

test('a modal whose code is on its way has its frame at once, which closes and gives the focus back', async ({ page }) => {
  await page.goto('/')
  const button = page.getByRole('button', { name: 'Price chart of BSLT' }).filter({ visible: true }).first()
  await expect(button).toBeVisible()
  const release = await hold(page, /\/assets\/TokenModal-[^/]*\.js/)
  const frame = page.getByRole('dialog', { name: 'Loading' })
  for (const leave of [
    () => page.keyboard.press('Escape'),
    // As in a browser that closes no such dialog by itself.
    () => frame.dispatchEvent('keydown', { key: 'Escape' }),
    // A second Escape while the first is still going back.
    () =>
      frame.evaluate((dialog) => {
        for (let i = 0; i < 2; i += 1) dialog.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }))
      }),
  ]) {
    await button.click()
    await expect(frame).toBeVisible()
    await leave()
    await expect(frame).toBeHidden()
    await expect(page).toHaveURL('/')
    await expect(button).toBeFocused()
  }

  await button.click()
  await expect(frame).toBeVisible()
  const size = await frame.boundingBox()
  await expect.poll(() => frame.evaluate((dialog) => dialog.matches(':modal'))).toBe(true)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  expect(await page.evaluate(() => document.activeElement?.matches('body, dialog, dialog *'))).toBe(true)
  release()
  await expect(modal(page).getByRole('heading', { name: 'Basalt Price Chart' })).toBeVisible()
  await finishAnimations(page)
  expect(await modal(page).boundingBox()).toEqual(size)
  await page.keyboard.press('Escape')
  await expect(modal(page)).toHaveCount(0)
  await expect(button).toBeFocused()
})

test('a modal whose code does not arrive says so, and opens when it is asked for again', async ({ page }) => {
  let loads = 0
  page.on('load', () => {
    loads += 1
  })
  const code = /\/assets\/TokenModal-[^/]*\.js/
  await page.route(code, (route) => route.abort())
  await page.goto(`/?token=${basalt}`)
  await expect(modal(page).getByRole('alert')).toContainText('This part did not load.')
  await expect(page.locator('#all-tokens')).toBeVisible()
  await page.unroute(code)
  await page.getByRole('alert').getByRole('button', { name: 'Try Again' }).click()
  await expect(modal(page).getByText('BSLT · Infrastructure')).toBeVisible()
  expect(loads).toBe(1)
})
