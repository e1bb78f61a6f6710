import { expect, type Locator, type Page } from '@playwright/test'
import { rows } from './homePage.ts'
import { test } from './test.ts'
import { basalt, modal } from './tokenModal.ts'

// With forced colours (Windows high contrast) no background and no shade is left: what is chosen has a frame of its own.

test.use({ viewport: { width: 1440, height: 900 } })
test.beforeEach(({ page }) => page.emulateMedia({ forcedColors: 'active' }))

const frameOf = (place: Locator) =>
  place.evaluate((element) => {
    const { outlineStyle, outlineWidth } = getComputedStyle(element)
    return `${outlineWidth} ${outlineStyle}`
  })

/** Every place of the page that is marked as chosen has a frame. @returns what each of them says */
async function listChosen(page: Page): Promise<string[]> {
  const chosen = page.locator(
    '[aria-pressed="true"]:visible, [aria-current]:not([aria-current="false"]):visible, th[aria-sort] > button:visible',
  )
  const names: string[] = []
  for (const place of await chosen.all()) {
    expect([await place.textContent(), await frameOf(place)]).toEqual([await place.textContent(), '2px solid'])
    names.push((await place.getAttribute('aria-label')) ?? (await place.textContent()) ?? '')
  }
  return names
}

test('the page, the sorted column, the page of the list and the price mode that are chosen have a frame', async ({ page }) => {
  await page.goto('/')
  await expect(rows(page)).toHaveCount(10)
  await expect(page.getByRole('link', { name: 'Page 1', exact: true })).toBeVisible()
  // The filters come a moment later.
  const wanted = expect.arrayContaining(['Home', 'USD', 'Market Cap', 'Page 1'])
  await expect(async () => expect(await listChosen(page)).toEqual(wanted)).toPass({ timeout: 10_000 })
  expect(await frameOf(page.getByRole('link', { name: 'Page 2' }))).toMatch(/none$/)
})

test('the focus is seen on what is chosen, too', async ({ page }) => {
  await page.goto('/')
  const one = page.getByRole('link', { name: 'Page 1', exact: true })
  await page.getByRole('link', { name: 'Page 2', exact: true }).focus()
  await page.keyboard.press('Shift+Tab')
  await expect(one).toBeFocused()
  expect(await frameOf(one)).toBe('5px double')
})

test('the range and the kind of a chart that are chosen have a frame, which moves with the choice', async ({ page }) => {
  await page.goto(`/?chart=${basalt}`)
  await expect(modal(page).getByText('Past 24 hours')).toBeVisible()
  const range = (name: string) => modal(page).getByRole('button', { name, exact: true })
  expect([await frameOf(range('1D')), await frameOf(range('Line'))]).toEqual(['2px solid', '2px solid'])
  await range('1W').click()
  await page.mouse.move(0, 0)
  await expect(range('1W')).toHaveAttribute('aria-pressed', 'true')
  expect(await frameOf(range('1D'))).toMatch(/none$/)
})

test('the section of the documentation has a frame, and the shades of days have lines of their own', async ({ page }) => {
  await page.goto('/docs')
  await expect(page.getByRole('navigation', { name: 'On this page' })).toBeVisible()
  expect(await listChosen(page)).not.toEqual([])
  await page.goto('/users')
  const shades = page.getByRole('list', { name: 'Shades' }).locator('[data-strength]')
  await expect(shades).toHaveCount(4)
  const lines = await shades.evaluateAll((all) =>
    all.map((each) => `${getComputedStyle(each).borderTopWidth} ${getComputedStyle(each).borderTopStyle}`),
  )
  expect(lines).toEqual(['1px dotted', '1px solid', '2px solid', '4px double'])
})
