import { lazyPart } from '../lib/lazyPart.tsx'
import { homePath } from '../lib/urls.ts'
import { ReceiptPage } from './lazyReceipt.ts'

// Pages whose code comes when they are first shown, or with the first sign that they will be.

/** Pages whose code comes when they are opened. */
export const LoginPage = lazyPart(() => import('./pages/LoginPage.tsx'))
export const AdminPage = lazyPart(() => import('./pages/AdminPage.tsx'))
export const DevelopersPage = lazyPart(() => import('./pages/DevelopersPage.tsx'))
export const DocsPage = lazyPart(() => import('./pages/DocsPage.tsx'))
/** Pages of tokens, pools, wallets and swaps. Every other path leads home. */
export const MarketPages = lazyPart(() => import('./pages/MarketPages.tsx'))
export const PortfolioPage = lazyPart(() => import('./pages/PortfolioPage.tsx'))
export const UsersPage = lazyPart(() => import('./pages/UsersPage.tsx'))

/** Loads the code of a page that the server drew, or is about to draw. @returns undefined when it is there already */
export function loadDrawnPage(path: string): Promise<unknown> | undefined {
  if (path === homePath) return undefined
  return Promise.all([MarketPages.load(), path.endsWith('/receipt') && ReceiptPage.load()])
}

/** When it does not come, showing the page asks again. */
export function fetchLoginAhead(): void {
  LoginPage.load().catch(() => undefined)
}
