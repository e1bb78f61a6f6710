import type { WireToken } from '@chainboard/contract'
import { expect, type Page } from '@playwright/test'
import { fillLogin, newName, pin, send } from './account.ts'
import { cardOf, installBoostWallet, openBoost, reopenBoost, rowOf, stepButton, stripOf } from './boostModal.ts'
import { type BoostProduct, describeCall, startBoostProduct } from './boostProduct.ts'
import { findObstacles, watchShifts } from './homePage.ts'
import { makeSmartAccount } from './smartAccount.ts'
import { test } from './test.ts'
import { alice } from './testWallet.ts'
import { modal, rowOf as tableRowOf } from './tokenModal.ts'

// The way of a boost, from the first look to its end, on a chain whose clock the test may move.

test.describe.configure({ mode: 'serial' })

let product: BoostProduct
test.beforeAll(async () => {
  product = await startBoostProduct()
})
test.afterAll(() => product.stop())

/** A page that only polled would show a boost after 25 s. Beside three other browsers on a slow machine it takes 6.5 s. */
const atOnceMs = 12_000
const price = 25_000_000n
const done = (page: Page) => modal(page).getByRole('heading', { name: 'Boost Successful!' })

/** Presses the button of a step, and mines what the wallet sent once it waits. Answers when that was. */
async function payAndMine(page: Page, name: 'Approve USDC' | 'Boost Token' | 'Extend Boost'): Promise<number> {
  await product.holdBlocks(true)
  await stepButton(page, name).click()
  await expect.poll(() => product.waiting(alice)).toHaveLength(1)
  const minedAtMs = Date.now()
  await product.mine()
  await product.holdBlocks(false)
  return minedAtMs
}

/**
 * Has the page note when it first shows a token as boosted, both in the strip and in the table: when the test looks is later.
 * @returns that moment, once it has come
 */
async function watchForBoost(page: Page, name: string): Promise<() => Promise<number>> {
  const shown = await page.evaluateHandle((token) => {
    const { promise, resolve } = Promise.withResolvers<number>()
    const has = (selector: string, ...texts: readonly string[]) =>
      [...document.querySelectorAll(selector)].some(({ textContent }) => {
        const text = textContent.replaceAll(/\s+/g, ' ')
        return texts.every((each) => text.includes(each))
      })
    new MutationObserver((_, observer) => {
      if (!has('section[aria-labelledby=boosted] li', token) || !has('tbody tr', token, 'Boosted · Paid')) return
      observer.disconnect()
      resolve(Date.now())
    }).observe(document.body, { childList: true, subtree: true, characterData: true })
    return { promise }
  }, name)
  return () => shown.evaluate(({ promise }) => promise)
}

test('a token is boosted from the table, shown at once, and extended', async ({ page }) => {
  const wallet = await installBoostWallet(page, product)
  await page.goto(product.url)
  await expect(stripOf(page).locator('h2 + span')).toHaveText('2')
  await expect(stripOf(page).getByRole('listitem').locator('bdi:first-child')).toHaveText(['Orrery', 'Tidewater'])
  await tableRowOf(page, 'Basalt').getByRole('button', { name: 'Boost BSLT' }).click()
  await expect(page).toHaveURL(`${product.url}/?boost=${product.addressOf('BSLT')}`)
  await expect(page).toHaveTitle('Basalt (BSLT) boost · Chainboard')
  await expect(modal(page).getByText('Wallet Not Connected')).toBeVisible()
  await modal(page).getByRole('button', { name: 'Connect Wallet' }).click()
  await expect(rowOf(page, 'Boost Duration')).toHaveText('24 hours')
  await expect(rowOf(page, 'Boost Cost')).toHaveText('25 USDC')
  await expect(rowOf(page, 'Your USDC Balance')).toHaveText('25,000 USDC')

  await payAndMine(page, 'Approve USDC')
  await expect(stepButton(page, 'Boost Token')).toBeVisible()
  const readShownAtMs = await watchForBoost(page, 'Basalt')
  const minedAtMs = await payAndMine(page, 'Boost Token')
  await expect(cardOf(page, 'Basalt')).toBeAttached()
  await expect(page.locator('tbody tr').filter({ hasText: 'Basalt' })).toContainText('Boosted · Paid')
  expect((await readShownAtMs()) - minedAtMs).toBeLessThan(atOnceMs)
  await expect(done(page)).toBeFocused()
  expect(wallet.sent.map(({ to, data }) => [to, ...describeCall(data)])).toEqual([
    [product.usdc.toLowerCase(), 'approve', product.boost, price],
    [product.boost.toLowerCase(), 'boostToken', product.addressOf('BSLT'), product.usdc],
  ])
})

