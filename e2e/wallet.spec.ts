import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, type Page, type Response } from '@playwright/test'
import { findObstacles, openWithClock } from './homePage.ts'
import { test } from './test.ts'
import { alice, bob, devnetId, installWallet } from './testWallet.ts'

type DemoWallet = { readonly name: string; readonly privateKey: string }

const root = join(import.meta.dirname, '..')
const devnet = JSON.parse(readFileSync(join(root, 'networks/devnet.json'), 'utf8')) as { demoWallets: DemoWallet[] }

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' })
const rpcOf = (baseURL: string | undefined) => `${baseURL}/rpc`

/** What of the network's configuration a test changes. */
async function changeConfig(page: Page, changes: object): Promise<void> {
  // Asked for once: a reload in the middle of a call would take its answer away.
  const config = (await (await page.request.get('/api/config')).json()) as object
  await page.route('**/api/config*', (route) => route.fulfill({ json: { ...config, ...changes } }))
}

/** Most stories have no use for the demo wallets. */
const hideDemoWallets = (page: Page) => changeConfig(page, { demoWallets: [] })

function listenForComplaints(page: Page): string[] {
  const complaints: string[] = []
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(String(error)))
  return complaints
}

test.describe('a wallet that is alone', () => {
  test.beforeEach(({ page }) => hideDemoWallets(page))

  test('is connected with one press: address, balance, Disconnect', async ({ page, baseURL }) => {
    const complaints = listenForComplaints(page)
    const wallet = await installWallet(page, rpcOf(baseURL))
    await page.goto('/')
    await button(page, 'Connect Wallet').click()
    await expect(button(page, /0x7099…79C8/)).toContainText(/^Wallet 0x7099…79C8[\d,]+\.\d{3} EMB$/)
    await button(page, /0x7099…79C8/).click()
    const panel = page.getByRole('dialog', { name: 'Your wallet' })
    await expect(panel).toContainText('Test Fox')
    await expect(panel).toContainText(/Balance[\d,]+\.\d{3} EMB/)
    await button(page, 'Disconnect').click()
    await expect(button(page, 'Connect Wallet')).toBeFocused()
    await expect(panel).toBeHidden()
    await expect.poll(() => wallet.asked).toEqual(['eth_requestAccounts', 'wallet_revokePermissions'])
    await page.reload()
    await expect(button(page, 'Connect Wallet')).toBeVisible()
    expect(complaints).toEqual([])
  })

  test('may be the old kind, in window.ethereum', async ({ page, baseURL }) => {
    await installWallet(page, rpcOf(baseURL), { shows: 'legacy' })
    await page.goto('/')
    await button(page, 'Connect Wallet').click()
    await button(page, /0x7099…79C8/).click()
    await expect(page.getByRole('dialog', { name: 'Your wallet' })).toContainText('Browser wallet')
  })

  for (const shows of ['announced', 'legacy'] as const)
    test(`may be a proxy that answers nothing but get, ${shows}`, async ({ page, baseURL }) => {
      await installWallet(page, rpcOf(baseURL), { shows, isProxy: true })
      await page.goto('/')
      await button(page, 'Connect Wallet').click()
      await expect(button(page, /0x7099…79C8/)).toBeVisible()
    })

  test('is there once, when it shows itself in both ways', async ({ page, baseURL }) => {
    await installWallet(page, rpcOf(baseURL), { shows: 'both' })
    await page.goto('/')
    await button(page, 'Connect Wallet').click()
    await expect(button(page, /0x7099…79C8/)).toBeVisible()
  })

  test('shows that it is waiting, can be cancelled, and its late answer changes nothing', async ({ page, baseURL }) => {
    const wallet = await installWallet(page, rpcOf(baseURL))
    const answer = wallet.hold()
    await page.goto('/')
    await button(page, 'Connect Wallet').click()
    await expect(button(page, 'Connecting...')).toHaveAttribute('aria-busy', 'true')
    await expect(page.getByRole('dialog', { name: 'Connect a wallet' })).toContainText('Confirm in your wallet')
    await button(page, 'Cancel').click()
    await expect(button(page, 'Connect Wallet')).toBeFocused()
    answer()
    await wallet.answered('eth_requestAccounts')
    await expect(button(page, 'Connect Wallet')).toBeVisible()
  })

  test('declines: the reason stays, and asking again helps', async ({ page, baseURL }) => {
    const wallet = await installWallet(page, rpcOf(baseURL))
    wallet.decline()
    await page.goto('/')
    await button(page, 'Connect Wallet').click()
    await expect(page.getByRole('alert')).toHaveText('You declined the request in your wallet')
    await expect(button(page, 'Connect Wallet')).toBeVisible()
    await button(page, 'Test Fox').click()
    await expect(button(page, /0x7099…79C8/)).toBeVisible()
  })

  test('fails: the text is the specified one', async ({ page, baseURL }) => {
    const wallet = await installWallet(page, rpcOf(baseURL))
    wallet.breakMethod('eth_requestAccounts')
    await page.goto('/')
    await button(page, 'Connect Wallet').click()
    await expect(page.getByRole('alert')).toHaveText('Failed to connect wallet')
  })

  test('has a balance of 0 when that cannot be read', async ({ page, baseURL }) => {
    const wallet = await installWallet(page, rpcOf(baseURL))
    wallet.breakMethod('eth_getBalance')
    await page.goto('/')
    await button(page, 'Connect Wallet').click()
    await expect(button(page, /0x7099…79C8/)).toHaveText('Wallet 0x7099…79C80 EMB')
  })

  test('changes its account, loses its node, and leaves', async ({ page, baseURL }) => {
    const wallet = await installWallet(page, rpcOf(baseURL))
    await page.goto('/')
    await button(page, 'Connect Wallet').click()
    await expect(button(page, /0x7099…79C8/)).toBeVisible()
    await wallet.changeAccount(bob)
    await expect(button(page, /0xf39F…2266/)).toContainText(/EMB/)
    await wallet.loseNode()
    await wallet.changeAccount(alice)
    await expect(button(page, /0x7099…79C8/)).toBeVisible()
    await wallet.changeAccount(undefined)
    await expect(button(page, 'Connect Wallet')).toBeVisible()
  })

  test('is back after a reload without being asked anything', async ({ page, baseURL }) => {
    const wallet = await installWallet(page, rpcOf(baseURL))
    await page.goto('/')
    await button(page, 'Connect Wallet').click()
    await expect(button(page, /0x7099…79C8/)).toBeVisible()
    await page.reload()
    await expect(button(page, /0x7099…79C8/)).toContainText(/EMB/)
    expect(wallet.asked).toEqual(['eth_requestAccounts'])
    await wallet.changeAccount(undefined)
    await expect(button(page, 'Connect Wallet')).toBeVisible()
    await page.reload()
    await expect(button(page, 'Connect Wallet')).toBeVisible()
  })

  test('is not torn out of a request by the reload after five minutes', async ({ page, baseURL }) => {
    const wallet = await installWallet(page, rpcOf(baseURL))
    const answer = wallet.hold()
    let loads = 0
    page.on('load', () => {
      loads += 1
    })
    await openWithClock(page)
    await button(page, 'Connect Wallet').click()
    await expect(button(page, 'Connecting...')).toBeVisible()
    await page.mouse.click(5, 300)
    await expect(page.getByRole('dialog')).toBeHidden()
    await page.clock.fastForward('30:00')
    await page.clock.fastForward('00:06')
    expect(loads).toBe(1)
    // The page may reload right after the answer.
    const reloaded = page.waitForEvent('load')
    answer()
    await expect(button(page, /0x7099…79C8/)).toBeVisible()
    await page.clock.fastForward('00:06')
    await reloaded
    expect(loads).toBe(2)
  })
})

