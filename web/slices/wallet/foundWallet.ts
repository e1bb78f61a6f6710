/** EIP-1193: what every browser wallet hands to a page. */
export type WalletProvider = {
  request(call: { readonly method: string; readonly params?: readonly unknown[] }): Promise<unknown>
  on?(event: string, listener: (value: unknown) => void): unknown
  removeListener?(event: string, listener: (value: unknown) => void): unknown
}

/** A wallet of this browser. Its words and its picture are already harmless. */
export type FoundWallet = {
  /** Differs between all wallets of a page, but not between loads of it. */
  readonly id: string
  readonly name: string
  /** A `data:` image. */
  readonly icon?: string
  readonly provider: WalletProvider
}
