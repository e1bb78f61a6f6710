import type { Tx } from './store.ts'

/** Removes everything that was read from a chain, and nothing else: for a chain that turned out to be another one. */
export async function emptyIndex(tx: Tx): Promise<void> {
  const tables = [
    'sync_cursor',
    'blocks',
    'tokens',
    'pools',
    'swaps',
    'pool_events',
    'pool_hours',
    'pool_days',
    'token_hours',
    'token_days',
    'exchange_hours',
    'exchange_days',
    'ticks',
    'transactions',
  ] as const
  for (const table of tables) await tx.deleteFrom(table).execute()
}
