import { expect, type Page } from '@playwright/test'
import { test } from './test.ts'

const titleOf = (name: string) => `${name} price chart · Chainboard`

/** Address of a token of the devnet. */
async function findToken(page: Page, symbol: string): Promise<string> {
  const tokens = (await (await page.request.get('/assets.json')).json()) as { symbol: string; address: string }[]
  return tokens.find((token) => token.symbol === symbol)?.address ?? 'not listed'
}

test.describe('the head of the page', () => {
  test('is named after the site and has what previews and search engines ask for', async ({ page, baseURL }) => {
    await page.goto('/')
    await expect(page).toHaveTitle('Chainboard')
    const contentOf = (selector: string) => page.locator(`head ${selector}`).getAttribute('content')
    const description = 'Live prices, charts and swaps of the tokens on Chainboard Devnet.'
    expect(await contentOf('meta[name="description"]')).toBe(description)
    expect(await contentOf('meta[property="og:image"]')).toBe(`${baseURL}/preview.png`)
    expect(await page.locator('head link[rel="canonical"]').getAttribute('href')).toBe(`${baseURL}/`)
    await expect(page.locator('html')).toHaveAttribute('lang', 'en')
  })

  test('names files that are there', async ({ page, baseURL }) => {
    await page.goto('/')
    const wanted = [
      ['link[rel="icon"]', 'href', 'image/svg+xml'],
      ['link[rel="apple-touch-icon"]', 'href', 'image/png'],
      ['link[rel="manifest"]', 'href', 'application/manifest+json'],
      ['meta[property="og:image"]', 'content', 'image/png'],
    ] as const
    for (const [selector, attribute, type] of wanted) {
      const url = await page.locator(`head ${selector}`).getAttribute(attribute)
      const answer = await page.request.get(url ?? 'missing')
      expect([selector, answer.status(), answer.headers()['content-type']?.split(';')[0]]).toEqual([selector, 200, type])
    }
    const robots = await (await page.request.get('/robots.txt')).text()
    const rules = ['User-agent: *', 'Disallow: /api/', 'Disallow: /rpc', 'Disallow: /subgraph']
    expect(robots.split('\n')).toEqual([...rules, `Sitemap: ${baseURL}/sitemap.xml`, ''])
  })

  test('is named after a token that its address opens, before and after scripts ran, until that is closed', async ({ page }) => {
    const address = await findToken(page, 'TIDE')
    const url = `/?chart=${address}`
    const html = await (await page.request.get(url)).text()
    expect(html).toContain(`<title>${titleOf('Tidewater (TIDE)')}</title>`)
    expect(html).toMatch(
      /<meta name="description" content="Price \$[\d.]+, 24h change [+-]?[\d.]+%, market cap \$[\d.]+[KMBT]\. /,
    )
    await page.goto(url)
    await expect(page.getByRole('dialog')).toBeVisible()
    await expect(page.getByText(/Block [\d,]+/)).toBeVisible()
    await expect(page).toHaveTitle(titleOf('Tidewater (TIDE)'))
    await page.keyboard.press('Escape')
    await expect(page).toHaveTitle('Chainboard')
  })
})
