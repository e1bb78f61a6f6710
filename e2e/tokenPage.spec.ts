import { expect } from '@playwright/test'
import { basalt, findObstacles, listenForComplaints, rows } from './homePage.ts'
import { test } from './test.ts'

test('a name leads to a page of its own in a new tab, and opens the details with a plain click', async ({ page, context }) => {
  await page.goto('/')
  const name = rows(page).getByRole('link', { name: 'Basalt', exact: true })
  const opened = context.waitForEvent('page')
  await name.click({ modifiers: ['ControlOrMeta'] })
  const tab = await opened
  await expect(tab).toHaveURL(`/token/${basalt}`)
  await expect(page).toHaveURL('/')
  await expect(tab.getByRole('heading', { level: 1 })).toContainText('Basalt')
  await expect(tab).toHaveTitle('Basalt (BSLT) price · Chainboard')
  await name.click()
  await expect(page).toHaveURL(`/?token=${basalt}`)
})

test('a token is found by its symbol; one that is not listed is said to be unknown, whatever its address holds', async ({
  page,
}) => {
  await page.goto('/token/bslt')
  await expect(page).toHaveURL(`/token/${basalt}`)
  for (const nobody of ['NOPE', `0x${'9'.repeat(40)}`, encodeURIComponent('<img src=x onerror=alert(1)>')]) {
    await page.goto(`/token/${nobody}`)
    await expect(page.getByText('Token not found')).toBeVisible()
  }
  await page.getByRole('link', { name: 'Show all tokens' }).click()
  await expect(page).toHaveURL('/')
})

test('the page of a token says what it costs and how sure that is, without an obstacle to anybody', async ({ page }) => {
  const complaints = listenForComplaints(page)
  await page.goto(`/token/${basalt}`)
  const price = page.getByRole('region', { name: 'Price', exact: true })
  await expect(price).toContainText(/Between \$0\.\d{4} and \$0\.\d{4}/)
  await expect(price).toContainText(/\d+% confidence/)
  await expect(page.getByRole('row').nth(1)).toContainText('BSLT')
  expect(await findObstacles(page)).toEqual([])
  expect(complaints).toEqual([])
})
