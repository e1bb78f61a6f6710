import type { WireToken } from '@chainboard/contract'
import { expect, type Locator, type Page } from '@playwright/test'
import { answerWith, boosted, grid, listPaths, rows, strip } from './homePage.ts'
import { holdPolls } from './poll.ts'
import { test } from './test.ts'
import { refuse } from './tokenModal.ts'
import { withoutStream } from './withoutStream.ts'

const boostedUrl = /assets\.json\?boosted/
const reasonText = 'No pool on the chain trades this token, and no other source knows of it.'

/** Nothing on the page has a price. */
async function takePrices(page: Page): Promise<void> {
  await withoutStream(page)
  const unpriced = (tokens: WireToken[]) =>
    tokens.map((token) => ({ ...token, priceStatus: 'unpriced' as const, priceInUsd: 0, fdmc: 0, priceReasons: [reasonText] }))
  for (const path of [listPaths, '**/assets.json*']) await page.route(path, answerWith(unpriced))
}

/** That all of a reason is on the screen, and nothing lies over it or cuts it off. */
async function expectWhole(reason: Locator): Promise<void> {
  await expect(reason).toBeVisible()
  await expect(async () => {
    const covered = await reason.evaluate((element) => {
      const { left, right, top, bottom } = element.getBoundingClientRect()
      const corners = [left + 6, right - 6].flatMap((x) => [top + 6, bottom - 6].map((y) => [x, y] as const))
      return corners.filter(([x, y]) => !element.contains(document.elementFromPoint(x, y)))
    })
    expect(covered).toEqual([])
  }).toPass()
}

test('of more boosted tokens than come at once the strip counts all, and says how many have less time left', async ({ page }) => {
  await page.route(boostedUrl, async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, headers: { ...response.headers(), 'x-total-count': '51' } })
  })
  await page.goto('/')
  await expect(boosted(page).locator('h2 + span')).toHaveText('51')
  await expect(boosted(page).getByRole('listitem').last()).toHaveText('49 more have less time left')
  await expect(boosted(page).getByRole('listitem')).toHaveCount(3)
})

test('boosted tokens that do not come say so; those that came stay, and either can be asked for again', async ({ page }) => {
  const poll = await holdPolls(page)
  const allow = await refuse(page, boostedUrl)
  await page.goto('/')
  await expect(boosted(page).getByRole('alert')).toHaveText('Failed to refresh boost dataTry Again')
  await expect(boosted(page).getByRole('alert')).toHaveCSS('border-style', 'dashed')
  await expect(rows(page)).toHaveCount(10)
  await allow()
  await boosted(page).getByRole('button', { name: 'Try Again' }).click()
  await expect(boosted(page).getByRole('listitem')).toHaveCount(2)
  await expect(boosted(page).getByText('Failed to refresh boost data')).toHaveCount(0)

  const allowAgain = await refuse(page, boostedUrl)
  await poll(5_000)
  await expect(boosted(page).getByRole('status')).toHaveText('Failed to refresh boost data')
  await expect(boosted(page).getByRole('listitem')).toHaveCount(2)
  await allowAgain()
  await boosted(page).getByRole('button', { name: 'Try Again' }).click()
  await expect(boosted(page).getByText('Failed to refresh boost data')).toHaveCount(0)
  await expect(boosted(page).getByRole('listitem')).toHaveCount(2)
})

test('why there is no price is read by keyboard in every part of the page, in whole', async ({ page }) => {
  await page.setViewportSize({ width: 1024, height: 700 })
  await takePrices(page)
  await page.goto('/')
  await expect(rows(page)).toHaveCount(10)
  const last = boosted(page).getByRole('listitem').last()
  for (const part of [strip(page), grid(page), boosted(page), last, rows(page).first(), rows(page).last()]) {
    const word = part.getByRole('button', { name: 'N/A' }).first()
    await word.focus()
    await expect(word).toHaveAccessibleDescription(reasonText)
    await expectWhole(part.getByRole('tooltip').first())
    await page.keyboard.press('Escape')
    await expect(part.getByRole('tooltip')).toHaveCount(0)
  }
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

  for (const width of [320, 390])
    test(`boosted tokens that are old say so above their cards, and a finger reaches the way to ask again: ${width}`, async ({
      page,
    }) => {
      await page.setViewportSize({ width, height: 844 })
      const poll = await holdPolls(page)
      await page.goto('/')
      await expect(boosted(page).getByRole('listitem')).toHaveCount(2)
      const allow = await refuse(page, boostedUrl)
      await poll(5_000)
      await expect(boosted(page).getByRole('status')).toHaveText('Failed to refresh boost data')
      const [title, note, again, list] = await Promise.all(
        [
          boosted(page).getByRole('heading'),
          boosted(page).getByRole('status'),
          boosted(page).getByRole('button', { name: 'Try Again' }),
          boosted(page).getByRole('list'),
        ].map(async (part) => await part.evaluate((element) => element.getBoundingClientRect().toJSON() as DOMRect)),
      )
      if (!title || !note || !again || !list) throw new Error('A part of the strip has no place')
      expect(title.height).toBe(24)
      expect(note.left).toBeGreaterThan(title.right)
      expect(again.height).toBe(44)
      expect(again.right).toBe(width - 16)
      expect(again.bottom).toBeLessThanOrEqual(list.top - 4)
      await allow()
      await boosted(page).getByRole('button', { name: 'Try Again' }).tap()
      await expect(boosted(page).getByText('Failed to refresh boost data')).toHaveCount(0)
    })

  test('why there is no price is read by a tap, in whole, and put away by the next', async ({ page }) => {
    await takePrices(page)
    await page.goto('/')
    const list = page.getByRole('region', { name: 'All Tokens' })
    await expect(list.getByRole('listitem')).toHaveCount(10)
    for (const part of [strip(page), grid(page), boosted(page), list]) {
      await part.getByRole('button', { name: 'N/A' }).first().tap()
      await expectWhole(part.getByRole('tooltip').first())
      await expect(page.getByRole('tooltip')).toHaveCount(1)
      await part.getByRole('heading', { level: 2 }).tap()
      await expect(page.getByRole('tooltip')).toHaveCount(0)
    }
    await list.getByRole('button', { name: 'N/A' }).first().tap()
    await expect(page.getByRole('tooltip')).toHaveCount(1)
    // Some browsers leave the focus where it is when a finger presses elsewhere.
    await list.getByRole('heading', { level: 2 }).dispatchEvent('pointerdown')
    await expect(page.getByRole('tooltip')).toHaveCount(0)
    await expect(page).toHaveURL('/')
  })
})
