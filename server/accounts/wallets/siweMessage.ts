/** The parts of a Sign-In with Ethereum message (EIP-4361) that ours have. */
export type SiweMessage = {
  /** Host of the site, with the port unless it is the scheme's own. */
  readonly domain: string
  /** Checksummed. */
  readonly address: string
  /** One line of ASCII: what is agreed to. */
  readonly statement: string
  readonly uri: string
  readonly chainId: number
  /** Letters and digits, eight at least. */
  readonly nonce: string
  readonly issuedAtSeconds: number
  readonly expiresAtSeconds: number
}

const toTime = (seconds: number) => new Date(seconds * 1_000).toISOString()

/** The text that a wallet is asked to sign. viem's own builder refuses some hosts that browsers know, such as `board` and `пример.рф`. */
export function buildSiweMessage(message: SiweMessage): string {
  const { domain, address, statement, uri, chainId, nonce, issuedAtSeconds, expiresAtSeconds } = message
  return [
    `${domain} wants you to sign in with your Ethereum account:`,
    address,
    '',
    statement,
    '',
    `URI: ${uri}`,
    'Version: 1',
    `Chain ID: ${chainId}`,
    `Nonce: ${nonce}`,
    `Issued At: ${toTime(issuedAtSeconds)}`,
    `Expiration Time: ${toTime(expiresAtSeconds)}`,
  ].join('\n')
}

const shape =
  /^([^\n ]+) wants you to sign in with your Ethereum account:\n(0x[0-9a-fA-F]{40})\n[\s\S]*\nNonce: ([0-9a-zA-Z]{8,128})\n/

/** Whom such a text is for, who signs it and its nonce, unjudged; undefined for any other text. */
export function findSiweParts(text: string): Pick<SiweMessage, 'domain' | 'address' | 'nonce'> | undefined {
  const [, domain, address, nonce] = shape.exec(text) ?? []
  return domain && address && nonce ? { domain, address, nonce } : undefined
}
