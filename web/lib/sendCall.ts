/** A call of a contract that the visitor's wallet signs and sends. */
export type ContractCall = { readonly to: `0x${string}`; readonly data: `0x${string}` }

/**
 * The transaction's hash, or why there is none: `text` for the visitor where it is known what happened, else the wallet's own words
 * and what the contract said no with, as far as the wallet told.
 */
export type Sent =
  | { readonly hash: `0x${string}` }
  | { readonly text?: string; readonly walletWords?: string; readonly revertData?: `0x${string}` }

/** Has the connected wallet sign and send a call, and waits for its answer, however long the visitor takes. */
export type SendCall = (call: ContractCall) => Promise<Sent>

/** The same, or that the wallet cannot do calls together after all. */
export type SentTogether = Sent | { readonly unable: true }

/** Has the connected wallet do calls in their order, together or not at all, and waits until they are on the chain. */
export type SendTogether = (calls: readonly ContractCall[]) => Promise<SentTogether>
