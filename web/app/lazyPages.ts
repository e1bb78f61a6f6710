import { lazy } from 'react'
import { homePath } from '../lib/urls.ts'
import { lazyPage } from './lazyPage.tsx'
import { ReceiptPage } from './lazyReceipt.ts'

// Pages whose code comes when they are first shown, or with the first sign that they will be.

const loadLoginPage = () => import('./pages/LoginPage.tsx')

/** Pages whose code comes when they are opened. */
export const LoginPage = lazy(loadLoginPage)
export const AdminPage = lazy(() => import('./pages/AdminPage.tsx'))
export const DevelopersPage = lazy(() => import('./pages/DevelopersPage.tsx'))
export const DocsPage = lazy(() => import('./pages/DocsPage.tsx'))
/** Pages of tokens, pools, wallets and swaps. Every other path leads home. */
export const MarketPages = lazyPage(() => import('./pages/MarketPages.tsx'))
export const PortfolioPage = lazy(() => import('./pages/PortfolioPage.tsx'))
export const UsersPage = lazy(() => import('./pages/UsersPage.tsx'))

/** Loads the code of a page that the server drew, or is about to draw. @returns undefined when it is there already */
export function loadDrawnPage(path: string): Promise<unknown> | undefined {
  if (path === homePath) return undefined
  return Promise.all([MarketPages.load(), path.endsWith('/receipt') && ReceiptPage.load()])
}

/** When it does not come, showing the page asks again. */
export function fetchLoginAhead(): void {
  loadLoginPage().catch(() => undefined)
}
