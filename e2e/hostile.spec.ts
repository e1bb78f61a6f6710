import { expect, type Page } from '@playwright/test'
import { attacks, serveHostileConfig, serveHostileLists } from './hostileList.ts'
import { test } from './test.ts'

const rows = (page: Page) => page.getByRole('table', { name: /tokens/i }).locator('tbody tr')

/** Dialogs that opened, and what the browser complained about. */
function listen(page: Page) {
  const heard = { dialogs: [] as string[], complaints: [] as string[] }
  page.on('dialog', (dialog) => {
    heard.dialogs.push(dialog.message())
    void dialog.dismiss()
  })
  page.on('console', (message) => {
    if (message.type() === 'error') heard.complaints.push(`${message.text()} ${message.location().url}`)
  })
  page.on('pageerror', (error) => heard.complaints.push(String(error)))
  return heard
}

/** A missing logo is the list's fault; anything else would be ours. */
const notTheLogo = (complaint: string) => !/404 \(Not Found\).*\/logos\/devnet\/not-there\.svg/.test(complaint)

/** Opens a modal without loading the page anew. */
async function open(page: Page, search: string): Promise<void> {
  await page.evaluate((path) => history.pushState(null, '', path), `/${search}`)
}

/** What a reader or a click could come to harm by, on the page as it stands. */
async function findHarm(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    // Marks that turn or hide text, and control characters.
    const invisible = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/u
    const shown = (text: string | null) => (text ?? '').replaceAll(/\s/g, ' ')
    const harm: string[] = []
    const names = ['title', 'aria-label', 'alt'] as const
    for (const element of document.querySelectorAll('*')) {
      for (const name of names) {
        const text = shown(element.getAttribute(name))
        if (invisible.test(text)) harm.push(`${name} hides something: ${text.slice(0, 60)}`)
        if (text.length > 160) harm.push(`${name} has ${text.length} characters: ${text.slice(0, 60)}`)
      }
      if ([...element.attributes].some(({ name }) => name.startsWith('on')))
        harm.push(`<${element.localName}> listens in its markup`)
    }
    if (invisible.test(shown(document.body.textContent))) harm.push('the page shows text that hides something')
    if (invisible.test(shown(document.title)) || document.title.length > 160) harm.push(`the title: ${document.title}`)
    for (const link of document.querySelectorAll('a[href]')) {
      const href = link.getAttribute('href') ?? ''
      const { protocol, origin } = new URL(href, location.href)
      if (!/^https?:$/.test(protocol)) harm.push(`a link leads to ${href.slice(0, 60)}`)
      const rel = (link.getAttribute('rel') ?? '').split(' ')
      const isSafe = link.getAttribute('target') === '_blank' && rel.includes('noopener') && rel.includes('noreferrer')
      if (origin !== location.origin && !isSafe) harm.push(`a link out has no target and rel: ${href}`)
    }
    for (const image of document.querySelectorAll('img')) {
      const { protocol, origin } = new URL(image.src, location.href)
      if (protocol !== 'https:' && origin !== location.origin) harm.push(`an image comes from ${image.src.slice(0, 60)}`)
    }
    return harm
  })
}

/** Elements that are wider than the screen, and the page when it scrolls sideways. */
async function findOverflow(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const wide: string[] = []
    const { scrollWidth, clientWidth } = document.documentElement
    if (scrollWidth > clientWidth) wide.push(`the page: ${scrollWidth} of ${clientWidth}`)
    for (const element of document.querySelectorAll('[role="dialog"], [role="dialog"] *')) {
      const { left, right, width } = element.getBoundingClientRect()
      const isHidden = element.closest('.sr-only, [aria-hidden="true"]') !== null
      if (width > 0 && !isHidden && (left < -1 || right > innerWidth + 1)) wide.push(`${element.localName}: ${left} to ${right}`)
    }
    return wide
  })
}

async function expectHarmless(page: Page, where: string): Promise<void> {
  expect(await findHarm(page), where).toEqual([])
  expect(await findOverflow(page), where).toEqual([])
}

const screens = [
  ['phone', { width: 390, height: 844 }],
  ['tablet', { width: 768, height: 1024 }],
  ['desktop', { width: 1440, height: 900 }],
] as const

