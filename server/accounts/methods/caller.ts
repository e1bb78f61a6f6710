import type { Visitor } from '../visitor.ts'

/** The site as it is reached by a caller: what passkeys and wallets are asked to sign for. */
export type Party = {
  /** `https://board.example`. */
  readonly origin: string
  /** Its host, with the port unless it is the scheme's own. */
  readonly host: string
  /** Relying party of passkeys, a domain name; undefined where the host is an address, for which no browser has passkeys. */
  readonly rpId: string | undefined
}

/** Who proves something by a passkey or a wallet. */
export type Caller = {
  readonly visitor: Visitor
  readonly party: Party
  /** By which the browser is known that a challenge was given to; undefined before it is given one. */
  readonly challengeToken: string | undefined
}
