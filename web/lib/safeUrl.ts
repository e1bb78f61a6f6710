/**
 * Token lists and network files are written by strangers: only an absolute http(s) address becomes a link.
 * `undefined` for everything else (`javascript:`, `data:`, relative, malformed), and for one with a user's name, which can look like another site's.
 */
export function safeUrl(url: string | undefined): string | undefined {
  if (!url || !URL.canParse(url)) return undefined
  const { protocol, href, username, password } = new URL(url)
  return /^https?:$/.test(protocol) && username === '' && password === '' ? href : undefined
}

/** A logo's address: a path on this server, or https. `undefined` for everything else, so that no page asks for an image in the clear. */
export function safeImageUrl(url: string | undefined, origin: string): string | undefined {
  if (!url || !URL.canParse(url, origin)) return undefined
  const { protocol, href, origin: imageOrigin } = new URL(url, origin)
  return protocol === 'https:' || imageOrigin === origin ? href : undefined
}