for (const [device, viewport] of screens) {
  test.describe(`a list that means harm, on a ${device}`, () => {
    test.use({ viewport })

    test('is shown as text, in rows of the same height, with links that are links', async ({ page }, info) => {
      const heard = listen(page)
      await serveHostileLists(page)
      await page.goto('/')
      await expect(page.getByText('Missing Logo').last()).toBeVisible()
      await expect(page.getByText('<script>alert(1)</script>').last()).toBeVisible()
      // Logos load as they come into view.
      await page.getByText('Showing 10 of 16 tokens').scrollIntoViewIfNeeded()
      await expect(page.getByText('MI', { exact: true }).last()).toBeVisible()
      await expectHarmless(page, 'home')
      const table = page.getByRole('region', { name: 'All Tokens' })
      const lines = device === 'phone' ? table.locator('li').filter({ has: page.getByText(/\$/) }) : rows(page)
      const heights = await lines.evaluateAll((all) => all.map((line) => Math.round(line.getBoundingClientRect().height)))
      expect(heights).toEqual(Array(10).fill(device === 'phone' ? 64 : 56))
      await page.screenshot({ path: info.outputPath('home.png'), fullPage: true })
      expect(heard.dialogs).toEqual([])
      expect(heard.complaints.filter(notTheLogo)).toEqual([])
    })

    test('is shown as text in every modal', async ({ page }, info) => {
      const heard = listen(page)
      const addresses = await serveHostileLists(page)
      await page.goto('/')
      await expect(page.getByText('Missing Logo').last()).toBeVisible()
      for (const [place, { what }] of attacks.entries()) {
        for (const kind of ['token', 'chart', 'swaps'] as const) {
          await open(page, `?${kind}=${addresses[place]}`)
          await expect(page.getByRole('dialog')).toBeVisible()
          await expect(page.getByRole('dialog').getByRole('status')).toHaveCount(0)
          await expectHarmless(page, `${kind} of ${what}`)
          await page.screenshot({ path: info.outputPath(`${kind}-${place}.png`) })
        }
      }
      expect(heard.dialogs).toEqual([])
      expect(heard.complaints.filter(notTheLogo)).toEqual([])
    })

    test('and a network file that means harm', async ({ page }, info) => {
      const heard = listen(page)
      await serveHostileConfig(page)
      await page.goto('/')
      await expect(page.getByText('Showing 10 of 16 tokens')).toBeVisible()
      await page.getByRole('contentinfo').scrollIntoViewIfNeeded()
      await expectHarmless(page, 'home')
      await page.screenshot({ path: info.outputPath('config.png'), fullPage: true })
      await open(page, '?swaps=0x0165878A594ca255338adfa4d48449f69242Eb8F')
      await expect(page.getByRole('dialog').getByText('Buy').or(page.getByRole('dialog').getByText('Sell')).first()).toBeVisible()
      await expectHarmless(page, 'swaps')
      await page.screenshot({ path: info.outputPath('config-swaps.png') })
      expect(heard.dialogs).toEqual([])
      expect(heard.complaints).toEqual([])
    })
  })
}

test('rows are 56 px high for a mouse and 64 for a finger, whatever is in them', async ({ browser }) => {
  for (const [hasTouch, height] of [
    [false, 56],
    [true, 64],
  ] as const) {
    const context = await browser.newContext({ viewport: { width: 1024, height: 900 }, hasTouch, isMobile: hasTouch })
    const page = await context.newPage()
    await serveHostileLists(page)
    await page.goto('/')
    await expect(rows(page).filter({ hasText: 'MISS' })).toBeVisible()
    const heights = await rows(page).evaluateAll((all) => all.map((row) => Math.round(row.getBoundingClientRect().height)))
    expect(heights).toEqual(Array(10).fill(height))
    await context.close()
  }
})

test('a mark stands in for a logo that is missing or not allowed', async ({ page }) => {
  await serveHostileLists(page)
  await page.goto('/')
  for (const [name, initials] of [
    ['Missing Logo', 'MI'],
    ['Data Logo', 'DA'],
    ['Plain Logo', 'PL'],
  ] as const) {
    const row = rows(page).filter({ hasText: name })
    await row.scrollIntoViewIfNeeded()
    await expect(row.getByText(initials, { exact: true })).toBeVisible()
    await expect(row.locator('img')).toHaveCount(0)
  }
})

test('what cannot be seen is called by its address', async ({ page }) => {
  const address = (await serveHostileLists(page))[2] ?? ''
  await page.goto('/')
  const short = `${address.slice(0, 6)}…${address.slice(-4)}`
  await expect(rows(page).nth(2)).toContainText(short)
  await open(page, `?swaps=${address}`)
  await expect(page.getByRole('dialog')).toHaveAccessibleName(`${short} Recent Swaps`)
})

test('the server answers lists as JSON that no browser takes for a page, and logos that can do nothing', async ({ request }) => {
  for (const path of ['/assets.json', '/highlighted.json', '/api/trending', '/api/config']) {
    const headers = (await request.get(path)).headers()
    expect(headers['content-type'], path).toBe('application/json; charset=utf-8')
    expect(headers['x-content-type-options'], path).toBe('nosniff')
    expect(headers['content-security-policy'], path).toContain("script-src 'self'")
  }
  const logo = (await request.get('/logos/devnet/wemb.svg')).headers()
  expect(logo['content-security-policy']).toBe("default-src 'none'; style-src 'unsafe-inline'; sandbox")
  expect(logo['x-content-type-options']).toBe('nosniff')
})
