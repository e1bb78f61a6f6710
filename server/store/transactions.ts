import type { ExpressionBuilder, Selectable } from 'kysely'
import { createInsert, inSlices, noEnd } from './rows.ts'
import type { Schema, TransactionsTable } from './schema.ts'
import type { Db, Tx } from './store.ts'
import type { EventPlace } from './swaps.ts'

const addTransactions = createInsert({ table: 'transactions', key: ['hash'] })

/** Writes the transactions that these events are of. @param events in the order of the chain */
export async function insertTransactions(tx: Tx, events: readonly EventPlace[]): Promise<void> {
  const rows = new Map<string, { hash: string; block_number: number; log_index: number; timestamp: number }>()
  for (const { txHash, blockNumber, logIndex, timestampSeconds } of events) {
    if (!rows.has(txHash))
      rows.set(txHash, { hash: txHash, block_number: blockNumber, log_index: logIndex, timestamp: timestampSeconds })
  }
  await addTransactions(tx, [...rows.values()])
}

/** Adds transactions, some of which may be there by a later event of theirs: their place is that of the first one. */
export async function joinTransactions(tx: Tx, rows: readonly Selectable<TransactionsTable>[]): Promise<void> {
  const first = (e: ExpressionBuilder<Schema, 'transactions'>) =>
    e
      .case()
      .when('excluded.log_index' as 'log_index', '<', e.ref('transactions.log_index'))
      .then(e.ref('excluded.log_index' as 'log_index'))
      .else(e.ref('transactions.log_index'))
      .end()
  await inSlices(rows, (slice) =>
    tx
      .insertInto('transactions')
      .values(slice)
      .onConflict((c) => c.column('hash').doUpdateSet((e) => ({ log_index: first(e as never) })))
      .execute(),
  )
}

/** Time of the last event until a block; undefined when there was none. */
export async function findLastEventTime(db: Db | Tx, blockNumber: number): Promise<number | undefined> {
  const row = await db
    .selectFrom('transactions')
    .select('timestamp')
    .where('block_number', '<=', blockNumber)
    .orderBy('block_number', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.timestamp
}

/** The first event after a block; undefined when there is none. */
export async function findNextEvent(
  db: Db | Tx,
  blockNumber: number,
): Promise<{ blockNumber: number; timestampSeconds: number } | undefined> {
  const row = await db
    .selectFrom('transactions')
    .select(['block_number', 'timestamp'])
    .where('block_number', '>', blockNumber)
    .orderBy('block_number')
    .limit(1)
    .executeTakeFirst()
  return row && { blockNumber: row.block_number, timestampSeconds: row.timestamp }
}

/** The last block with an event before a moment; undefined when there is none. */
export async function findLastBlockBefore(db: Db | Tx, beforeSeconds: number): Promise<number | undefined> {
  const row = await db
    .selectFrom('transactions')
    .select('block_number')
    .where('timestamp', '<', beforeSeconds)
    .orderBy('timestamp', 'desc')
    .orderBy('block_number', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.block_number
}

export async function deleteTransactionsAfter(tx: Tx, blockNumber: number): Promise<void> {
  await tx.deleteFrom('transactions').where('block_number', '>', blockNumber).where('block_number', '<', noEnd).execute()
}
