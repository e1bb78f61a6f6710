import { Suspense, useEffect, useEffectEvent } from 'react'
import { Route, Switch } from 'wouter'
import { useHydrated, useTake } from '../lib/hydration.tsx'
import { adminPath, developersPath, docsPath, homePath, loginPath, portfolioPath, usersPath } from '../lib/urls.ts'
import { previewFeatured } from '../slices/tokens/FeaturedGrid.tsx'
import { AdminPage, DevelopersPage, DocsPage, LoginPage, MarketPages, PortfolioPage, UsersPage } from './lazyPages.ts'
import { HomePage } from './pages/HomePage.tsx'

/** Which page an address shows. */
export function Pages() {
  return (
    <Suspense fallback={<div className="min-h-[calc(100dvh-3.5rem)]" />}>
      <Switch>
        <Route path={homePath}>
          <HomePage />
        </Route>
        <Route path={loginPath}>
          <LoginPage />
        </Route>
        <Route path={portfolioPath}>
          <PortfolioPage />
        </Route>
        <Route path={developersPath}>
          <DevelopersPage />
        </Route>
        <Route path={docsPath}>
          <DocsPage />
        </Route>
        <Route path={adminPath}>
          <AdminPage featuredPreview={previewFeatured} />
        </Route>
        <Route path={usersPath}>
          <UsersPage />
        </Route>
        <Route>
          <MarketPages />
        </Route>
      </Switch>
      <Taken />
    </Suspense>
  )
}

/** Its effect comes when the page is this browser's: what public/theme.js keeps out of sight may be seen then, and what was pressed is done. */
function Taken() {
  const hydrated = useHydrated()
  const take = useEffectEvent(useTake())
  useEffect(() => {
    if (!hydrated) return take()
    document.documentElement.removeAttribute('data-drawn')
    // React hears of no press while it draws.
    setTimeout(() => dispatchEvent(new Event('taken')))
  }, [hydrated])
  return null
}
