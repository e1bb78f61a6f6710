import { expect } from '@playwright/test'
import { basalt, findObstacles, listenForComplaints, refuse, rows } from './homePage.ts'
import { test } from './test.ts'

test('a token has a page of its own: by its name in a new tab, by its symbol, with all of its swaps', async ({
  page,
  context,
}) => {
  const complaints = listenForComplaints(page)
  await page.goto('/')
  const name = rows(page).getByRole('link', { name: 'Basalt', exact: true })
  const opened = context.waitForEvent('page')
  await name.click({ modifiers: ['ControlOrMeta'] })
  const tab = await opened
  await expect(tab).toHaveURL(`/token/${basalt}`)
  await expect(tab).toHaveTitle('Basalt (BSLT) price · Chainboard')
  await tab.close()
  await name.click()
  await expect(page).toHaveURL(`/?token=${basalt}`)

  await page.goto(`/token/${encodeURIComponent('<img src=x onerror=alert(1)>')}`)
  await expect(page.getByRole('heading', { name: 'Token not found', level: 1 })).toBeVisible()
  await page.goto('/token/bslt')
  await expect(page).toHaveURL(`/token/${basalt}`)
  await expect(page.getByRole('region', { name: 'Price', exact: true })).toContainText(/Between \$0\.\d{4} and \$0\.\d{4}/)
  const swaps = page.getByRole('table', { name: 'Swaps, newest first' })
  await expect(swaps.getByRole('row')).toHaveCount(51)
  await page.getByRole('button', { name: 'Sells' }).click()
  await expect(page).toHaveURL(`/token/${basalt}?side=sell`)
  await expect(swaps.getByText('Buy')).toHaveCount(0)
  await page.getByRole('link', { name: 'Older swaps' }).click()
  await expect(page).toHaveURL(/side=sell&before=\d+-\d+-\d+$/)
  await expect(page.getByRole('button', { name: 'Live' })).toBeDisabled()
  await expect(page.getByRole('link', { name: 'CSV' })).toHaveAttribute('href', /^\/api\/swaps\.csv\?token=0x\w{40}&side=sell$/)
  await page.goBack()
  await expect(page).toHaveURL(`/token/${basalt}?side=sell`)
  expect(await findObstacles(page)).toEqual([])
  await page.getByRole('link', { name: 'Pools', exact: true }).first().click()
  await expect(page.getByRole('table', { name: 'Pools' }).getByRole('link')).toHaveCount(2)
  expect(await findObstacles(page)).toEqual([])
  expect(complaints).toEqual([])

  await page.route('**/api/swaps?*', refuse)
  await page.goto('/swaps')
  await expect(page.getByText('Failed to load swap data')).toBeVisible({ timeout: 30_000 })
})

test('a receipt is verified in the browser to all digits, and a lie in it fails its step by name', async ({ page }) => {
  await page.goto(`/token/${basalt}/receipt`)
  const verify = page.getByRole('region', { name: 'Verify in my browser' })
  const run = async () => {
    await verify.getByRole('combobox', { name: 'Node' }).selectOption('site')
    await verify.getByRole('button', { name: 'Verify' }).click()
  }
  await run()
  await expect(verify.getByText(/^Equal, to all 18 decimals: \$0\.\d+$/)).toBeVisible({ timeout: 45_000 })
  expect(await findObstacles(page)).toEqual([])
  // The site says that a pool's median was another one, in the last digit.
  await page.route('**/receipt?*', async (route) => {
    const response = await route.fetch()
    const json = await response.json()
    const pool = json.steps[0].pools[1]
    pool.medianX96 = String(BigInt(pool.medianX96) + 1n)
    await route.fulfill({ response, json })
  })
  await page.reload()
  await run()
  const failed = verify.getByRole('listitem').filter({ hasText: /^Failed/ })
  await expect(failed).toContainText('Pool BSLT/', { timeout: 45_000 })
  await expect(failed).toContainText(/medianX96: the site says \d+, the node \d+/)
  await expect(verify.getByText('Not equal.')).toBeVisible()
})
