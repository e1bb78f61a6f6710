/** What a request says of where it comes from; a header that is not there is undefined. */
export type RequestSource = {
  readonly origin: string | undefined
  /** `Sec-Fetch-Site`: a browser's own word, which no page can change. */
  readonly fetchSite: string | undefined
  /** Host, with the port, that was called. */
  readonly host: string
  /** Host, with the port, under which the site is known: another one behind a proxy that does not pass it on. */
  readonly siteHost: string
}

/**
 * Whether a call that changes something comes from the site itself. Browsers always say where such a call comes from; a
 * program that says nothing is nobody's page and holds no visitor's cookies, so it may.
 */
export function isSameOrigin({ origin, fetchSite, host, siteHost }: RequestSource): boolean {
  if (fetchSite !== undefined) return fetchSite === 'same-origin' || fetchSite === 'none'
  if (origin === undefined) return true
  const from = URL.parse(origin)?.host
  return from !== undefined && from !== '' && (from === host.toLowerCase() || from === siteHost.toLowerCase())
}
