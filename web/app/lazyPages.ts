import { lazy } from 'react'

// Pages whose code comes when they are first shown, or with the first sign that they will be.

const loadLoginPage = () => import('./pages/LoginPage.tsx')

/** Pages whose code comes when they are opened. */
export const LoginPage = lazy(loadLoginPage)
export const AdminPage = lazy(() => import('./pages/AdminPage.tsx'))
export const DevelopersPage = lazy(() => import('./pages/DevelopersPage.tsx'))
export const DocsPage = lazy(() => import('./pages/DocsPage.tsx'))
/** Pages of tokens, pools, wallets and swaps. Every other path leads home. */
export const MarketPages = lazy(() => import('./pages/MarketPages.tsx'))
export const PortfolioPage = lazy(() => import('./pages/PortfolioPage.tsx'))
export const UsersPage = lazy(() => import('./pages/UsersPage.tsx'))

/** When it does not come, showing the page asks again. */
export function fetchLoginAhead(): void {
  loadLoginPage().catch(() => undefined)
}