test('the page, the API and the contract say the same of a block, also when its clock is ahead of ours', async ({ page }) => {
  await product.warp(240)
  const askBoosted = () => page.request.get(`${product.url}/assets.json?boosted=true`)
  const { timestamp } = await product.devnet.rpc<{ timestamp: string }>('eth_getBlockByNumber', ['latest', false])
  await expect.poll(async () => Number((await askBoosted()).headers()['x-chain-time'])).toBeGreaterThanOrEqual(Number(timestamp))
  await page.goto(product.url)
  await expect(stripOf(page).getByRole('listitem')).toHaveCount(3)
  const head = Number(await product.devnet.rpc('eth_blockNumber'))
  const { block } = (await (await page.request.get(`${product.url}/api/status`)).json()) as { block: number }
  expect(block).toBe(head)
  const listed = (await (await askBoosted()).json()) as WireToken[]
  const addresses = product.devnet.tokens.map(({ address }) => address)
  const [boosted, ends] = (await product.read('getBatchBoostStatus', [addresses])) as [boolean[], bigint[]]
  const onChain = product.devnet.tokens
    .map(({ symbol }, place) => ({ symbol, isBoosted: boosted[place], end: Number(ends[place]) }))
    .filter(({ isBoosted }) => isBoosted)
    .toSorted((a, b) => b.end - a.end)
  expect(onChain.map(({ symbol }) => symbol)).toEqual(['ORRY', 'TIDE', 'BSLT'].toSorted((a, b) => endOf(b) - endOf(a)))
  function endOf(symbol: string): number {
    return onChain.find((each) => each.symbol === symbol)?.end ?? 0
  }
  expect(listed.map(({ symbol, boostInfo }) => [symbol, boostInfo?.expirationTime])).toEqual(
    onChain.map(({ symbol, end }) => [symbol, end]),
  )
  // What the server drew a moment before has the clock of then.
  await expect(async () => {
    const shown = await stripOf(page)
      .getByRole('listitem')
      .evaluateAll((cards) => cards.map((card) => card.textContent ?? ''))
    for (const [place, { symbol }] of onChain.entries()) {
      const left = Number(await product.read('remainingTime', [product.addressOf(symbol)]))
      const { remainingHours = 0, remainingMinutes = 0 } = listed[place]?.boostInfo ?? {}
      const [, hours = '0', rest = '0'] = /Time Remaining(?:(\d+)h)? ?(?:(\d+)m)?/.exec(shown[place] ?? '') ?? []
      expect(shown[place]).toContain(symbol)
      // Both count down since the block, and the page's clock is right to three seconds.
      for (const minutes of [Number(hours) * 60 + Number(rest), remainingHours * 60 + remainingMinutes]) {
        expect(minutes).toBeGreaterThanOrEqual(Math.floor(left / 60) - 1)
        expect(minutes).toBeLessThanOrEqual(Math.floor((left + 3) / 60))
      }
    }
  }).toPass({ timeout: 15_000 })
})

test('a boosted token is extended: twice the boost, and everywhere the same word for it', async ({ page }) => {
  await openBoost(page, product, 'BSLT')
  await expect(modal(page).getByText('Currently Boosted')).toBeVisible()
  await expect(modal(page).getByText(/^23h 5\dm$/)).toBeVisible()
  await expect(modal(page).getByText('Boosting again will extend the duration by 24 hours', { exact: true })).toBeVisible()
  await expect(modal(page).getByRole('listitem').filter({ hasText: 'Extend Boost' })).toBeVisible()
  await expect(cardOf(page, 'Basalt')).not.toContainText('x BOOST')
  await payAndMine(page, 'Approve USDC')
  await payAndMine(page, 'Extend Boost')
  await expect(cardOf(page, 'Basalt')).toContainText('2x BOOST', { timeout: atOnceMs })
  await expect(done(page)).toBeVisible()
  await modal(page).getByRole('button', { name: 'Done' }).click()
  await expect(modal(page)).toHaveCount(0)
  const card = cardOf(page, 'Basalt')
  await expect(card).toContainText(
    /^BasaltBSLTBOOSTED2x BOOSTPrice\$[\d.]+24h ChangeN\/AMarket Cap\$[\d.]+MTime Remaining47h 5\dmPaid$/,
  )
  await expect(card.getByRole('progressbar', { name: 'Boost time left for BSLT' })).toHaveAttribute('value', '100')
  await card.click({ position: { x: 20, y: 90 } })
  await expect(page).toHaveURL(`${product.url}/?token=${product.addressOf('BSLT')}`)
  await expect(rowOf(page, 'Boost')).toContainText(/^Boosted · Paid 47h 5\dm left$/)
  await modal(page).getByRole('button', { name: 'Extend Boost' }).click()
  await expect(page).toHaveURL(`${product.url}/?boost=${product.addressOf('BSLT')}`)
})

