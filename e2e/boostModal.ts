import { expect, type Locator, type Page } from '@playwright/test'
import type { BoostProduct } from './boostProduct.ts'
import { installWallet, type TestWallet } from './testWallet.ts'
import { modal } from './tokenModal.ts'

/** The strip of boosted tokens, as it stands behind a modal, too. */
export const stripOf = (page: Page): Locator => page.locator('section[aria-labelledby=boosted]')
export const cardOf = (page: Page, name: string): Locator => stripOf(page).locator('li').filter({ hasText: name })

/** The one button of the step, whatever it says. */
export const stepButton = (page: Page, name: 'Approve USDC' | 'Boost Token' | 'Extend Boost'): Locator =>
  modal(page).getByRole('button', { name, exact: true })

/** A figure of the modal by its name. */
export const rowOf = (page: Page, term: string): Locator => modal(page).locator('dt', { hasText: term }).locator('+ dd')

/** A page of the product with a wallet in it that is the only one. */
export async function installBoostWallet(
  page: Page,
  { url, devnet }: BoostProduct,
  options: Parameters<typeof installWallet>[2] = {},
): Promise<TestWallet> {
  const config = (await (await page.request.get(`${url}/api/config`)).json()) as object
  await page.route('**/api/config*', (route) => route.fulfill({ json: { ...config, demoWallets: [] } }))
  return installWallet(page, devnet.rpcUrl, options)
}

/** Opens the boost of a token, with a wallet connected that may have been asked for nothing else. */
export async function openBoost(
  page: Page,
  product: BoostProduct,
  symbol: string,
  options: Parameters<typeof installWallet>[2] = {},
): Promise<TestWallet> {
  const wallet = await installBoostWallet(page, product, options)
  await page.goto(`${product.url}/?boost=${product.addressOf(symbol)}`)
  await modal(page).getByRole('button', { name: 'Connect Wallet' }).click()
  await expect(rowOf(page, 'Your USDC Balance')).toContainText('USDC')
  return wallet
}

/** Closes the modal and opens it anew, without loading the page. */
export async function reopenBoost(page: Page, product: BoostProduct, symbol: string): Promise<void> {
  await page.keyboard.press('Escape')
  await expect(modal(page)).toHaveCount(0)
  await page.evaluate((path) => history.pushState(null, '', path), `/?boost=${product.addressOf(symbol)}`)
  await expect(modal(page)).toBeVisible()
}