test.describe('a wallet on another chain', () => {
  test.beforeEach(({ page }) => hideDemoWallets(page))

  test('is told about ours and brought to it', async ({ page, baseURL }) => {
    const wallet = await installWallet(page, rpcOf(baseURL), { chainId: 1 })
    await page.goto('/')
    await button(page, 'Connect Wallet').click()
    const panel = page.getByRole('dialog', { name: 'Wrong network' })
    await expect(panel).toContainText('0x7099…79C8')
    wallet.decline()
    await button(page, 'Switch to Chainboard Devnet').click()
    await expect(panel.getByRole('alert')).toHaveText('You declined the request in your wallet')
    await button(page, 'Switch to Chainboard Devnet').click()
    await expect(button(page, /0x7099…79C8/)).toContainText(/EMB/)
    await expect(panel).toBeHidden()
    expect(wallet.added).toEqual([
      {
        chainId: '0x7a69',
        chainName: 'Chainboard Devnet',
        nativeCurrency: { name: 'Ember', symbol: 'EMB', decimals: 18 },
        rpcUrls: [rpcOf(baseURL)],
        blockExplorerUrls: ['https://explorer.ember.example'],
      },
    ])
  })

  test('goes away and comes back', async ({ page, baseURL }) => {
    const wallet = await installWallet(page, rpcOf(baseURL))
    await page.goto('/')
    await button(page, 'Connect Wallet').click()
    await expect(button(page, /0x7099…79C8/)).toContainText(/EMB/)
    await wallet.changeChain(1)
    await expect(button(page, 'Wrong network')).toBeVisible()
    await button(page, 'Wrong network').click()
    await expect(button(page, 'Switch to Chainboard Devnet')).toBeVisible()
    await wallet.changeChain(devnetId)
    await expect(button(page, /0x7099…79C8/)).toContainText(/EMB/)
    await expect(page.getByRole('dialog')).toBeHidden()
  })
})

