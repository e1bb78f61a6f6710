import { repeatedColumns } from './migrations/0023-leaner-hours.ts'
import type { Schema } from './schema.ts'

/**
 * `index`: follows from the chain, and is read again where it is missing. `kept`: exists nowhere else. `aside`: names tables
 * that a backup does not have either. `running`: what servers that run tell each other, which is of no use to a later one.
 */
export type TableKind = 'index' | 'kept' | 'aside' | 'running'

/** Tables that a later migration dropped: data of an older version, and its backups, have them. */
export const droppedTables = ['transactions'] as const

/** Columns that a later migration dropped, as what they said follows from others. */
export const droppedColumns = repeatedColumns

/** Every table, and whether it can be read from the chain again. A table that a later migration drops stays listed. */
export const tableKinds: Readonly<Record<keyof Schema | (typeof droppedTables)[number], TableKind>> = {
  sync_cursor: 'index',
  blocks: 'index',
  tokens: 'index',
  confirmed_tokens: 'index',
  pools: 'index',
  swaps: 'index',
  pool_events: 'index',
  pool_hours: 'index',
  pool_days: 'index',
  token_hours: 'index',
  token_days: 'index',
  exchange_hours: 'index',
  exchange_days: 'index',
  pool_spans: 'index',
  ticks: 'index',
  transactions: 'index',
  origins: 'index',
  fee_protocols: 'index',
  pool_checks: 'index',
  doubts: 'index',
  old_dollars: 'index',
  kept_since: 'index',
  index_scope: 'index',
  scope_tokens: 'index',
  credits: 'kept',
  boost_payments: 'kept',
  boost_cursor: 'kept',
  users: 'kept',
  user_wallets: 'kept',
  favorites: 'kept',
  favorite_counts: 'kept',
  sessions: 'kept',
  devices: 'kept',
  sign_in_codes: 'kept',
  name_skeletons: 'kept',
  recovery_codes: 'kept',
  account_notices: 'kept',
  passkeys: 'kept',
  sign_in_wallets: 'kept',
  pin_failures: 'kept',
  registration_days: 'kept',
  account_totals: 'kept',
  pepper_mark: 'kept',
  api_keys: 'kept',
  key_changes: 'kept',
  quota_days: 'kept',
  quota_totals: 'kept',
  spent_messages: 'kept',
  admin_acts: 'kept',
  admin_chain: 'kept',
  admin_sessions: 'kept',
  admin_places: 'kept',
  key_deletions: 'kept',
  site_edits: 'kept',
  aside_indexes: 'aside',
  leadership: 'running',
  board_steps: 'running',
  board: 'running',
  board_status: 'running',
  stream_counts: 'running',
}

/** The tables that every database of this version has. */
export const currentTables = Object.keys(tableKinds).filter((name) => !droppedTables.some((dropped) => dropped === name))

/** What servers that run tell each other. */
export const runningTables: readonly string[] = Object.entries(tableKinds).flatMap(([name, kind]) =>
  kind === 'running' ? [name] : [],
)
