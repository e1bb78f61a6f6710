import { isIP } from 'node:net'
import { isSameOrigin, type RequestSource, type SiteAddress } from './isSameOrigin.ts'

/**
 * Whether a call of the node's JSON-RPC comes from where `"rpc": "site"` lets it come from. Refused are pages of other sites: a browser says
 * whose page calls, and no page can change that. A wallet's own page (`chrome-extension://…`) is none of a site. A program that says nothing is
 * let in: wallets on phones are such programs, and any other can send what they send. Its budget binds it.
 */
export function mayCallNode(source: RequestSource, site: SiteAddress): boolean {
  const { origin, host } = source
  if (origin !== undefined && isWallet(origin)) return true
  if (!isSameOrigin(source, site)) return false
  // A page that says nothing of where it is from is not asked for the name that it calls.
  if (origin === undefined || site.publicOrigin !== undefined) return true
  return isOwnName(host, site.domain)
}

/** An origin that no site has. `null` is one that a page hides. */
function isWallet(origin: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(origin) && !/^https?:/i.test(origin)
}

/**
 * Whether a name can be no one else's: whose name server says that `evil.example` is this machine has its page called by a visitor's browser as
 * if it were ours. Without `PUBLIC_URL` only names that no name server decides about are known to be ours.
 */
function isOwnName(host: string, domain: string): boolean {
  const name = URL.parse(`http://${host}`)?.hostname.replace(/^\[|\]$/g, '') ?? ''
  return host.toLowerCase() === domain.toLowerCase() || isIP(name) > 0 || /(^|\.)localhost$/.test(name)
}