test.describe('several wallets', () => {
  test('are chosen from; who chooses none is not connected', async ({ page, baseURL }) => {
    await hideDemoWallets(page)
    await installWallet(page, rpcOf(baseURL))
    await installWallet(page, rpcOf(baseURL), { name: '\u202EOwl <b>', rdns: 'example.owl', chainId: 1 })
    await page.goto('/')
    await button(page, 'Connect Wallet').click()
    const panel = page.getByRole('dialog', { name: 'Connect a wallet' })
    await expect(panel.getByRole('listitem')).toHaveText(['Test Fox', 'Owl <b>'])
    await page.mouse.click(5, 300)
    await expect(panel).toBeHidden()
    await expect(button(page, 'Connect Wallet')).toBeVisible()
    await button(page, 'Connect Wallet').click()
    await panel.getByRole('button', { name: 'Owl <b>' }).click()
    await expect(page.getByRole('dialog', { name: 'Wrong network' })).toBeVisible()
  })

  test('need only a keyboard', async ({ page, baseURL }) => {
    await hideDemoWallets(page)
    await installWallet(page, rpcOf(baseURL))
    await installWallet(page, rpcOf(baseURL), { name: 'Owl', rdns: 'example.owl' })
    await page.goto('/')
    await button(page, 'Connect Wallet').focus()
    await page.keyboard.press('Enter')
    const panel = page.getByRole('dialog', { name: 'Connect a wallet' })
    await expect(panel).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(panel).toBeHidden()
    await expect(button(page, 'Connect Wallet')).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(panel).toBeFocused()
    await expect(panel.getByRole('listitem')).toHaveCount(2)
    for (const name of ['Close', 'Test Fox', 'Owl']) {
      await page.keyboard.press('Tab')
      await expect(button(page, name)).toBeFocused()
    }
    await page.keyboard.press('Enter')
    const connected = button(page, /0x7099…79C8/)
    await expect(connected).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('dialog', { name: 'Your wallet' })).toBeFocused()
    for (const name of ['Close', 'Copy your address', 'Disconnect']) {
      await page.keyboard.press('Tab')
      await expect(button(page, name)).toBeFocused()
    }
    await page.keyboard.press('Enter')
    await expect(button(page, 'Connect Wallet')).toBeFocused()
  })
})

test('without any wallet the visitor is told so', async ({ page }) => {
  const chunks: string[] = []
  page.on('response', (response: Response) => chunks.push(response.url()))
  await hideDemoWallets(page)
  await page.goto('/')
  await button(page, 'Connect Wallet').click()
  await expect(page.getByRole('alert')).toHaveText('MetaMask is not installed')
  await expect(button(page, 'Connect Wallet')).toBeVisible()
  expect(chunks.filter((url) => /walletEngine/.test(url))).toHaveLength(1)
  expect(chunks.filter((url) => /demoWallet/.test(url))).toEqual([])
})

