import type { Address } from '@chainboard/core'
import { collectSlices, createInsert } from './rows.ts'
import type { Db, Tx } from './store.ts'

/** What events changed at one tick of a pool; the place is that of the first of them. */
export type TickChange = {
  readonly pool: Address
  readonly tick: number
  readonly gross: bigint
  readonly net: bigint
  readonly blockNumber: number
  readonly timestampSeconds: number
}

/** Ticks of pools with the liquidity that starts or ends there now. */
export async function listTicksOf(
  db: Db | Tx,
  pools: readonly Address[],
): Promise<{ readonly pool: Address; readonly tick: number; readonly gross: bigint; readonly net: bigint }[]> {
  const rows = await collectSlices(pools, (slice) => db.selectFrom('ticks').selectAll().where('pool', 'in', slice).execute())
  return rows.map(({ pool, tick, liquidity_gross, liquidity_net }) => ({
    pool,
    tick,
    gross: BigInt(liquidity_gross),
    net: BigInt(liquidity_net),
  }))
}

const upsertTicks = createInsert({ table: 'ticks', key: ['pool', 'tick'], replace: ['liquidity_gross', 'liquidity_net'] })

/** Adds changes to the ticks, one for each tick at most; ticks that are new begin at the change's place. */
export async function changeTicks(tx: Tx, changes: readonly TickChange[]): Promise<void> {
  const pools = [...new Set(changes.map(({ pool }) => pool))]
  const stored = await collectSlices(pools, (slice) => tx.selectFrom('ticks').selectAll().where('pool', 'in', slice).execute())
  const known = new Map(stored.map((row) => [tickKey(row.pool, row.tick), row]))
  const rows = changes.map((change) => {
    const before = known.get(tickKey(change.pool, change.tick))
    return {
      pool: change.pool,
      tick: change.tick,
      liquidity_gross: (BigInt(before?.liquidity_gross ?? 0) + change.gross).toString(),
      liquidity_net: (BigInt(before?.liquidity_net ?? 0) + change.net).toString(),
      created_block: before?.created_block ?? change.blockNumber,
      created_timestamp: before?.created_timestamp ?? change.timestampSeconds,
    }
  })
  await upsertTicks(tx, rows)
}

/** After a rollback: deletes the ticks whose first event was above a height. */
export async function deleteTicksCreatedAfter(tx: Tx, blockNumber: number): Promise<void> {
  await tx.deleteFrom('ticks').where('created_block', '>', blockNumber).execute()
}

/** `<pool>#<tick>`, as subgraphs name ticks. */
export function tickKey(pool: string, tick: number): string {
  return `${pool}#${tick}`
}
