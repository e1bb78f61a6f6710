// `npm run pictures`: starts the devnet site and takes the README's pictures of it, in both themes, into docs/pictures/.
import { spawn } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { type Browser, chromium } from '@playwright/test'
import { browserFlags, browserPath } from './browser.ts'
import { findFreePort } from './freePort.ts'
import { makeSiteEnv } from './suite/siteEnv.ts'

const root = resolve(import.meta.dirname, '..')
const folder = join(root, 'docs', 'pictures')
/** A laptop's window, high enough to show the boosted tokens. */
const viewport = { width: 1280, height: 960 }
const themes = ['dark', 'light'] as const
/** Until the prices of the first minute and the strips have settled. */
const settleMs = 3_000

const port = String(await findFreePort())
const site = spawn('node', ['tools/start.ts'], {
  cwd: root,
  env: { ...process.env, ...makeSiteEnv(port), NETWORK: 'devnet' },
  stdio: ['ignore', 'pipe', 'inherit'],
})
try {
  const url = await untilReady()
  const browser = await chromium.launch({ ...(browserPath ? { executablePath: browserPath } : {}), args: [...browserFlags] })
  mkdirSync(folder, { recursive: true })
  for (const theme of themes) await take(browser, url, theme)
  await browser.close()
} finally {
  const ended = new Promise((done) => site.once('exit', done))
  if (site.exitCode === null && site.kill('SIGINT')) await ended
}

/** The address of the site, once it has all of its data. @throws Error when the site ends before */
function untilReady(): Promise<string> {
  return new Promise((ready, failed) => {
    site.once('exit', (code) => failed(new Error(`The site exited with ${code} before it was ready`)))
    createInterface({ input: site.stdout }).on('line', (line) => {
      const url = /^Chainboard is ready: (http:\S+)/.exec(line)?.[1]
      if (url) ready(url)
    })
  })
}

/** Home, and the chart of a token, as `<name>-<theme>.png`. */
async function take(browser: Browser, url: string, theme: (typeof themes)[number]): Promise<void> {
  const page = await browser.newPage({ viewport, colorScheme: theme, reducedMotion: 'reduce' })
  await page.goto(url)
  await page.getByRole('row').nth(5).waitFor()
  await page.waitForTimeout(settleMs)
  await page.screenshot({ path: join(folder, `home-${theme}.png`) })
  await page.getByRole('button', { name: 'Price chart of BSLT' }).first().click()
  await page.getByRole('dialog').getByText('Current Price').waitFor()
  await page.waitForTimeout(settleMs)
  await page.screenshot({ path: join(folder, `chart-${theme}.png`) })
  await page.close()
}
