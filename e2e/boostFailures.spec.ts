import { expect, type Page } from '@playwright/test'
import { openBoost, reopenBoost, rowOf, stepButton } from './boostModal.ts'
import { type BoostProduct, describeCall, highFees, startBoostProduct } from './boostProduct.ts'
import { test } from './test.ts'
import { alice, carol, devnetId } from './testWallet.ts'
import { modal } from './tokenModal.ts'

// Whatever keeps a boost from being paid, done to a chain for real, and the words for it.

test.describe.configure({ mode: 'default' })

let product: BoostProduct
test.beforeAll(async () => {
  product = await startBoostProduct()
})
test.afterAll(() => product.stop())
test.beforeEach(() => product.approve(alice, 0n))

const price = 25_000_000n
const buttons = (page: Page) => modal(page).getByRole('button', { name: /Approve USDC|Boost Token|Extend Boost/ })
const failure = (page: Page) => modal(page).getByRole('alert').filter({ hasText: 'Transaction Failed' })
const words = (page: Page, text: string) => modal(page).getByText(text, { exact: true })

test('nobody pays while the owner has paused the contract, or does not take USDC', async ({ page }) => {
  await product.own('pause')
  await openBoost(page, product, 'BSLT')
  await expect(words(page, 'Boost contract is currently paused. Please try again later.')).toBeVisible()
  await expect(rowOf(page, 'Boost Cost')).toHaveText('25 USDC')
  await expect(buttons(page)).toHaveCount(0)
  await product.own('unpause')
  await product.own('setPaymentToken', [product.usdc, false])
  await reopenBoost(page, product, 'BSLT')
  await expect(words(page, 'USDC is not currently accepted as payment. Please contact support.')).toBeVisible()
  await expect(rowOf(page, 'Boost Cost')).toHaveText('25 USDC')
  await expect(buttons(page)).toHaveCount(0)
  await product.own('setPaymentToken', [product.usdc, true])
  await reopenBoost(page, product, 'BSLT')
  await expect(stepButton(page, 'Approve USDC')).toBeVisible()
})

test('a balance below the price is said, and another account of the wallet may have more', async ({ page }) => {
  const wallet = await openBoost(page, product, 'BSLT', { account: carol })
  await expect(words(page, 'Insufficient USDC Balance')).toBeVisible()
  await expect(words(page, 'You need 25 USDC to boost this token. Current balance: 0 USDC')).toBeVisible()
  await expect(rowOf(page, 'Your USDC Balance')).toHaveText('0 USDC')
  await expect(buttons(page)).toHaveCount(0)
  await product.approve(alice, price)
  await wallet.changeAccount(alice)
  await expect(rowOf(page, 'Your USDC Balance')).toHaveText('25,000 USDC')
  await expect(stepButton(page, 'Boost Token')).toBeVisible()
  await wallet.changeAccount(undefined)
  await expect(words(page, 'Wallet Not Connected')).toBeVisible()
  await expect(buttons(page)).toHaveCount(0)
})

test('a visitor may decline either step, and try again: the button stays under the finger', async ({ page }) => {
  const wallet = await openBoost(page, product, 'BSLT')
  const placeOf = (name: 'Approve USDC' | 'Boost Token') => stepButton(page, name).boundingBox()
  const atFirst = await placeOf('Approve USDC')
  wallet.decline()
  await stepButton(page, 'Approve USDC').click()
  await expect(failure(page)).toHaveText('Transaction FailedYou declined the request in your wallet')
  expect(await placeOf('Approve USDC')).toEqual(atFirst)
  await stepButton(page, 'Approve USDC').click()
  await expect(failure(page)).toHaveCount(0)
  await expect(stepButton(page, 'Boost Token')).toBeVisible()
  await page.setViewportSize({ width: 390, height: 800 })
  const onPhone = await placeOf('Boost Token')
  wallet.decline()
  await stepButton(page, 'Boost Token').click()
  await expect(failure(page)).toHaveText('Transaction FailedYou declined the request in your wallet')
  expect(await placeOf('Boost Token')).toEqual(onPhone)
  expect(await product.allowance(alice)).toBe(price)
  wallet.breakMethod('eth_sendTransaction')
  await stepButton(page, 'Boost Token').click()
  await expect(failure(page)).toHaveText('Transaction FailedInternal error')
})

