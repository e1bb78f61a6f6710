import type { Address } from '@chainboard/core'
import { inSlices } from './rows.ts'
import type { Db, Tx } from './store.ts'

/** A pool whose contract agreed with the index at a block. `atSeconds`: unix time of the check. */
export type PoolCheck = { readonly pool: Address; readonly blockNumber: number; readonly atSeconds: number }

/** An event that does not fit the events before it, or a pool whose contract disagrees with the index. */
export type Doubt = {
  readonly pool: Address
  readonly blockNumber: number
  /** What does not fit: of an event, or of the contract's state. */
  readonly what: string
  /** Unix seconds. */
  readonly sinceSeconds: number
}

/** A pool has one check, its newest. */
export async function upsertPoolChecks(tx: Tx, checks: readonly PoolCheck[]): Promise<void> {
  const rows = checks.map(({ pool, blockNumber, atSeconds }) => ({ pool, block_number: blockNumber, checked_at: atSeconds }))
  await inSlices(rows, (slice) =>
    tx
      .insertInto('pool_checks')
      .values(slice)
      .onConflict((c) =>
        c
          .column('pool')
          .doUpdateSet((e) => ({ block_number: e.ref('excluded.block_number'), checked_at: e.ref('excluded.checked_at') })),
      )
      .execute(),
  )
}

/** Of every pool that was ever found to agree, in no order. */
export async function listPoolChecks(db: Db | Tx): Promise<PoolCheck[]> {
  const rows = await db.selectFrom('pool_checks').selectAll().execute()
  return rows.map((row) => ({ pool: row.pool, blockNumber: row.block_number, atSeconds: row.checked_at }))
}

/** One doubt for a pool and block: the first stays, so that `sinceSeconds` is when it began. */
export async function insertDoubts(tx: Tx, doubts: readonly Doubt[]): Promise<void> {
  const rows = doubts.map(({ pool, blockNumber, what, sinceSeconds }) => ({
    pool,
    block_number: blockNumber,
    what,
    since: sinceSeconds,
  }))
  await inSlices(rows, (slice) =>
    tx
      .insertInto('doubts')
      .values(slice)
      .onConflict((c) => c.columns(['pool', 'block_number']).doNothing())
      .execute(),
  )
}

/** Oldest first, so many at most. */
export async function listDoubts(db: Db | Tx, limit: number): Promise<Doubt[]> {
  const rows = await db.selectFrom('doubts').selectAll().orderBy('block_number').limit(limit).execute()
  return rows.map((row) => ({
    pool: row.pool,
    blockNumber: row.block_number,
    what: row.what,
    sinceSeconds: row.since,
  }))
}

/** What was checked or doubted after a block that the index is taken back to. */
export async function deleteChecksAfter(tx: Tx, blockNumber: number): Promise<void> {
  await tx.deleteFrom('pool_checks').where('block_number', '>', blockNumber).execute()
  await tx.deleteFrom('doubts').where('block_number', '>', blockNumber).execute()
}

/** The doubts about a pool are settled: its contract agrees with the index. @param whats doubts of these kinds alone; absent: all */
export async function deleteDoubtsOf(tx: Tx, pools: readonly Address[], whats?: readonly string[]): Promise<void> {
  await inSlices(pools, (slice) => {
    const ofPools = tx.deleteFrom('doubts').where('pool', 'in', slice)
    return (whats ? ofPools.where('what', 'in', whats) : ofPools).execute()
  })
}
