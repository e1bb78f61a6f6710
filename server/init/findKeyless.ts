/** What a path holds that is no key: words, versions, short numbers. */
const plainPart = /^(?:[a-z_-]{0,20}|v?\d{1,4}|[A-Za-z]{1,4})$/

/** Whether a URL may hold a key: a user name, a query, or a part of its path that is no plain word. */
export function mayHoldKey(url: string): boolean {
  const { pathname, search, hash, username, password } = new URL(url)
  return (
    username !== '' ||
    password !== '' ||
    search !== '' ||
    hash !== '' ||
    !pathname.split('/').every((part) => plainPart.test(part))
  )
}

/**
 * The RPC URLs that may be written into a file: those of the operator without a key, else those of the public list, else the
 * first one cut to its host, which answers only where `RPC_URL` stands in for it.
 */
export function findKeyless(rpcUrls: readonly string[], publicUrls: readonly string[]): string[] {
  const plain = rpcUrls.filter((url) => !mayHoldKey(url))
  if (plain.length > 0) return plain
  const known = publicUrls.filter((url) => /^https?:/.test(url) && !mayHoldKey(url))
  return known.length > 0 ? known : rpcUrls.slice(0, 1).map((url) => new URL(url).origin)
}