test('an approval is said for a second before the next step', async ({ page }) => {
  await page.clock.install()
  await openBoost(page, product, 'BSLT')
  await expect(stepButton(page, 'Approve USDC')).toBeVisible()
  await page.clock.pauseAt(new Date(Date.now() + 3_600_000))
  await stepButton(page, 'Approve USDC').click()
  const approved = modal(page).getByRole('button', { name: 'USDC approved' })
  await expect(async () => {
    await page.clock.runFor(20)
    await expect(approved).toBeVisible({ timeout: 100 })
  }).toPass({ intervals: [10] })
  await page.clock.runFor(950)
  await expect(approved).toBeVisible()
  await page.clock.runFor(50)
  await expect(stepButton(page, 'Boost Token')).toBeVisible()
})

test('an approval that was taken back leads back to the first step', async ({ page }) => {
  await product.approve(alice, price)
  const wallet = await openBoost(page, product, 'BSLT')
  await expect(stepButton(page, 'Boost Token')).toBeVisible()
  await product.approve(alice, price - 1n)
  await stepButton(page, 'Boost Token').click()
  await expect(modal(page).getByRole('status')).toContainText('Your approval no longer covers the price. Approve USDC again.')
  await expect(stepButton(page, 'Approve USDC')).toBeVisible()
  expect(wallet.sent).toEqual([])
})

test('a boost that the chain refuses in its block says why, with its transaction', async ({ page }) => {
  await product.approve(alice, price)
  const wallet = await openBoost(page, product, 'BSLT')
  await product.holdBlocks(true)
  await stepButton(page, 'Boost Token').click()
  await expect.poll(() => product.waiting(alice)).toHaveLength(1)
  const [hash = ''] = await product.waiting(alice)
  await product.own('pause')
  await product.mine()
  await product.holdBlocks(false)
  await expect(failure(page)).toContainText('Boost contract is currently paused. Please try again later.')
  await expect(failure(page).getByRole('link')).toHaveAttribute('href', `https://explorer.ember.example/tx/${hash}`)
  expect(describeCall(wallet.sent[0]?.['data'])).toEqual(['boostToken', product.addressOf('BSLT'), product.usdc])
  await product.own('unpause')
})

/** Another transaction in place of the one of Alice that waits. */
async function replace(call: { readonly to: string; readonly data: `0x${string}` }): Promise<string> {
  const nonce = await product.devnet.rpc<string>('eth_getTransactionCount', [alice, 'latest'])
  return product.send(alice, { ...call, nonce, ...highFees })
}

test('a transaction that the wallet cancels or replaces is not waited for, one that it speeds up is followed', async ({
  page,
}) => {
  const wallet = await openBoost(page, product, 'BSLT')
  const link = modal(page).getByRole('link', { name: /^Transaction/ })
  const press = async () => {
    await stepButton(page, 'Approve USDC').click()
    await expect.poll(() => product.waiting(alice)).toHaveLength(1)
    await expect(modal(page).getByRole('button', { name: 'Approving…' })).toHaveAttribute('aria-busy', 'true')
    await expect(link).toHaveAttribute('href', `https://explorer.ember.example/tx/${(await product.waiting(alice))[0]}`)
  }
  await product.holdBlocks(true)
  for (const [call, text] of [
    [{ to: alice, data: '0x' }, 'You cancelled the transaction in your wallet'],
    [{ to: carol, data: '0x' }, 'Your wallet replaced this transaction with another one'],
  ] as const) {
    await press()
    await replace(call)
    await product.mine()
    await expect(failure(page)).toContainText(text)
  }
  await press()
  const { to = '', data } = wallet.sent.at(-1) ?? {}
  const hash = await replace({ to, data: data as `0x${string}` })
  await product.mine()
  await expect(link).toHaveAttribute('href', `https://explorer.ember.example/tx/${hash}`)
  await expect(stepButton(page, 'Boost Token')).toBeVisible()
  await product.holdBlocks(false)
})

test('a transaction that the network drops is said to be dropped', async ({ page }) => {
  await page.clock.install()
  await openBoost(page, product, 'BSLT')
  await product.holdBlocks(true)
  await stepButton(page, 'Approve USDC').click()
  await expect.poll(() => product.waiting(alice)).toHaveLength(1)
  const [hash] = await product.waiting(alice)
  await product.devnet.rpc('anvil_dropTransaction', [hash])
  await expect(async () => {
    await page.clock.fastForward('00:06')
    await expect(failure(page)).toContainText('The network dropped this transaction.', { timeout: 500 })
  }).toPass()
  await product.holdBlocks(false)
})

