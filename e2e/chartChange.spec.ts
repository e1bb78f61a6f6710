import { expect, type Locator } from '@playwright/test'
import { test } from './test.ts'
import { modal } from './tokenModal.ts'

type Token = { readonly address: string; readonly name: string; readonly priceChange24h: number | null }

test("the chart's 1D shows the 24h change of the table, of every token", async ({ page, request }) => {
  test.slow()
  const answer = await request.get('/assets.json')
  const tokens = (await answer.json()) as Token[]
  expect(tokens.length).toBeGreaterThan(10)
  let compared = 0
  for (const { address, name } of tokens) {
    await page.goto(`/?q=${encodeURIComponent(name)}&chart=${address}`)
    // By its place: what is behind an open modal has no role.
    const row = page.locator('table[data-sort] tbody tr').filter({ hasText: name }).first()
    await expect(modal(page).getByText(/^Current Price/)).toBeVisible()
    // Prices move between two looks: both are read off the page at the same moment, until the chart is drawn.
    await expect(async () => {
      const [inTable, inChart] = await Promise.all([readChange(row), readChange(modal(page))])
      expect([name, inChart]).toEqual([name, inTable])
    }).toPass({ timeout: 10_000 })
    if (await modal(page).getByText('Past 24 hours', { exact: true }).isVisible()) compared += 1
  }
  // A token without a price has neither.
  expect(compared).toBeGreaterThan(10)
})

/** `+0.85%`, `-3.10%`, `0.00%`; `N/A` where there is none. */
async function readChange(place: Locator): Promise<string> {
  const text = await place.textContent()
  return /[+-]?[\d,]+\.\d+%/.exec(text ?? '')?.[0] ?? 'N/A'
}

type Candles = { readonly dayAgo: { readonly price: number } | null }

test("the trader's chart measures its 24h change from the price that the table does, of every token", async ({ request }) => {
  const tokens = (await (await request.get('/assets.json')).json()) as Token[]
  let compared = 0
  for (const { address, name } of tokens) {
    await expect(async () => {
      // Prices move between two answers.
      const [listed, candles] = await Promise.all([
        request.get(`/assets.json?addresses=${address}`),
        request.get(`/api/tokens/${address}/candles`),
      ])
      const [token] = (await listed.json()) as { priceInUsd: number; priceChange24h: number | null; priceStatus: string }[]
      const { dayAgo } = (await candles.json()) as Candles
      if (!token || token.priceStatus === 'unpriced') return expect([name, dayAgo]).toEqual([name, null])
      const change = dayAgo && ((token.priceInUsd - dayAgo.price) / dayAgo.price) * 100
      // The table's is cut off at six decimals.
      const near = change === null ? null : expect.closeTo(change, 5)
      expect([name, token.priceChange24h]).toEqual([name, near])
      compared += 1
    }).toPass({ timeout: 10_000 })
  }
  expect(compared).toBeGreaterThan(10)
})
