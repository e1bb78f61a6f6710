import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, type Page } from '@playwright/test'
import { content, copied, devices, examine, makeFreeKey, openExamples, press, runCurl, stopClock } from './priceApi.ts'
import { test } from './test.ts'

const run = promisify(execFile)
const keyField = (page: Page) => page.getByLabel('Your API key')
const curlExamples = ['All prices', 'One token by address', 'One token by symbol', 'Several tokens', 'Stream of changes'] as const

/** A program that is not told to colour what it writes. */
const plain = (cwd: string) => ({ cwd, env: { PATH: process.env['PATH'] } })

test.use({ permissions: ['clipboard-read', 'clipboard-write'] })

test('every curl example answers as it stands, without a key', async ({ page }) => {
  const symbol = await openExamples(page, '/docs')
  await expect(content(page).getByText(`symbol/${symbol}`)).toBeVisible()
  for (const name of curlExamples) {
    const command = await copied(page, new RegExp(`${name} with curl`))
    expect(command).not.toContain('X-API-Key')
    const { status, body } = await runCurl(command)
    expect([name, status]).toEqual([name, '200'])
    if (name !== 'Stream of changes') expect(JSON.parse(body).rateLimit.tier).toBe('shared')
  }
})

test('every curl example answers with the key that was pasted', async ({ page, request }) => {
  const key = await makeFreeKey(request)
  const symbol = await openExamples(page, '/docs')
  await expect(content(page).getByText(`symbol/${symbol}`)).toBeVisible()
  await keyField(page).fill(`  ${key} `)
  await expect(page.getByText('Used in every example below.')).toBeVisible()
  for (const name of curlExamples) {
    const command = await copied(page, new RegExp(`${name} with curl`))
    expect(command).toContain(`-H 'X-API-Key: ${key}'`)
    const { status, body } = await runCurl(command)
    expect([name, status]).toEqual([name, '200'])
    if (name === 'Stream of changes') expect(body).toContain('event: ready')
    else expect(JSON.parse(body)).toMatchObject({ success: true, rateLimit: { tier: 'free', limit: 1000 } })
  }
  await press(page, 'curl')
  const one = await runCurl(await copied(page, /One price with curl/))
  expect([one.status, JSON.parse(one.body).rateLimit.remaining]).toEqual(['200', 994])
})

test('the examples in JavaScript and in Python run', async ({ page, request }) => {
  const key = await makeFreeKey(request)
  const folder = mkdtempSync(join(tmpdir(), 'chainboard-docs-'))
  try {
    const symbol = await openExamples(page, '/docs')
    await expect(content(page).getByText(`symbol/${symbol}`)).toBeVisible()
    await keyField(page).fill(key)
    const download = await copied(page, /Fetching the client/)
    expect(download).toMatch(/^curl -O 'http/)
    await run('bash', ['-c', `${download} -sf`], { cwd: folder })
    writeFileSync(join(folder, 'example.mjs'), await copied(page, /One price with JavaScript/))
    const { stdout } = await run(process.execPath, ['example.mjs'], plain(folder))
    expect(stdout).toMatch(new RegExp(`^${symbol} [\\d.]+ (priced|stale) [\\d.]+\n999 of 1000 requests left today\n$`))
    await press(page, 'Python')
    writeFileSync(join(folder, 'example.py'), await copied(page, /One price with Python/))
    const python = await run('python3', ['example.py'], plain(folder)).catch((error) => {
      // Not on every machine.
      if (error.code === 'ENOENT') return undefined
      throw error
    })
    if (python) expect(python.stdout).toMatch(new RegExp(`^${symbol} [\\d.]+ (priced|stale) [\\d.]+\n998 requests left today\n$`))
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('Copy says Copied! for two seconds', async ({ page }) => {
  await page.clock.install()
  await page.goto('/docs')
  const button = content(page).getByRole('button', { name: /All prices with curl/ })
  await expect(button).toHaveText('Copy All prices with curl')
  await stopClock(page)
  await button.click()
  await expect(button).toHaveText('Copied! All prices with curl')
  await page.clock.runFor(1_900)
  await expect(button).toHaveText('Copied! All prices with curl')
  await page.clock.runFor(200)
  await expect(button).toHaveText('Copy All prices with curl')
})

test('the key is kept in memory alone, and nothing but a key gets into a command', async ({ page }) => {
  await page.goto('/docs')
  await keyField(page).fill(`x'; touch /tmp/x; '`)
  await expect(page.getByText('A key has only letters and digits, so the examples don’t use this one.')).toBeVisible()
  await expect(content(page).getByText('touch')).toHaveCount(0)
  await keyField(page).fill('cb_short')
  await expect(page.getByText('This doesn’t look like a key. A key is cb_ and 38 letters and digits.')).toBeVisible()
  await expect(content(page).locator('mark').first()).toHaveText('cb_short')
  await expect(keyField(page)).toHaveAttribute('type', 'password')
  await press(page, 'Show the key')
  await expect(keyField(page)).toHaveAttribute('type', 'text')
  const stored = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]))
  expect(stored).not.toContain('cb_short')
  await page.reload()
  await expect(keyField(page)).toHaveValue('')
})

test('addresses lead to a part, and the contents say which is read', async ({ page }) => {
  await page.goto('/docs#errors')
  await expect(page).toHaveTitle('API Documentation · Chainboard')
  const errors = page.getByRole('heading', { name: 'Error Handling' })
  await expect(errors).toBeInViewport()
  const contents = page.getByRole('navigation', { name: 'On this page' })
  await expect(contents.getByRole('link')).toHaveText([
    'Introduction',
    'Authentication',
    'Endpoints',
    'Rate Limits',
    'Error Handling',
    'Code Examples',
  ])
  await expect(contents.locator('[aria-current]')).toHaveText('Error Handling')
  await contents.getByRole('link', { name: 'Rate Limits' }).click()
  await expect(page.getByRole('table', { name: 'Limits' })).toBeInViewport()
  await expect(contents.locator('[aria-current]')).toHaveText('Rate Limits')
  await expect(contents.getByRole('link', { name: 'Introduction' })).toBeInViewport()
  const codes = page.getByRole('table', { name: 'Errors' }).locator('tbody td:nth-child(2)')
  await expect(codes).toHaveText([
    'INVALID_REQUEST',
    'INVALID_API_KEY',
    'KEY_EXPIRED',
    'KEY_INACTIVE',
    'TOKEN_NOT_FOUND',
    'RATE_LIMIT_EXCEEDED',
    'SERVER_ERROR',
    'UNAVAILABLE',
  ])
  await expect(page.getByText('Need help?')).toHaveText('Need help? Write to api@ember.example or ask in the chat channel.')
  await page.getByRole('link', { name: 'generate yours' }).click()
  await expect(page.getByRole('heading', { name: 'Get a free API key' })).toBeInViewport()
})

for (const { device, viewport, hasTouch } of devices) {
  test(`can be used by all: ${device}`, async ({ browser }) => {
    const context = await browser.newContext({ viewport, hasTouch })
    const page = await context.newPage()
    const symbol = await openExamples(page, '/docs')
    await expect(content(page).getByText(`symbol/${symbol}`)).toBeVisible()
    await keyField(page).fill(`cb_${'a'.repeat(38)}`)
    await examine(page, 'docs')
    await press(page, 'Python')
    await examine(page, 'docs in Python')
    await context.close()
  })
}