test.describe("the devnet's demo wallet", () => {
  test('is announced like any other, connects at once, signs and sends', async ({ page, request }) => {
    const complaints = listenForComplaints(page)
    await page.goto('/')
    await button(page, 'Connect Wallet').click()
    await expect(page.getByRole('dialog').getByRole('listitem')).toHaveText(['Demo wallet', 'Demo operator'])
    await button(page, 'Demo wallet').click()
    await expect(button(page, /0x7099…79C8/)).toContainText(/EMB/)
    const { signature, hash } = await page.evaluate(
      async ([from, to]) => {
        type Provider = { request(call: { method: string; params: unknown[] }): Promise<string> }
        const { promise, resolve } = Promise.withResolvers<Provider>()
        addEventListener('eip6963:announceProvider', (event) => {
          const { info, provider } = (event as CustomEvent<{ info: { rdns: string }; provider: Provider }>).detail
          if (info.rdns === 'board.demo.1') resolve(provider)
        })
        dispatchEvent(new Event('eip6963:requestProvider'))
        const provider = await promise
        return {
          signature: await provider.request({ method: 'personal_sign', params: ['0x68656c6c6f', from] }),
          hash: await provider.request({ method: 'eth_sendTransaction', params: [{ from, to, value: '0x1' }] }),
        }
      },
      [alice, bob] as const,
    )
    expect(signature).toMatch(/^0x[0-9a-f]{130}$/)
    const readReceipt = async () => {
      const data = { jsonrpc: '2.0', id: 1, method: 'eth_getTransactionReceipt', params: [hash] }
      const { result } = (await (await request.post('/rpc', { data })).json()) as { result?: { from: string; status: string } }
      return result && { from: result.from, status: result.status }
    }
    await expect.poll(readReceipt).toEqual({ from: alice.toLowerCase(), status: '0x1' })
    await page.reload()
    await expect(button(page, /0x7099…79C8/)).toContainText(/EMB/)
    expect(complaints).toEqual([])
  })

  test('has its keys in no file of the page', async ({ page }) => {
    const assets = join(root, 'web/dist/assets')
    const scripts = readdirSync(assets).filter((file) => file.endsWith('.js'))
    expect(scripts.filter((file) => file.startsWith('demoWallet'))).toHaveLength(1)
    expect(devnet.demoWallets).toHaveLength(2)
    for (const { privateKey } of devnet.demoWallets)
      expect(scripts.filter((file) => readFileSync(join(assets, file), 'utf8').includes(privateKey.slice(2, 20)))).toEqual([])
    // These are the files that are served.
    await page.goto('/')
    for (const src of await page
      .locator('script[src^="/assets/"]')
      .evaluateAll((found) => found.map((each) => (each as HTMLScriptElement).src)))
      expect(scripts).toContain(new URL(src).pathname.slice('/assets/'.length))
  })
})

for (const [device, viewport] of [
  ['phone', { width: 390, height: 844 }],
  ['desktop', { width: 1440, height: 900 }],
] as const) {
  test(`can be used by all: ${device}`, async ({ browser, baseURL }) => {
    // Five looks with the whole set of rules.
    test.slow()
    const context = await browser.newContext({ viewport, hasTouch: device === 'phone' })
    const page = await context.newPage()
    const examine = async (name: string) => {
      const sideways = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
      expect(sideways, `${name} scrolls sideways`).toBeLessThanOrEqual(0)
      // The table behind is the same in each look.
      expect([name, await findObstacles(page, name === 'choice' ? undefined : 'main')]).toEqual([name, []])
    }
    const wallet = await installWallet(page, rpcOf(baseURL), { chainId: 1 })
    await page.goto('/')
    await expect(page.getByText('Showing 10 of 16 tokens')).toBeVisible()
    if (device === 'phone') await button(page, 'Menu').click()
    await button(page, 'Connect Wallet').click()
    await expect(button(page, 'Demo operator')).toBeVisible()
    await examine('choice')
    wallet.decline()
    await button(page, 'Test Fox').click()
    await expect(page.getByRole('alert')).toHaveText('You declined the request in your wallet')
    await examine('declined')
    const answer = wallet.hold()
    await button(page, 'Test Fox').click()
    await expect(page.getByText('Connecting...').filter({ visible: true })).toBeVisible()
    await examine('connecting')
    answer()
    await expect(button(page, 'Switch to Chainboard Devnet')).toBeVisible()
    await examine('wrong network')
    await button(page, 'Switch to Chainboard Devnet').click()
    if (device === 'desktop') await button(page, /0x7099…79C8/).click()
    await expect(
      page
        .getByText(/^[\d,]+\.\d{3} EMB$/)
        .filter({ visible: true })
        .last(),
    ).toBeVisible()
    await examine('connected')
    await button(page, 'Disconnect').click()
    await expect(button(page, 'Connect Wallet')).toBeFocused()
    await context.close()
  })
}
