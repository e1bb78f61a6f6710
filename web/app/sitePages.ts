import { homePath, portfolioPath, usersPath } from '../lib/urls.ts'

/** Pages of the navigation, in its order. */
export const sitePages: readonly { readonly path: string; readonly text: string }[] = [
  { path: homePath, text: 'Home' },
  { path: portfolioPath, text: 'Portfolio' },
  { path: usersPath, text: 'Users' },
]
