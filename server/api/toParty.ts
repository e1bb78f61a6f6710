import { isIP } from 'node:net'
import type { Party } from '../accounts/methods/caller.ts'
import type { Site } from './deps.ts'

/** What this machine calls itself: a name that others may have led here is none of these. */
const ownNames = ['localhost', '127.0.0.1']

/**
 * Under which address a request reached the site, for passkeys and wallets: that of `PUBLIC_URL` whatever the request says, and without
 * it the one that was called, if that is this machine's own.
 * @param host with the port, as the request says
 */
export function toParty({ origin, publicOrigin }: Pick<Site, 'origin' | 'publicOrigin'>, host: string): Party {
  const called = URL.parse(`http://${host}`)
  const url =
    publicOrigin === undefined && called && ownNames.includes(called.hostname) ? called : new URL(publicOrigin ?? origin)
  const isName = isIP(url.hostname.replaceAll(/[[\]]/g, '')) === 0
  return { origin: url.origin, host: url.host, rpId: isName ? url.hostname : undefined }
}
