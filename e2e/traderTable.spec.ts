import { expect, type Page } from '@playwright/test'
import { findObstacles, listenForComplaints, rows } from './homePage.ts'
import { test } from './test.ts'

test.use({ viewport: { width: 1440, height: 900 } })

test('the table is in sight, sorts both ways, filters, and keeps all of it in the address', async ({ page }) => {
  const complaints = listenForComplaints(page)
  await page.goto('/')
  await expect(rows(page)).toHaveCount(10)
  await expect(page.getByRole('button', { name: 'Gainers' })).toBeVisible()
  for (const row of [0, 1, 2, 3]) await expect(rows(page).nth(row)).toBeInViewport({ ratio: 1 })
  // Two presses of Tab lead past everything above it.
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Skip to all tokens' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'All Tokens' })).toBeFocused()

  const price = page.getByRole('columnheader', { name: 'Price' })
  for (const [sort, order] of [
    ['priceDesc', 'descending'],
    ['priceAsc', 'ascending'],
  ] as const) {
    await price.getByRole('button').click()
    await expect(price).toHaveAttribute('aria-sort', order)
    await expect(page).toHaveURL(`/?sort=${sort}`)
  }
  await expect(rows(page).first()).toContainText('Fennec')

  await page.getByRole('button', { name: 'Losers' }).click()
  await expect(page).toHaveURL('/?sort=changeAsc&move=losers')
  const texts = async () => (await rows(page).allTextContents()).map((text) => /-\d+\.\d\d%/.test(text))
  await expect.poll(async () => [...new Set(await texts())]).toEqual([true])
  await page.getByRole('button', { name: 'Filters' }).click()
  await page.getByRole('combobox', { name: 'Category' }).selectOption('Art')
  await expect(page.getByText('No token matches these filters.')).toBeVisible()
  await page.goBack()
  await expect(page).toHaveURL('/?sort=changeAsc&move=losers')
  await expect(rows(page).first()).toContainText(/-\d+\.\d\d%/)
  expect(await findObstacles(page, undefined, '[data-tokens-found]')).toEqual([])
  expect(complaints).toEqual([])
})

test('further columns come from the address in their places; what it does not understand is named and ignored', async ({
  page,
}) => {
  await page.goto('/?columns=d7.h1.spark&rows=dense&liquidityMin=lots&verified=1')
  await expect(page.getByRole('columnheader')).toHaveText([
    ...['#', 'Token', 'Price', '1h', '24h Change', '7d', '7 days', '24h Volume', 'Market Cap', 'LP', 'Actions'],
  ])
  await expect(page.getByText('Ignored “liquidityMin=lots” in the URL: expected US dollars, from 0.')).toBeVisible()
  await expect(
    rows(page)
      .first()
      .getByRole('img', { name: /^From \$.* in 7 days$/ }),
  ).toBeVisible()
  expect((await rows(page).first().boundingBox())?.height).toBe(40)
  await page.getByRole('button', { name: 'Columns' }).click()
  // By its text: a press there is on no control, and moves the focus.
  await page.getByText('7-day price line').click()
  await expect(page.getByRole('columnheader', { name: '7 days' })).toHaveCount(0)
  await expect(page).toHaveURL(/columns=d7\.h1&/)
  // The next visit has the same columns.
  await page.goto('/')
  await expect(page.getByRole('columnheader', { name: '1h', exact: true })).toBeVisible()
  // A token that is not among these rows, by keyboard alone.
  await page.keyboard.press('Control+k')
  const field = page.getByRole('combobox', { name: 'Search tokens, pages and actions' })
  await expect(field).toBeFocused()
  await page.keyboard.type('ochr')
  await expect(page.getByRole('option', { name: 'OCHR Ochre' })).toHaveAttribute('aria-selected', 'true')
  expect(await findObstacles(page, 'main')).toEqual([])
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name: /Ochre/ })).toBeVisible()
})

/** Home at its second page, with the first at hand. @returns reads the rows' addresses; those of the first page */
async function turnToPage2(page: Page) {
  await page.goto('/')
  await expect(page.getByRole('button', { name: 'Gainers' })).toBeVisible()
  const names = () => rows(page).evaluateAll((all) => all.map((row) => row.querySelector('a')?.getAttribute('href')))
  const first = await names()
  await page.getByRole('link', { name: 'Page 2', exact: true }).click()
  await expect(rows(page)).toHaveCount(6)
  return { names, first }
}

test('a press on the pager is on the screen before the rows that it leads to', async ({ page }) => {
  const { names, first } = await turnToPage2(page)
  const second = await names()
  expect(second.filter((name) => first.includes(name))).toEqual([])
  // Its answer is at hand: nothing but the press holds it up.
  const inFirstFrame = await page.getByRole('link', { name: 'Page 1', exact: true }).evaluate(
    (link: HTMLElement) =>
      new Promise((resolve) => {
        link.click()
        requestAnimationFrame(() => {
          const shown = [...document.querySelectorAll('table[data-sort] tbody tr a[href^="/token/"]')]
          resolve({ current: link.getAttribute('aria-current'), names: [...new Set(shown.map((a) => a.getAttribute('href')))] })
        })
      }),
  )
  expect(inFirstFrame).toEqual({ current: 'page', names: second })
  await expect.poll(names).toEqual(first)
})

test('a step back before the rows have come leaves those of the page that is shown', async ({ page }) => {
  const { names, first } = await turnToPage2(page)
  await page.goBack()
  await expect.poll(names).toEqual(first)
  // Both pages are at hand. Every set of rows that is shown from the press on is kept.
  const seen = await page.getByRole('link', { name: 'Page 2', exact: true }).evaluate(async (link: HTMLElement) => {
    const table = document.querySelector('table[data-sort] tbody')
    const kept = new Set<number>()
    const watch = new MutationObserver(() => kept.add(table?.childElementCount ?? 0))
    if (table) watch.observe(table, { childList: true })
    const frame = () => new Promise(requestAnimationFrame)
    link.click()
    await frame()
    history.back()
    for (let i = 0; i < 30; i += 1) await frame()
    watch.disconnect()
    return [...kept]
  })
  expect(seen.at(-1) ?? 10).toBe(10)
  await expect(page).toHaveURL('/')
  expect(await names()).toEqual(first)
})
