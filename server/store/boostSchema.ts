import type { Address, Hex } from '@chainboard/core'
import type { Exact } from './exact.ts'

/** One payment for a boost, at the place of its `PaymentReceived`. */
export type BoostPaymentsTable = {
  block_number: number
  log_index: number
  token: Address
  payer: Address
  payment_token: Address
  /** Smallest units of the payment token, which has so many decimals. */
  amount: Exact
  decimals: number
  expires_at: number
  tx_hash: Hex
  timestamp: number
}

/** How far the events of the boost contract are read; they were of this contract, from this block on. */
export type BoostCursorTable = {
  id: number
  contract: Address
  start_block: number
  /** Chain id and genesis, once a node has said them. */
  chain: string | null
  block_number: number | null
  block_hash: Hex | null
  /** Decimals of each payment token at that block, as JSON. */
  decimals: string
}