test('a wallet on another chain is brought to this one first', async ({ page }) => {
  const wallet = await openBoost(page, product, 'BSLT', { chainId: 1 })
  await expect(words(page, 'Wrong network')).toBeVisible()
  await expect(buttons(page)).toHaveCount(0)
  wallet.decline()
  await modal(page).getByRole('button', { name: 'Switch to Chainboard Devnet' }).click()
  await expect(words(page, 'You declined the request in your wallet')).toBeVisible()
  await modal(page).getByRole('button', { name: 'Switch to Chainboard Devnet' }).click()
  await expect(stepButton(page, 'Approve USDC')).toBeVisible()
  // It leaves while it is asked: nothing is paid.
  await wallet.changeChain(1)
  await expect(buttons(page)).toHaveCount(0)
  await wallet.changeChain(devnetId)
  await expect(stepButton(page, 'Approve USDC')).toBeVisible()
})

/** What the node says to a call of a contract, by its selector; `undefined` lets it through. */
async function alterNode(page: Page, answer: (selector: string) => object | undefined): Promise<void> {
  await page.route('**/rpc*', async (route) => {
    const { method, params, id } = route.request().postDataJSON() as { method: string; params: [{ data: string }]; id: number }
    const json = method === 'eth_call' ? answer(params[0].data.slice(0, 10)) : undefined
    return json ? route.fulfill({ json: { jsonrpc: '2.0', id, ...json } }) : route.continue()
  })
}

const refused = { error: { code: -32_603, message: 'The node is not responding' } }

test('a silent node is said to be silent, and asked again', async ({ page }) => {
  let silent = true
  await alterNode(page, () => (silent ? refused : undefined))
  await page.goto(`${product.url}/?boost=${product.addressOf('BSLT')}`)
  await expect(words(page, 'Failed to check wallet balance and contract status')).toBeVisible()
  silent = false
  await modal(page).getByRole('button', { name: 'Try Again' }).click()
  await expect(rowOf(page, 'Boost Cost')).toHaveText('25 USDC')
  await expect(words(page, 'Failed to check wallet balance and contract status')).toHaveCount(0)
})

const paused = '0x5c975abb'
const isPaymentTokenAllowed = '0x8de1de71'
const prices = ['0xd05f40f1', '0x988590a5']
const allowance = '0xdd62ed3e'
const balanceOf = '0x70a08231'

test('a figure that cannot be read counts for the worst', async ({ page }) => {
  await product.approve(alice, price)
  let broken: readonly string[] = []
  await alterNode(page, (selector) => (broken.includes(selector) ? refused : undefined))
  await openBoost(page, product, 'BSLT')
  await expect(stepButton(page, 'Boost Token')).toBeVisible()
  for (const [selectors, text] of [
    [[paused], 'Boost contract is currently paused. Please try again later.'],
    [[isPaymentTokenAllowed], 'USDC is not currently accepted as payment. Please contact support.'],
    [prices, 'Failed to fetch boost price'],
    [[balanceOf], 'You need 25 USDC to boost this token. Current balance: 0 USDC'],
  ] as const) {
    broken = selectors
    await reopenBoost(page, product, 'BSLT')
    await expect(words(page, text)).toBeVisible()
    await expect(rowOf(page, 'Boost Cost')).toHaveText(selectors === prices ? '0 USDC' : '25 USDC')
    await expect(buttons(page)).toHaveCount(0)
  }
  broken = [allowance]
  await reopenBoost(page, product, 'BSLT')
  await expect(stepButton(page, 'Approve USDC')).toBeVisible()
})

test('a chain without a boost contract offers no boosts', async ({ page }) => {
  const config = (await (await page.request.get(`${product.url}/api/config`)).json()) as object
  await page.route('**/api/config*', (route) => route.fulfill({ json: { ...config, boost: null } }))
  await page.goto(`${product.url}/?boost=${product.addressOf('BSLT')}`)
  await expect(modal(page)).toContainText('Tokens on this chain cannot be boosted.')
  await page.keyboard.press('Escape')
  await expect(page.getByText('Showing 10 of 16 tokens')).toBeVisible()
  await expect(page.getByRole('heading', { level: 2 })).toHaveText(['Trending', 'Featured', 'All Tokens'])
  await expect(page.getByRole('button', { name: /^Boost / })).toHaveCount(0)
})
