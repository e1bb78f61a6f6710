import { expect, type Page } from '@playwright/test'
import { basalt, rows, strip, waitForPlaces, watchShifts } from './homePage.ts'
import { test } from './test.ts'

const box = (page: Page) => page.getByPlaceholder('Search tokens...')
const searchOf = (url: string) => new URL(url).searchParams.get('search')

test('a search asks with every letter, at once, and lets go of what it asked before', async ({ page }) => {
  await page.goto('/')
  await expect(rows(page)).toHaveCount(10)
  const asked: (string | null)[] = []
  const letGo: (string | null)[] = []
  page.on('request', (request) => void (request.url().includes('search=') && asked.push(searchOf(request.url()))))
  page.on(
    'requestfailed',
    (request) => void (request.failure()?.errorText === 'net::ERR_ABORTED' && letGo.push(searchOf(request.url()))),
  )
  // The first three are never answered.
  await page.route(/search=/, (route) => (searchOf(route.request().url()) === 'tide' ? route.continue() : undefined))
  await box(page).click()
  await page.keyboard.type('tide')
  await expect(page.getByText('Showing 1 of 1 tokens')).toBeVisible()
  await expect(rows(page)).toContainText('Tidewater')
  expect(asked).toEqual(['t', 'ti', 'tid', 'tide'])
  await expect.poll(() => letGo).toEqual(['t', 'ti', 'tid'])
})

test('a search that comes with the address stands where it stays, whatever is under way above', async ({ page }) => {
  const shifts = await watchShifts(page)
  await waitForPlaces(page)
  // Neither is ever answered: who searches does not see them.
  await page.route(/api\/trending|highlighted\.json|boosted=true/, () => undefined)
  // Whether boosts are offered, which the table's width hangs on, is known late.
  const asked = page.waitForRequest(/search=tide/)
  await page.route('**/api/config*', async (route) => {
    await asked
    await route.continue()
  })
  await page.goto('/?q=tide')
  await expect(page.getByText('Showing 1 of 1 tokens')).toBeInViewport()
  expect(await shifts()).toEqual([])
})

test('the lists above the table make way for a search, and are back when it ends', async ({ page }) => {
  await page.goto('/')
  const first = strip(page).getByRole('link').first()
  await expect(first).toBeVisible()
  const top = await page.locator('#all-tokens').evaluate((heading) => heading.getBoundingClientRect().top)
  await box(page).fill('tide')
  await expect(first).toBeHidden()
  await expect
    .poll(() => page.locator('#all-tokens').evaluate((heading) => heading.getBoundingClientRect().top))
    .toBeLessThan(150)
  await box(page).fill('')
  await expect(first).toBeVisible()
  await expect.poll(() => page.locator('#all-tokens').evaluate((heading) => heading.getBoundingClientRect().top)).toBe(top)
})

test('letters typed faster than the page is drawn are all there, and one step back leaves the search', async ({ page }) => {
  await page.goto('/?sort=nameAsc')
  await expect(rows(page)).toHaveCount(10)
  await page.getByRole('combobox', { name: /sort/i }).selectOption('fdmcDesc')
  await expect(page).toHaveURL(/\/$/)
  await box(page).click()
  await page.keyboard.type('wrapped ember')
  await expect(box(page)).toHaveValue('wrapped ember')
  await expect(page).toHaveURL(/\?q=wrapped\+ember$/)
  await expect(rows(page)).toHaveCount(1)
  await page.goBack()
  await expect(page).toHaveURL(/\?sort=nameAsc$/)
  await expect(box(page)).toHaveValue('')
  await expect(rows(page)).toHaveCount(10)
  // An address is no name: it leads to its page, where a button leads on.
  await box(page).fill(basalt.toLowerCase())
  await page.getByRole('link', { name: 'Open the page of BSLT' }).click()
  await expect(page).toHaveURL(`/token/${basalt}`)
  await page.getByRole('button', { name: 'Search tokens, pools and wallets' }).click()
  await expect(page.getByRole('combobox', { name: 'Search tokens, pages and actions' })).toBeFocused()
})

test('a logo that was on the page before is there with its row', async ({ page }) => {
  await page.goto('/?sort=nameAsc')
  const logo = rows(page).filter({ hasText: 'Kestrel' }).getByRole('presentation')
  await expect(logo).toHaveJSProperty('complete', true)
  await box(page).fill('basalt')
  await expect(rows(page)).toHaveCount(1)
  // What nobody holds leaves the browser's memory.
  const session = await page.context().newCDPSession(page)
  await session.send('HeapProfiler.collectGarbage')
  const isThere = await page.evaluateHandle(() => {
    const { promise, resolve } = Promise.withResolvers<boolean>()
    new MutationObserver((_, observer) => {
      const row = [...document.querySelectorAll('tbody tr')].find(({ textContent }) => textContent.includes('Kestrel'))
      if (!row) return
      observer.disconnect()
      resolve(row.querySelector('img')?.complete === true)
    }).observe(document.body, { childList: true, subtree: true, characterData: true })
    return { promise }
  })
  await box(page).fill('')
  expect(await isThere.evaluate(({ promise }) => promise)).toBe(true)
})