test('the demo wallet boosts, too, and begins with the second step when its allowance suffices', async ({ page }) => {
  await product.approve(alice, price)
  await page.goto(`${product.url}/?boost=${product.addressOf('CNDR')}`)
  await modal(page).getByRole('button', { name: 'Connect Wallet' }).click()
  await modal(page).getByRole('button', { name: 'Demo wallet' }).click()
  await stepButton(page, 'Boost Token').click()
  await expect(done(page)).toBeFocused()
  await expect(cardOf(page, 'Cinderbank')).toContainText('BOOSTED')
  expect(await product.allowance(alice)).toBe(0n)
  await page.keyboard.press('Tab')
  await expect(modal(page).getByRole('link', { name: /^Transaction/ })).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(modal(page)).toHaveCount(0)
})

test('a window that is closed takes nothing with it: the boost continues, and its end is shown', async ({ page }) => {
  await product.approve(alice, price)
  await openBoost(page, product, 'HRBR')
  await product.holdBlocks(true)
  await stepButton(page, 'Boost Token').click()
  await expect.poll(() => product.waiting(alice)).toHaveLength(1)
  await expect(modal(page).getByRole('link', { name: /^Transaction/ })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByText('Your transaction continues in the background.')).toBeVisible()
  await product.mine()
  await product.holdBlocks(false)
  await expect(page.getByText('Boost Successful!')).toBeVisible()
  await expect(cardOf(page, 'Harborline')).toBeVisible()
  await reopenBoost(page, product, 'HRBR')
  await expect(stepButton(page, 'Approve USDC')).toBeVisible()
  await expect(modal(page).getByText('Currently Boosted')).toBeVisible()
})

test('what a removed boost had left is claimed back', async ({ page }) => {
  await product.own('emergencyRemoveBoost', [product.addressOf('HRBR')])
  const wallet = await openBoost(page, product, 'HRBR')
  await expect(cardOf(page, 'Harborline')).toHaveCount(0)
  await expect(rowOf(page, 'Your refund')).toContainText(/^2[45](\.\d+)? USDCClaim refund$/)
  wallet.decline()
  await modal(page).getByRole('button', { name: 'Claim refund' }).click()
  await expect(modal(page).getByRole('alert')).toHaveText('You declined the request in your wallet')
  await modal(page).getByRole('button', { name: 'Claim refund' }).click()
  await expect(page.getByText('Your refund is in your wallet')).toBeVisible()
  await expect(rowOf(page, 'Your refund')).toHaveCount(0)
  expect(await product.read('refundOf', [alice, product.usdc])).toBe(0n)
})

