// The tables of API keys, of what they spend, and of the operators' acts. Times are unix seconds, days are UTC days since 1970.

import type { Address, OperatorRole } from '@chainboard/core'

/**
 * A key by the SHA-256 of its text; `last4` is all that is kept of it. `wallet`, in lower case, is set for free keys, one for each.
 * `made_at_address`, `made_at_network` and `signed_at` are of free keys: keyed hashes of where it was made or woken, and when its wallet
 * signed last; null for keys from before there were such columns. `payment` is what the chain said of `tx_hash`, as JSON. Whether it has expired is told by `expires_at` and the clock.
 */
export type ApiKeysTable = {
  id: string
  hash: string
  last4: string
  tier: 'free' | 'basic' | 'custom' | 'forever'
  status: 'active' | 'paused'
  email: string
  note: string
  requests_per_day: number
  created_at: number
  expires_at: number | null
  last_used_at: number | null
  tx_hash: string | null
  payment: string | null
  wallet: Address | null
  made_at_address: string | null
  made_at_network: string | null
  signed_at: number | null
}

/** Grows with every change of a key, so that other servers on the database notice. One row. */
export type KeyChangesTable = { id: number; changes: number }

/** Permits of a day that were taken out for a key, or for a client without one: spent, or about to be. */
export type QuotaDaysTable = { principal: string; day: number; taken: number }

/** Sums of a day over all keys, or over all clients without one. `principals`: those that took any. */
export type QuotaTotalsTable = { day: number; kind: 'key' | 'shared'; taken: number; principals: number }

/** Signed messages that may not be used again, by their SHA-256, until they would be too old anyway. */
export type SpentMessagesTable = { digest: string; expires_at: number }

/** Acts of operators, and what the server notes for them. */
export type AdminActName =
  | 'login'
  | 'logout'
  | 'end-session'
  | 'create'
  | 'update'
  | 'delete'
  | 'ask-deletion'
  | 'withdraw-deletion'
  | 'reload-list'
  | 'edit-featured'

/**
 * What an operator did. `id` grows with time; `changes` is JSON; `alerts` are words with commas between. `seq` counts from 1 without
 * a gap, `hash` is of the row and of `previous`, the hash before it. Rows of before the chain have no `seq` and what is behind it.
 */
export type AdminActsTable = {
  id: string
  at: number
  wallet: Address
  act: AdminActName
  key_id: string | null
  changes: string
  seq: number | null
  role: OperatorRole | null
  via: 'session' | 'message' | null
  alerts: string | null
  previous: string | null
  hash: string | null
}

/** Where the chain of acts ends. One row; none before the first act. */
export type AdminChainTable = { id: number; seq: number; hash: string }

/** An operator's session, by the SHA-256 of what its cookie holds. `agent`: what the browser calls itself. */
export type AdminSessionsTable = {
  id: string
  token_hash: string
  wallet: Address
  agent: string
  created_at: number
  used_at: number
}

/** Networks, as keyed hashes, that an operator has acted from, and roles the operator has acted in. */
export type AdminPlacesTable = { wallet: Address; kind: 'network' | 'role'; value: string; seen_at: number }

/** Keys that one owner wants deleted, which waits for a second one. */
export type KeyDeletionsTable = { key_id: string; wallet: Address; asked_at: number }

/** What operators have the site show in place of its files. `body` is JSON; no row: as the files say. */
export type SiteEditsTable = { kind: 'featured'; body: string; wallet: Address; at: number }

export type KeySchema = {
  api_keys: ApiKeysTable
  key_changes: KeyChangesTable
  quota_days: QuotaDaysTable
  quota_totals: QuotaTotalsTable
  spent_messages: SpentMessagesTable
  admin_acts: AdminActsTable
  admin_chain: AdminChainTable
  admin_sessions: AdminSessionsTable
  admin_places: AdminPlacesTable
  key_deletions: KeyDeletionsTable
  site_edits: SiteEditsTable
}
