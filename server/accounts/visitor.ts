/** Who calls, as far as that can be seen. Tokens are what cookies hold: true or made up. */
export type Visitor = {
  /** IPv4 address, or network of an IPv6 one. */
  readonly client: string
  readonly sessionToken: string | undefined
  readonly browserToken: string | undefined
}