test('without an answer about boosts the strip says so, and keeps what it knows', async ({ page }) => {
  test.slow() // seven states, each after a poll
  await page.clock.install()
  // However often the clock is moved on, the page does not load itself anew: it would forget what it knew.
  await page.route('**/healthz*', (route) => route.abort())
  let answer: 'none' | 'unknown' | 'true' = 'unknown'
  // As the server does while its node is out: nobody knows who is boosted, and no entry of a token has a boost.
  await page.route(/boosted=true/, (route) => {
    if (answer === 'true') return route.continue()
    const known = answer === 'none'
    return route.fulfill({ status: known ? 200 : 503, json: known ? [] : { error: 'Failed to refresh boost data' } })
  })
  await page.route(/assets\.json\?(addresses|sort)/, async (route) => {
    const response = await route.fetch()
    const tokens = (await response.json()) as WireToken[]
    const json = tokens.map(({ boostInfo, ...token }) => (answer === 'true' ? { boostInfo, ...token } : token))
    return route.fulfill({ response, json })
  })
  const until = (look: () => Promise<void>) =>
    expect(async () => {
      // A poll, and far from the end of the page's patience with an answer: on a slow machine those take several of these.
      await page.clock.fastForward('00:05')
      await look()
    }).toPass()
  const alert = stripOf(page).getByRole('alert')
  await page.goto(product.url)
  await until(() => expect(alert).toHaveText(/^Failed to refresh boost dataTry/, { timeout: 500 }))
  answer = 'none'
  await until(() => expect(stripOf(page)).toContainText('No Boosted Tokens Yet', { timeout: 500 }))
  answer = 'unknown'
  await until(() => expect(alert).toHaveText(/^Failed to refresh boost dataTry/, { timeout: 500 }))
  await expect(stripOf(page)).not.toContainText('No Boosted Tokens Yet')
  answer = 'true'
  await until(() => expect(cardOf(page, 'Basalt')).toBeVisible({ timeout: 500 }))
  answer = 'unknown'
  await until(() => expect(stripOf(page)).toContainText(/Failed to refresh boost data · (\ds|\d\ds|\dm) ago/, { timeout: 500 }))
  await until(() => expect(page.locator('tbody tr').filter({ hasText: 'Basalt' })).not.toContainText('Paid', { timeout: 500 }))
  await expect(cardOf(page, 'Basalt')).toContainText('BOOSTED')
  await expect(stripOf(page).getByRole('status')).toHaveText('Failed to refresh boost data')
})

for (const [device, options] of [
  ['phone', { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }],
  ['desktop', { viewport: { width: 1440, height: 900 } }],
] as const)
  test(`the strip and the modal can be used by all: ${device}`, async ({ browser }) => {
    const context = await browser.newContext(options)
    const page = await context.newPage()
    const shifts = await watchShifts(page)
    await installBoostWallet(page, product)
    const examine = async (part: string) => {
      const sideways = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
      expect([part, sideways, await findObstacles(page, undefined, part)]).toEqual([part, 0, []])
    }
    await page.goto(product.url)
    const card = cardOf(page, 'Orrery')
    await card.getByRole('link').focus()
    await examine('[aria-labelledby=boosted]')
    expect(await shifts()).toEqual([])
    await page.keyboard.press('Enter')
    await modal(page).getByRole('button', { name: 'Extend Boost' }).press('Enter')
    await expect(modal(page).getByRole('button', { name: 'Connect Wallet' })).toBeVisible()
    await modal(page).getByRole('button', { name: 'Connect Wallet' }).press('Enter')
    await expect(stepButton(page, 'Approve USDC')).toBeVisible()
    await examine('[role=dialog]')
    await page.keyboard.press('Escape')
    await expect(modal(page)).toHaveCount(0)
    await expect(card.getByRole('link')).toBeFocused()
    await context.close()
  })

