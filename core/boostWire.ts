// What the server tells of boosts, as JSON.

/** A token's boost, from the boost contract at the last block that was read. `expirationTime` is in unix seconds. */
export type WireBoostInfo = {
  readonly isBoosted: boolean
  readonly expirationTime: number
  readonly remainingHours: number
  readonly remainingMinutes: number
}

/** One payment, of `/api/boosts`: newest first. Addresses are checksummed. */
export type WireBoost = {
  readonly token: string
  readonly payer: string
  readonly paymentToken: string
  /** Whole payment tokens as an exact decimal text. */
  readonly amount: string
  /** Unix seconds of the block with the payment. */
  readonly timestamp: number
  /** Until when the token was boosted after this payment; a pause or a removal of the boost moves that afterwards. */
  readonly expiresAt: number
  readonly transaction: { readonly id: string }
}
