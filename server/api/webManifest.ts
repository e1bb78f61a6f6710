import { toSiteTitle } from '@chainboard/core'
import { type HeadSite, pictureTypeOf } from './pageHead.ts'

/** The dark theme's ground (web/app/styles/tokens.css): what a phone shows until the page is there. */
const ground = '#0b0d12'

/** What a phone or a desktop needs to keep the site like an app. */
export function toWebManifest({ siteName, logoPath }: Pick<HeadSite, 'siteName' | 'logoPath'>) {
  const ownIcons = [
    { src: '/favicon.svg', type: 'image/svg+xml', sizes: 'any' },
    { src: '/apple-touch-icon.png', type: 'image/png', sizes: '180x180' },
    // The mark stands within the circle that phones cut out.
    { src: '/icon-512.png', type: 'image/png', sizes: '512x512', purpose: 'any maskable' },
  ]
  const name = toSiteTitle(siteName)
  return {
    name,
    short_name: name,
    id: '/',
    start_url: '/',
    scope: '/',
    display: 'standalone',
    background_color: ground,
    theme_color: ground,
    // A text that is shared with the site is searched for.
    share_target: { action: '/', method: 'GET', params: { text: 'q' } },
    icons: logoPath ? [{ src: logoPath, type: pictureTypeOf(logoPath), sizes: 'any' }] : ownIcons,
  }
}
