import { expect, type Page } from '@playwright/test'
import { holdPolls } from './poll.ts'
import { test } from './test.ts'
import { basalt, hold, modal, refuse, usdc } from './tokenModal.ts'

// A modal of a phone while it waits, with old figures and failing: all of it within the screen, and its button large enough for a finger.

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

/** That nothing of the modal lies beside the screen, and nothing scrolls sideways. */
async function expectWithin(page: Page): Promise<void> {
  const beside = await page.evaluate(() => {
    const parts = [...document.querySelectorAll('[role="dialog"] :not(.sr-only, .sr-only *)')]
    const outside = parts.filter((part) => {
      const { left, right, width } = part.getBoundingClientRect()
      return width > 0 && (left < 0 || right > 390)
    })
    const { scrollWidth } = document.documentElement
    return [scrollWidth, parts.length > 0, ...outside.map((part) => part.outerHTML)]
  })
  expect(beside).toEqual([390, true])
}

/** Has what failed asked for again, in view and by a finger. */
async function tryAgain(page: Page): Promise<void> {
  const button = modal(page).getByRole('button', { name: 'Try Again' })
  await expect(button).toBeInViewport({ ratio: 1 })
  expect((await button.boundingBox())?.height).toBeGreaterThanOrEqual(44)
  await button.tap()
}

const stale = /^Couldn't refresh\. These figures are from \d\d:\d\d:\d\d\./

test('the details wait, keep what is old, and fail', async ({ page }) => {
  const tokenUrl = /\/assets\.json\?addresses=/
  // Nothing on the page has brought the token already.
  await page.route(/\/highlighted\.json|\/api\/trending|assets\.json\?boosted/, (route) => route.fulfill({ json: [] }))
  const poll = await holdPolls(page)
  const release = await hold(page, tokenUrl)
  await page.goto(`/?q=nothing&token=${basalt}`)
  await expect(modal(page).getByRole('status')).toHaveText('Loading the token')
  await expectWithin(page)
  release()
  await expect(modal(page)).toContainText('Locked until Mar 1, 2031')
  await expectWithin(page)

  const allow = await refuse(page, tokenUrl)
  await poll(60_000)
  await expect(modal(page).getByText(stale)).toBeVisible()
  await expect(modal(page)).toContainText('Locked until Mar 1, 2031')
  await expectWithin(page)
  await allow()
  await tryAgain(page)
  await expect(modal(page).getByText(stale)).toHaveCount(0)

  await refuse(page, tokenUrl)
  await page.evaluate((address) => history.pushState(null, '', `/?q=nothing&token=${address}`), usdc)
  await expect(modal(page).getByRole('alert')).toContainText('Failed to load tokens. Please try again later.')
  await expectWithin(page)
  await page.unrouteAll()
  await tryAgain(page)
  await expect(modal(page)).toContainText('Counted as one US dollar')
})

test('the chart waits, keeps what is old, and fails', async ({ page }) => {
  const chartUrl = /\/api\/tokens\/0x[0-9a-fA-F]{40}\/chart/
  const points = modal(page).getByRole('row')
  const poll = await holdPolls(page)
  const release = await hold(page, chartUrl)
  await page.goto(`/?chart=${basalt}`)
  await expect(modal(page).getByText('Loading the chart')).toBeAttached()
  await expectWithin(page)
  release()
  await expect(points).toHaveCount(25)

  const allow = await refuse(page, chartUrl)
  await poll(60_000)
  await expect(modal(page).getByText(stale)).toBeVisible()
  await expect(points).toHaveCount(25)
  await expectWithin(page)
  await modal(page).getByRole('button', { name: '3D' }).tap()
  await expect(modal(page).getByText('Failed to load chart data', { exact: true })).toBeVisible()
  await expectWithin(page)
  await allow()
  await tryAgain(page)
  await expect(points).toHaveCount(73)
  await expectWithin(page)
})

test('the swaps wait, keep what is old, and fail', async ({ page }) => {
  const swapsUrl = /\/api\/tokens\/0x[0-9a-fA-F]{40}\/swaps/
  const swaps = modal(page).getByRole('listitem')
  const poll = await holdPolls(page)
  const release = await hold(page, swapsUrl)
  await page.goto(`/?swaps=${basalt}`)
  await expect(modal(page).getByText('Loading the swaps')).toBeAttached()
  await expectWithin(page)
  release()
  await expect(swaps).toHaveCount(20)
  await expectWithin(page)

  const allow = await refuse(page, swapsUrl)
  await poll(15_000)
  await expect(modal(page).getByText(stale)).toBeVisible()
  await expect(swaps).toHaveCount(20)
  await expectWithin(page)
  await allow()
  await tryAgain(page)
  await expect(modal(page).getByText(stale)).toHaveCount(0)

  const allowOthers = await refuse(page, swapsUrl)
  await page.evaluate((address) => history.pushState(null, '', `/?swaps=${address}`), usdc)
  await expect(modal(page).getByText('Failed to load swap data', { exact: true })).toBeVisible()
  await expectWithin(page)
  await allowOthers()
  await tryAgain(page)
  await expect(swaps).toHaveCount(20)
})
