import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { WireToken } from '@chainboard/contract'
import { startDevnet } from '@chainboard/devnet'
import { expect, type Page } from '@playwright/test'
import { startServerProcess } from '../server/testing/serverProcess.ts'
import { expectHarmless, listen, notTheLogo } from './harm.ts'
import { attacks } from './hostileList.ts'
import { test } from './test.ts'

// The same harm by the way an operator would take it in: a token list of a network's own, read by the server.

const fields = [
  'name',
  'symbol',
  'category',
  'logo',
  'website',
  'X',
  'telegram',
  'cmcUrl',
  'coingeckoUrl',
  'lockTimer',
  'lockUrl',
] as const

/** What a list can say of an attack: figures are none of its business. */
function pickListed(token: Partial<WireToken>): object {
  return Object.fromEntries(fields.flatMap((field) => (token[field] === undefined ? [] : [[field, token[field]]])))
}

/** The devnet's network with a list that means harm, in a folder of its own. */
function writeNetwork(dir: string): void {
  const from = join(import.meta.dirname, '..', 'networks')
  const list = join(dir, 'lists', 'devnet')
  mkdirSync(list, { recursive: true })
  cpSync(join(from, 'devnet.json'), join(dir, 'devnet.json'))
  cpSync(join(from, 'lists', 'devnet', 'logos'), join(list, 'logos'), { recursive: true })
  const tokens = JSON.parse(readFileSync(join(from, 'lists', 'devnet', 'assets.json'), 'utf8')) as { address: string }[]
  // The first is the coin that every price rests on.
  const harmed = tokens.map((token, place) => ({ ...token, ...pickListed(attacks[place]?.token ?? {}) }))
  writeFileSync(join(list, 'assets.json'), JSON.stringify(harmed))
  writeFileSync(join(list, 'highlighted.json'), JSON.stringify(tokens.slice(0, 6).map(({ address }) => address)))
}

async function startHostileServer() {
  const dir = mkdtempSync(join(tmpdir(), 'chainboard-hostile-'))
  writeNetwork(join(dir, 'networks'))
  const devnet = await startDevnet({ history: 'short', live: false })
  const server = startServerProcess({
    RPC_URL: devnet.rpcUrl,
    NETWORKS_DIR: join(dir, 'networks'),
    DATA_DIR: join(dir, 'data'),
    LOG_LEVEL: 'warn',
  })
  return {
    url: (await server.full).replace(/\/$/, ''),
    async stop() {
      server.child.kill('SIGTERM')
      await server.ended
      await devnet.stop()
      rmSync(dir, { recursive: true, force: true })
    },
  }
}

async function findOrder(page: Page): Promise<readonly string[]> {
  const answer = await page.request.get('/assets.json')
  return ((await answer.json()) as WireToken[]).map(({ name }) => name)
}

test('a server with a list that means harm starts, and its pages are whole', async ({ browser }) => {
  test.slow() // a chain and a server of its own
  const { url, stop } = await startHostileServer()
  try {
    for (const width of [390, 1440]) {
      const context = await browser.newContext({ baseURL: url, viewport: { width, height: 900 } })
      const page = await context.newPage()
      const heard = listen(page)
      expect(await findOrder(page)).toEqual(
        expect.arrayContaining(['<script>alert(1)</script>', 'Long'.repeat(2_560), '\u202Egnp.exe']),
      )
      await page.goto('/')
      await expect(page.getByText('<script>alert(1)</script>').first()).toBeVisible()
      await page.getByText('Showing 10 of 16 tokens').scrollIntoViewIfNeeded()
      await expectHarmless(page, `home at ${width}`)
      await page
        .getByRole('region', { name: 'All Tokens' })
        .getByRole('link', { name: /alert\(1\)/ })
        .first()
        .click()
      const details = page.getByRole('dialog')
      await expect(details.getByRole('link', { name: 'View Contract' })).toBeVisible()
      for (const name of ['Website', 'X', 'Telegram', 'View Lock'])
        await expect(details.getByRole('link', { name, exact: true })).toHaveCount(0)
      await expectHarmless(page, `details at ${width}`)
      expect(heard.dialogs).toEqual([])
      expect(heard.complaints.filter(notTheLogo)).toEqual([])
      await context.close()
    }
  } finally {
    await stop()
  }
})
