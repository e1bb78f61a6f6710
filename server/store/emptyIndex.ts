import type { Tx } from './store.ts'

/** Every table that holds what was read from a chain, and nothing else. */
export const indexTables = [
  'sync_cursor',
  'blocks',
  'tokens',
  'confirmed_tokens',
  'pools',
  'swaps',
  'pool_events',
  'pool_hours',
  'pool_days',
  'token_hours',
  'token_days',
  'exchange_hours',
  'exchange_days',
  'pool_spans',
  'ticks',
  'origins',
  'fee_protocols',
  'pool_checks',
  'doubts',
  'old_dollars',
  'kept_since',
  'index_scope',
  'scope_tokens',
] as const

/** Removes everything that was read from a chain. Only for an index that can be thrown away: others are set aside. */
export async function emptyIndex(tx: Tx): Promise<void> {
  for (const table of indexTables) await tx.deleteFrom(table).execute()
}
