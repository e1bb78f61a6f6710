import { type BrowserContext, expect, type Page } from '@playwright/test'
import { type Owner, type RemoteWallet, startRemoteWallet } from '../server/testing/remoteWallet.ts'
import { startWalletRelay, type WalletRelay } from '../server/testing/walletRelay.ts'
import { rowOf, stepButton } from './boostModal.ts'
import { type BoostProduct, startBoostProduct } from './boostProduct.ts'
import { findObstacles } from './homePage.ts'
import { test } from './test.ts'
import { devnetId } from './testWallet.ts'
import { modal } from './tokenModal.ts'

// A wallet on another device: the product's page, WalletConnect's own client as the wallet, and a relay of this machine between them.

test.describe.configure({ mode: 'serial' })

const aliceKey = '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d'
const projectId = 'c4f79cc821944d9680842e34466bfb1d'
let product: BoostProduct
let relay: WalletRelay
const wallets: RemoteWallet[] = []

test.beforeAll(async () => {
  relay = await startWalletRelay()
  product = await startBoostProduct({ walletConnect: { projectId, relayUrl: relay.url } })
})
test.afterAll(async () => {
  await Promise.all(wallets.map((wallet) => wallet.stop()))
  await product.stop()
  await relay.stop()
})

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' })
const row = (page: Page) => page.getByRole('listitem').getByRole('button', { name: 'WalletConnect' })

async function startWallet(owner: Partial<Owner> = {}): Promise<RemoteWallet> {
  const wallet = await startRemoteWallet(relay.url, {
    privateKey: aliceKey,
    chains: [devnetId, 1],
    rpcUrl: product.devnet.rpcUrl,
    ...owner,
  })
  wallets.push(wallet)
  return wallet
}

/** The hosts that pages of a browser contact, and what they complain about. */
function watch(context: BrowserContext) {
  const hosts = new Set<string>()
  const complaints: string[] = []
  const files: string[] = []
  context.on('page', (page) => {
    page.on('websocket', (socket) => hosts.add(new URL(socket.url()).host))
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
    page.on('pageerror', (error) => complaints.push(String(error)))
  })
  context.on('request', (request) => {
    const { host, pathname, protocol } = new URL(request.url())
    if (protocol !== 'data:') hosts.add(host)
    files.push(pathname)
  })
  return { hosts, complaints, files }
}

/** What the site keeps of sessions in this browser. */
const keptOf = (page: Page) => page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('wallet')))

test('a wallet scans the code, pays for a boost, is there after a reload and in another tab, and is left in all', async ({
  browser,
}) => {
  const context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] })
  const { hosts, complaints, files } = watch(context)
  const wallet = await startWallet({ name: '\u202EPocket <b>' })
  const page = await context.newPage()
  await page.goto(`${product.url}/?boost=${product.addressOf('BSLT')}`)
  await modal(page).getByRole('button', { name: 'Connect Wallet' }).click()
  await expect(row(page)).toBeVisible()
  expect(relay.connections).toEqual([])
  expect(files.filter((file) => /openSession|PairingView/.test(file))).toEqual([])

  await row(page).click()
  await expect(page.getByRole('img', { name: "QR code for your wallet's app" })).toBeVisible()
  await expect(page.getByText(/^Valid for (5:00|4:5\d)$/)).toBeVisible()
  expect(await findObstacles(page, undefined, '[role=dialog]')).toEqual([])
  await button(page, 'Copy link').click()
  await wallet.pair(await page.evaluate(() => navigator.clipboard.readText()))
  await expect(rowOf(page, 'Your USDC Balance')).toContainText('25,000 USDC')
  await stepButton(page, 'Approve USDC').click()
  await stepButton(page, 'Boost Token').click()
  await expect(modal(page).getByRole('heading', { name: 'Boost Successful!' })).toBeVisible()
  expect(wallet.asked.map(({ method }) => method)).toEqual(['eth_sendTransaction', 'eth_sendTransaction'])

  await page.goto(`${product.url}/developers`)
  await expect(button(page, /0x7099…79C8/).first()).toBeVisible()
  await button(page, 'Sign and generate key').click()
  await expect(page.locator('[data-key]')).toBeVisible()
  expect(wallet.asked.at(-1)?.method).toBe('personal_sign')

  const second = await context.newPage()
  await second.goto(product.url)
  await button(second, /0x7099…79C8/).click()
  const panel = second.getByRole('dialog', { name: 'Your wallet' })
  await expect(panel.getByText('Pocket <b>', { exact: true })).toBeVisible()
  await panel.getByRole('button', { name: 'Disconnect' }).click()
  await expect(button(page, 'Connect Wallet').first()).toBeVisible()
  await expect.poll(() => wallet.sessions()).toEqual([])
  await expect.poll(() => keptOf(page)).toEqual([])
  expect([...hosts].toSorted()).toEqual([new URL(product.url).host, new URL(relay.url).host].toSorted())
  expect(complaints).toEqual([])
  await context.close()
})

test('on a phone it is a link; what goes wrong is said, and can be tried again', async ({ browser }) => {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })
  const page = await context.newPage()
  await page.clock.install()
  const wallet = await startWallet({ chains: [1] })
  const linkOf = async () => (await page.getByRole('link', { name: 'Open wallet app' }).getAttribute('href')) ?? ''
  relay.turn('silent')
  await page.goto(product.url)
  await button(page, 'Menu').click()
  await button(page, 'Connect Wallet').click()
  await row(page).click()
  await expect(page.getByText('Connecting to WalletConnect')).toBeVisible()
  await expect.poll(() => relay.clients('browser')).toBe(1)
  await page.clock.fastForward(10_000)
  await expect(page.getByRole('alert')).toContainText('WalletConnect did not answer (127.0.0.1:')
  expect(await findObstacles(page, 'main')).toEqual([])
  await expect.poll(() => relay.clients('browser')).toBe(0)

  relay.turn('fair')
  await button(page, 'Retry').click()
  const first = await linkOf()
  expect(first).toMatch(/^wc:[0-9a-f]{64}@2\?relay-protocol=irn&symKey=[0-9a-f]{64}&expiryTimestamp=\d+$/)
  await expect(page.getByRole('img', { name: /QR code/ })).toHaveCount(0)
  expect(await findObstacles(page, 'main')).toEqual([])
  await page.clock.fastForward('05:01')
  await expect(page.getByRole('alert')).toHaveText('The code has expired. No wallet was connected.')
  await button(page, 'New code').click()
  await expect.poll(linkOf).not.toBe(first)

  wallet.decline()
  await wallet.pair(await linkOf())
  await expect(page.getByRole('alert')).toHaveText('You declined the request in your wallet')
  await row(page).click()
  await wallet.pair(await linkOf())
  await expect(page.getByText('Your wallet is on another network. This site uses Chainboard Devnet.')).toBeVisible()
  await wallet.update([devnetId])
  await expect(
    page
      .getByText(/^[\d,]+\.\d{3} EMB$/)
      .filter({ visible: true })
      .last(),
  ).toBeVisible()
  await wallet.leave()
  await expect(button(page, 'Connect Wallet')).toBeVisible()
  await expect.poll(() => keptOf(page)).toEqual([])

  await button(page, 'Connect Wallet').click()
  await row(page).click()
  await expect(page.getByRole('link', { name: 'Open wallet app' })).toBeVisible()
  await button(page, 'Cancel').click()
  await expect(button(page, 'Connect Wallet')).toBeVisible()
  await expect.poll(() => relay.clients('browser')).toBe(0)
  await context.close()
})
