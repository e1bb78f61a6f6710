import type { Address } from '@chainboard/core'
import type { BoostPayment } from '../store/boostPayments.ts'

export type { BoostPayment }

/** A page of the ledger: of all tokens, or of one. */
export type PaymentQuery = { readonly token: Address | undefined; readonly offset: number; readonly limit: number }

/** Who is boosted until when, and who paid for it. */
export type Boosts = {
  /**
   * Boosted tokens with the end of their boosts in unix seconds, the latest first, as the contract said at the newest block. Empty
   * while that is not known. The same object as long as nothing in it changes.
   */
  expirations(): ReadonlyMap<Address, number>
  /** False before the contract's first answer, and when it has not answered for too long. */
  isKnown(): boolean
  /** Payments, newest first, and how many there are on all pages. */
  listPayments(query: PaymentQuery): Promise<{ readonly payments: readonly BoostPayment[]; readonly total: number }>
  /** When the contract last answered, in unix milliseconds; undefined: not since the start. */
  answeredAtMs(): number | undefined
  /** Seconds by which the chain's clock, which ends boosts, is ahead of ours; 0 or more, and the same until the next block. */
  leadSeconds(): number
  /**
   * While the contract is paused, the newest block's time in unix seconds: boosts are judged by that, since nothing runs down and ends
   * move on with blocks alone. Undefined while they run.
   */
  pausedAtSeconds(): number | undefined
  /** Blocks at which a second reading of the ledger was another one, and nothing has decided which is right. */
  doubts(): number
  /** Blocks of the ledger that were corrected since the start. */
  repairs(): number
}

/** What time it is for boosts, in unix seconds. @param nowSeconds by our clock */
export function toChainSeconds(boosts: Pick<Boosts, 'leadSeconds' | 'pausedAtSeconds'>, nowSeconds: number): number {
  return boosts.pausedAtSeconds() ?? nowSeconds + boosts.leadSeconds()
}

/** Nobody is boosted. */
export const noExpirations: ReadonlyMap<Address, number> = new Map()

/** For a network without a boost contract. */
export const noBoosts: Boosts = {
  expirations: () => noExpirations,
  isKnown: () => true,
  listPayments: async () => ({ payments: [], total: 0 }),
  answeredAtMs: () => undefined,
  leadSeconds: () => 0,
  pausedAtSeconds: () => undefined,
  doubts: () => 0,
  repairs: () => 0,
}
