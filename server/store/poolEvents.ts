import type { Address, Hex } from '@chainboard/core'
import type { Selectable } from 'kysely'
import { inSlices } from './rows.ts'
import type { PoolEventsTable } from './schema.ts'
import type { Db, Tx } from './store.ts'
import type { EventPlace } from './swaps.ts'

/** A pool's first price. */
export type Initialize = EventPlace & { readonly kind: 'initialize'; readonly sqrtPriceX96: bigint; readonly tick: number }

/** Liquidity added to, removed from or paid out of a range of ticks. `amount` is liquidity; `collect` has none. */
export type LiquidityChange = EventPlace & {
  readonly kind: 'mint' | 'burn' | 'collect'
  readonly owner: Address
  readonly tickLower: number
  readonly tickUpper: number
  readonly amount: bigint | undefined
  readonly amount0: bigint
  readonly amount1: bigint
}

/** A flash loan; the amounts are the fees paid for it. */
export type Flash = EventPlace & { readonly kind: 'flash'; readonly amount0: bigint; readonly amount1: bigint }

/** Every event of a pool but its swaps. */
export type PoolEvent = Initialize | LiquidityChange | Flash

export async function insertPoolEvents(tx: Tx, events: readonly PoolEvent[]): Promise<void> {
  await inSlices(events.map(toRow), (slice) => tx.insertInto('pool_events').values(slice).execute())
}

/** Events of one pool from a time on, oldest first. */
export async function listPoolEventsSince(db: Db | Tx, pool: Address, sinceSeconds: number): Promise<PoolEvent[]> {
  const rows = await db
    .selectFrom('pool_events')
    .selectAll()
    .where('pool', '=', pool)
    .where('timestamp', '>=', sinceSeconds)
    .orderBy('block_number')
    .orderBy('log_index')
    .execute()
  return rows.map(fromRow)
}

/** First time of a removed event per pool. */
export async function deletePoolEventsAfter(tx: Tx, blockNumber: number): Promise<ReadonlyMap<Address, number>> {
  const touched = await tx
    .selectFrom('pool_events')
    .select(['pool', (e) => e.fn.min('timestamp').as('first')])
    .where('block_number', '>', blockNumber)
    .groupBy('pool')
    .execute()
  await tx.deleteFrom('pool_events').where('block_number', '>', blockNumber).execute()
  return new Map(touched.map(({ pool, first }) => [pool as Address, Number(first)]))
}

function fromRow(row: Selectable<PoolEventsTable>): PoolEvent {
  const place: EventPlace = {
    blockNumber: row.block_number,
    logIndex: row.log_index,
    pool: row.pool as Address,
    txHash: row.tx_hash as Hex,
    timestampSeconds: row.timestamp,
  }
  const amount0 = BigInt(row.amount0 ?? 0)
  const amount1 = BigInt(row.amount1 ?? 0)
  switch (row.kind) {
    case 'initialize':
      return { ...place, kind: row.kind, sqrtPriceX96: BigInt(row.sqrt_price_x96 ?? 0), tick: row.tick ?? 0 }
    case 'flash':
      return { ...place, kind: row.kind, amount0, amount1 }
    default:
      return {
        ...place,
        kind: row.kind,
        owner: row.owner as Address,
        tickLower: row.tick_lower ?? 0,
        tickUpper: row.tick_upper ?? 0,
        amount: row.amount === null ? undefined : BigInt(row.amount),
        amount0,
        amount1,
      }
  }
}

function toRow(event: PoolEvent): Selectable<PoolEventsTable> {
  const range = 'owner' in event ? event : undefined
  const initial = event.kind === 'initialize' ? event : undefined
  const amounts = event.kind === 'initialize' ? undefined : event
  return {
    block_number: event.blockNumber,
    log_index: event.logIndex,
    pool: event.pool,
    tx_hash: event.txHash,
    timestamp: event.timestampSeconds,
    kind: event.kind,
    owner: range?.owner ?? null,
    tick_lower: range?.tickLower ?? null,
    tick_upper: range?.tickUpper ?? null,
    amount: range?.amount?.toString() ?? null,
    amount0: amounts?.amount0.toString() ?? null,
    amount1: amounts?.amount1.toString() ?? null,
    sqrt_price_x96: initial?.sqrtPriceX96.toString() ?? null,
    tick: initial?.tick ?? null,
  }
}
