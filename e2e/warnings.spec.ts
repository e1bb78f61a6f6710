import { expect } from '@playwright/test'
import { test } from './test.ts'
import { alterToken, basalt, modal, rowOf } from './tokenModal.ts'
import { withoutStream } from './withoutStream.ts'

// The devnet's own tokens have no warnings: the server's words are put into its answers.

const warnings = [
  {
    code: 'lookalike',
    text: 'Its symbol looks like the symbol of Bas\u202ealt (BSLT), the verified token at 0x9fE46736679d2D9a65F0992F2272dE9f3c7fa6e0',
  },
  { code: 'sell-tax', text: 'Of 1,000 BSLT sold, 950 arrived' },
]

test('a row has one small mark that names what is wrong, and is as high as the others', async ({ page }) => {
  await alterToken(page, basalt, () => ({ warnings }))
  await page.goto('/')
  const row = rowOf(page, 'Basalt')
  const name = 'Warning: looks like a verified token, taxed when traded'
  await expect(row.getByRole('img', { name, exact: true })).toBeVisible()
  await expect(rowOf(page, 'Harborline').getByRole('img', { name: /Warning/ })).toHaveCount(0)
  const heights = await Promise.all([row, rowOf(page, 'Harborline')].map(async (each) => (await each.boundingBox())?.height))
  expect(heights[0]).toBe(heights[1])
})

test('the details have a line for each warning, and none without', async ({ page }) => {
  // A page with a stream asks for the figures twice a minute only.
  await withoutStream(page)
  await page.goto(`/?token=${basalt}`)
  await expect(modal(page).getByRole('region', { name: 'Price' })).toBeVisible()
  await expect(modal(page).getByRole('list', { name: 'Warnings' })).toHaveCount(0)
  await alterToken(page, basalt, () => ({ warnings }))
  // With the next figures, without a new visit.
  await expect(modal(page).getByRole('list', { name: 'Warnings' }).getByRole('listitem')).toHaveText([
    'Its symbol looks like the symbol of Basalt (BSLT), the verified token at 0x9fE46736679d2D9a65F0992F2272dE9f3c7fa6e0',
    'Of 1,000 BSLT sold, 950 arrived',
  ])
})
