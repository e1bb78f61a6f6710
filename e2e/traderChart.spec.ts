import { readFile } from 'node:fs/promises'
import { expect } from '@playwright/test'
import { basalt, findObstacles, listenForComplaints, refuse } from './homePage.ts'
import { test } from './test.ts'

test("a trader's chart goes back to the first trade, compares two tokens, and gives its candles away", async ({ page }) => {
  const complaints = listenForComplaints(page)
  const pages: string[] = []
  page.on('request', (request) => request.url().includes('/candles') && pages.push(request.url()))
  await page.goto(`/token/${basalt}`)
  const chart = page.getByRole('region', { name: 'Price chart' })
  await expect(chart.locator('canvas').first()).toBeVisible()
  await chart.getByRole('button', { name: '15m' }).click()
  await expect(chart.getByRole('button', { name: 'Fair' })).toBeVisible()
  const table = chart.getByRole('table', { name: /^Candles in US dollars, newest first/ })
  await expect(table.getByRole('row')).toHaveCount(101)
  // Far enough left, the page before is read.
  await expect(async () => {
    await chart.getByRole('button', { name: 'Earlier' }).click()
    expect(pages.some((url) => /interval=15m&before=\d+/.test(url))).toBe(true)
  }).toPass()
  await chart.getByRole('button', { name: 'Indicators' }).click()
  await chart.getByLabel('RSI').check()
  await page.keyboard.press('Escape')
  await expect(chart.getByRole('button', { name: 'Indicators (1)' })).toBeFocused()
  await chart.getByRole('button', { name: 'Compare' }).click()
  await chart.getByLabel('Compare with').fill('wemb')
  await chart.getByRole('button', { name: /^WEMB/ }).click()
  // Over the chart the pointer reads candles.
  await page.mouse.move(0, 0)
  await expect(chart.getByText('WEMB, both in % from the left edge')).toBeVisible()
  await expect(chart.getByRole('button', { name: 'Log' })).toBeDisabled()
  expect(await findObstacles(page)).toEqual([])
  const saved = page.waitForEvent('download')
  await chart.getByRole('button', { name: 'CSV' }).click()
  const file = await saved
  expect(file.suggestedFilename()).toBe('bslt-15m.csv')
  expect((await readFile(await file.path(), 'utf8')).split('\r\n')[0]).toBe(
    'time,open,high,low,close,volume_usd,fair_open,fair_high,fair_low,fair_close',
  )
  expect(complaints).toEqual([])

  await page.route('**/candles?*', refuse)
  await page.goto(`/token/${basalt}`)
  await expect(chart.getByText('Failed to load chart data')).toBeVisible({ timeout: 30_000 })
})
