import { createRootRoute, createRoute, createRouter, redirect } from '@tanstack/react-router'
import { CrashPage } from './CrashPage.tsx'
import { parseSearchText, readHomeSearch, toSearchText } from './homeSearch.ts'
import { HomePage } from './pages/HomePage.tsx'
import { Shell } from './Shell.tsx'

const rootRoute = createRootRoute({ component: Shell })

export const homeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  validateSearch: readHomeSearch,
  component: HomePage,
})

const unknownRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '$',
  beforeLoad: () => {
    throw redirect({ to: '/', replace: true })
  },
})

export const router = createRouter({
  routeTree: rootRoute.addChildren([homeRoute, unknownRoute]),
  defaultErrorComponent: CrashPage,
  parseSearch: parseSearchText,
  stringifySearch: toSearchText,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
