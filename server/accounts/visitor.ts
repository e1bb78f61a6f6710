/** Who calls, as far as that can be seen. Tokens are what cookies hold: true or made up. */
export type Visitor = {
  /** IPv4 address, or network of an IPv6 one. */
  readonly client: string
  /** Somebody who is not counted among the proxies spoke for it: `client` may be everybody's, and is nobody's known network. */
  readonly isRelayed?: boolean
  readonly sessionToken: string | undefined
  /** What the browser calls itself, `Firefox on Linux`. Nothing rests on it. */
  readonly browserName?: string
  /** One for each of the browser's last users, the newest first. */
  readonly browserTokens: readonly string[]
  /** Ends when nobody waits for the answer any more. */
  readonly gone?: AbortSignal
}
