/** Under which address the site is known. */
export type SiteAddress = {
  /** Host, with the port. */
  readonly domain: string
  /** The address of `PUBLIC_URL`; undefined when it is not set. */
  readonly publicOrigin: string | undefined
}

/** What a request says of where it comes from; a header that is not there is undefined. */
export type RequestSource = {
  readonly origin: string | undefined
  /** `Sec-Fetch-Site`: a browser's own word, which no page can change. */
  readonly fetchSite: string | undefined
  /** Host, with the port, that was called, as the request says. */
  readonly host: string
}

/**
 * Whether a call that changes something comes from the site itself. Browsers always say where such a call comes from; a
 * program that says nothing is nobody's page and holds no visitor's cookies, so it may. Where the site's address is known,
 * `Host` counts for nothing: a name of somebody else's may lead to this server, too, and is what a page under it calls.
 */
export function isSameOrigin({ origin, fetchSite, host }: RequestSource, { domain, publicOrigin }: SiteAddress): boolean {
  if (publicOrigin !== undefined && origin !== undefined && URL.parse(origin)?.origin !== publicOrigin) return false
  if (fetchSite !== undefined) return fetchSite === 'same-origin' || fetchSite === 'none'
  if (origin === undefined || publicOrigin !== undefined) return true
  const from = URL.parse(origin)?.host
  return from !== undefined && from !== '' && (from === host.toLowerCase() || from === domain.toLowerCase())
}
