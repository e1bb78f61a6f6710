// Messages that wallets sign for this site: four lines, which any program can build.

/** What a signature is for. A message for one purpose is worth nothing for another. */
export type SignPurpose = 'Admin Login' | 'Admin Session' | 'Free API Key'

export type SignMessage = {
  /** `<site name> <purpose>`. */
  readonly title: string
  /** Host of the site, with the port unless it is the scheme's own. */
  readonly domain: string
  /** Checksummed. */
  readonly wallet: string
  /** ISO 8601 in UTC: `2026-11-21T10:00:00.000Z`. */
  readonly timestamp: string
}

/** The first line of a message, from which a wallet's owner sees what is signed: `Chainboard Admin Login`. */
export function toSignTitle(siteName: string, purpose: SignPurpose): string {
  return `${siteName} ${purpose}`
}

/** The text that a wallet is asked to sign. */
export function buildSignMessage({ title, domain, wallet, timestamp }: SignMessage): string {
  return [title, `Domain: ${domain}`, `Wallet: ${wallet}`, `Timestamp: ${timestamp}`].join('\n')
}

const shape = /^([^\n]+)\nDomain: ([^\n]+)\nWallet: (0x[0-9a-fA-F]{40})\nTimestamp: ([^\n]+)$/
const utcMoment = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,3})?Z$/

/** The parts of such a text, unjudged, and its moment in unix milliseconds; undefined for any other text. */
export function parseSignMessage(text: string): (SignMessage & { readonly atMs: number }) | undefined {
  const [, title, domain, wallet, timestamp] = shape.exec(text) ?? []
  if (!title || !domain || !wallet || !timestamp || !utcMoment.test(timestamp)) return undefined
  const atMs = Date.parse(timestamp)
  return Number.isNaN(atMs) ? undefined : { title, domain, wallet, timestamp, atMs }
}
