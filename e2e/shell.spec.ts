import { expect } from '@playwright/test'
import { test } from './test.ts'

const phone = { width: 390, height: 844 }

test.describe('the bar', () => {
  test('stays at the top and turns translucent once the page is scrolled by more than 10 px', async ({ page }) => {
    await page.goto('/')
    await expect(page.getByRole('table')).toBeVisible()
    const bar = page.getByRole('banner')
    const alpha = () =>
      bar.evaluate((element) => {
        const canvas = document.createElement('canvas').getContext('2d') as CanvasRenderingContext2D
        canvas.fillStyle = getComputedStyle(element).backgroundColor
        canvas.fillRect(0, 0, 1, 1)
        return canvas.getImageData(0, 0, 1, 1).data[3]
      })
    await expect.poll(alpha).toBe(255)
    await page.evaluate(() => scrollTo(0, 10))
    await expect.poll(alpha).toBe(255)
    await page.evaluate(() => scrollTo(0, 11))
    await expect.poll(alpha).toBe(204)
    expect((await bar.boundingBox())?.y).toBe(0)
  })

  test('says which page is shown, and the site leads home', async ({ page }) => {
    await page.goto('/?q=tide&page=1')
    const pages = page.getByRole('navigation', { name: 'Pages' })
    await expect(pages.getByRole('link', { name: 'Home' })).toHaveAttribute('aria-current', 'page')
    await page.getByRole('banner').getByRole('link', { name: 'Chainboard' }).click()
    await expect(page).toHaveURL(/\/$/)
    await expect(page.getByText('Showing 10 of 16 tokens')).toBeVisible()
  })

  test('remembers the theme and the way prices are shown', async ({ page }) => {
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.goto('/')
    await page.getByRole('button', { name: 'Switch to the light theme' }).click()
    await page.getByRole('button', { name: 'Paired', exact: true }).click()
    await page.reload()
    await expect(page.getByRole('button', { name: 'Switch to the dark theme' })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Paired', exact: true })).toHaveAttribute('aria-pressed', 'true')
    expect(await page.evaluate(() => localStorage.getItem('priceDisplayMode'))).toBe('paired')
  })

  test('forgets a stored way of showing prices that is neither usd nor paired', async ({ page }) => {
    await page.addInitScript(() => localStorage.setItem('priceDisplayMode', 'gold'))
    await page.goto('/')
    await expect(page.getByRole('button', { name: 'USD', exact: true })).toHaveAttribute('aria-pressed', 'true')
  })

  test('lets keyboards skip to the content', async ({ page }) => {
    await page.goto('/')
    await expect(page.getByRole('table')).toBeVisible()
    await page.keyboard.press('Tab')
    await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('main')).toBeFocused()
  })
})

test.describe('on a phone', () => {
  test.use({ viewport: phone })

  test('the menu opens, and closes on Escape with the focus back, on a tap elsewhere, and on its button', async ({ page }) => {
    await page.goto('/')
    const button = page.getByRole('button', { name: 'Menu' })
    const home = page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Home' })
    await expect(home).toBeHidden()
    await button.focus()
    await page.keyboard.press('Enter')
    await expect(home).toBeVisible()
    await expect(button).toHaveAttribute('aria-expanded', 'true')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Escape')
    await expect(home).toBeHidden()
    await expect(button).toBeFocused()
    await button.click()
    await expect(home).toBeVisible()
    await page.mouse.click(5, 600)
    await expect(home).toBeHidden()
  })

  test('the search takes the bar, and leaving it shows all tokens again', async ({ page }) => {
    await page.goto('/')
    await page.getByRole('button', { name: 'Search tokens' }).click()
    const search = page.getByPlaceholder('Search tokens...')
    await expect(search).toBeFocused()
    await search.fill('tide')
    await expect(page.getByText('Showing 1 of 1 tokens')).toBeVisible()
    await page.getByRole('button', { name: 'Close search' }).click()
    await expect(page.getByText('Showing 10 of 16 tokens')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Menu' })).toBeVisible()
  })

  test('a slash opens the search, as it does where the bar is wide', async ({ page }) => {
    await page.goto('/')
    await expect(page.getByText('Showing 10 of 16 tokens')).toBeVisible()
    await page.keyboard.press('/')
    await expect(page.getByPlaceholder('Search tokens...')).toBeFocused()
    await expect(page.getByPlaceholder('Search tokens...')).toHaveValue('')
  })
})

test("the footer has the network's links, each in a tab of its own, and the age of the data", async ({ page }) => {
  await page.goto('/')
  const footer = page.getByRole('contentinfo')
  await expect(footer.getByText(/Block [\d,]+ · \d+s ago/)).toBeVisible()
  for (const [name, url] of [
    ['Create Token', 'https://create.ember.example/'],
    ['Explorer', 'https://explorer.ember.example/'],
    ['Staking', 'https://stake.ember.example/'],
  ] as const) {
    const link = footer.getByRole('link', { name })
    await expect(link).toHaveAttribute('href', url)
    await expect(link).toHaveAttribute('target', '_blank')
    await expect(link).toHaveAttribute('rel', 'noopener noreferrer')
  }
})

for (const path of ['/nowhere', '/nowhere/at/all?q=x', '/Portfolio.html/', '/%F0%9F%8C%B3', '/vitalik.eth', '/%E0%A4%A'])
  test(`${path} leads home`, async ({ page }) => {
    await page.goto(path)
    await expect(page).toHaveURL(/:\d+\/$/)
    await expect(page.getByRole('heading', { name: 'All Tokens' })).toBeVisible()
  })