test('the smallest phone boosts by a tap on the list, and says of a boosted token there that it is paid', async ({ browser }) => {
  const context = await browser.newContext({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true })
  const page = await context.newPage()
  await page.goto(product.url)
  const entryOf = (symbol: string) =>
    page.getByRole('listitem').filter({ has: page.getByRole('button', { name: `Boost ${symbol}` }) })
  const paid = entryOf('TIDE').getByText('Paid', { exact: true })
  await paid.scrollIntoViewIfNeeded()
  await expect(paid).toBeInViewport({ ratio: 1 })
  const boost = entryOf('GLAS').getByRole('button', { name: 'Boost GLAS' })
  expect(await boost.boundingBox()).toMatchObject({ width: 44, height: 44 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
  await boost.tap()
  await expect(page).toHaveURL(`${product.url}/?boost=${product.addressOf('GLAS')}`)
  await expect(rowOf(page, 'Boost Cost')).toHaveText('25 USDC')
  await context.close()
})

test('in a pause a boost stays that has seconds left, whatever time goes by without a block', async ({ page }) => {
  const [, [end]] = (await product.read('getBatchBoostStatus', [[product.addressOf('TIDE')]])) as [boolean[], bigint[]]
  await product.devnet.rpc('evm_setNextBlockTimestamp', [Number(end) - 2])
  await product.own('pause')
  await page.clock.install()
  await page.goto(product.url)
  await expect(cardOf(page, 'Tidewater')).toContainText('Time Remaining1m')
  const answered = page.waitForResponse(/boosted=true/)
  await page.clock.fastForward('00:10')
  await answered
  await page.clock.fastForward('00:02')
  expect(await cardOf(page, 'Tidewater').allTextContents()).toEqual([expect.stringContaining('Time Remaining1m')])
  await product.own('unpause')
  await product.warp(5)
  await expect(cardOf(page, 'Tidewater')).toHaveCount(0)
})

test('a new price is paid by nobody who has not seen it, other terms are shown, and every boost ends', async ({ page }) => {
  const twoDays = 172_800
  await product.own('announceTerms', [30_000_000n, 43_200n])
  await openBoost(page, product, 'CNDR')
  await expect(rowOf(page, 'Boost Cost')).toHaveText('25 USDC')
  await expect(modal(page)).toContainText(/New terms in (48h|47h 59m)30 USDC for 12 hours/)
  await page.route('**/rpc*', async (route) => {
    // What is read from now on is of two days later.
    await warped
    return route.continue()
  })
  const warped = product.warp(twoDays)
  await stepButton(page, 'Approve USDC').click()
  await expect(modal(page).getByRole('status')).toContainText(
    'The price is now 30 USDC, and a boost now lasts 12 hours. Press again to pay.',
  )
  await expect(rowOf(page, 'Boost Cost')).toHaveText('30 USDC')
  await expect(rowOf(page, 'Boost Duration')).toHaveText('12 hours')
  await stepButton(page, 'Approve USDC').click()
  await expect(stepButton(page, 'Boost Token')).toBeVisible()
  expect(await product.allowance(alice)).toBe(30_000_000n)
  await page.keyboard.press('Escape')
  await expect(stripOf(page)).toContainText('No Boosted Tokens Yet')
  await expect(stripOf(page)).toContainText('Be the first to boost a token and get premium visibility!')
  await expect(stripOf(page).getByRole('listitem')).toHaveCount(0)
})

test('a smart wallet that is not deployed signs in and boosts in one step, on a phone and on a desk', async ({ page }) => {
  test.slow() // two boosts, and the page examined in whole
  // The price may have been raised before.
  const smart = await makeSmartAccount(product, 3n * price)
  const wallet = await installBoostWallet(page, product, { smart })
  await page.setViewportSize({ width: 390, height: 844 })
  await page.emulateMedia({ reducedMotion: 'reduce' })
  const username = newName()
  await page.goto(`${product.url}/login`)
  await page.getByRole('button', { name: /have an account/ }).click()
  await fillLogin(page, username, pin)
  await send(page, 'Register').click()
  await page.waitForURL('**/portfolio')
  const main = page.getByRole('main')
  await main.getByRole('button', { name: 'Connect Wallet' }).click()
  await main.getByRole('button', { name: /^Link 0x/ }).click()
  await page.getByLabel('4-Digit PIN').fill(pin)
  await page.keyboard.press('Enter')
  await expect(main.getByRole('list', { name: 'Wallets to sign in with' }).getByRole('listitem')).toHaveCount(1)
  await page.request.post(`${product.url}/api/session/logout`)
  await page.goto(`${product.url}/login`)
  await main.getByRole('button', { name: 'Sign in with Ethereum' }).click()
  await main.getByRole('button', { name: /^Sign in as 0x/ }).click()
  await page.waitForURL('**/portfolio')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  expect(await findObstacles(page)).toEqual([])

  for (const [symbol, size] of [
    ['VERD', { width: 390, height: 844 }],
    ['CPPR', { width: 1440, height: 900 }],
  ] as const) {
    await page.setViewportSize(size)
    await page.goto(`${product.url}/?boost=${product.addressOf(symbol)}`)
    await expect(modal(page).getByText('Your wallet approves and pays in one step.')).toBeVisible()
    await expect(stepButton(page, 'Boost Token')).toBeVisible()
    expect(await findObstacles(page)).toEqual([])
    await stepButton(page, 'Boost Token').click()
    await expect(done(page)).toBeFocused()
    expect(await findObstacles(page)).toEqual([])
  }
  expect(wallet.sent.map(({ data }) => describeCall(data)[0])).toEqual(['approve', 'boostToken', 'approve', 'boostToken'])
  expect(wallet.asked).not.toContain('eth_sendTransaction')
})
