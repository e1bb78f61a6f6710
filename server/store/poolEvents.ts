import type { Address } from '@chainboard/core'
import type { Selectable } from 'kysely'
import { createInsert, noEnd, present } from './rows.ts'
import type { PoolEventsTable } from './schema.ts'
import type { Db, Tx } from './store.ts'
import { type BlockSpan, type EventPlace, type EventValues, eventKey, type TimeSpan } from './swaps.ts'

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
  /** Who called for a mint; undefined for the others. */
  readonly sender: Address | undefined
}

/** A flash loan: what was lent, and the fees paid for it. */
export type Flash = EventPlace & {
  readonly kind: 'flash'
  readonly sender: Address
  readonly recipient: Address
  readonly amount0: bigint
  readonly amount1: bigint
  readonly paid0: bigint
  readonly paid1: bigint
}

/** Every event of a pool but its swaps. */
export type PoolEvent = Initialize | LiquidityChange | Flash

const addEvents = createInsert({ table: 'pool_events' })
const replaceEventDollars = createInsert({ table: 'pool_events', key: ['block_number', 'log_index'], replace: ['amount_usd'] })

/**
 * An event of a block and log that is there already fails the transaction: that is a bug of the writer.
 * @param values dollars of each event by its key; 0 where it is absent
 */
export async function insertPoolEvents(tx: Tx, events: readonly PoolEvent[], values: EventValues): Promise<void> {
  const rows = events.map((event) => toRow(event, values.get(eventKey(event)) ?? 0n))
  await addEvents(tx, rows)
}

/** Writes the events' dollars again; nothing else of them changes. */
export async function updatePoolEventDollars(tx: Tx, events: readonly PoolEvent[], values: EventValues): Promise<void> {
  const rows = events.map((event) => toRow(event, values.get(eventKey(event)) ?? 0n))
  await replaceEventDollars(tx, rows)
}

/** Events of all pools in a time, in the order of the chain. */
export async function listPoolEventsBetween(
  db: Db | Tx,
  { fromSeconds, toSeconds = noEnd, toBlock }: TimeSpan,
): Promise<PoolEvent[]> {
  const rows = await db
    .selectFrom('pool_events')
    .selectAll()
    // All of them: named, so that the index by kind and time serves.
    .where('kind', 'in', ['initialize', 'mint', 'burn', 'collect', 'flash'])
    .where('timestamp', '>=', fromSeconds)
    .where('timestamp', '<', toSeconds)
    .where('block_number', '<=', toBlock)
    .orderBy('block_number')
    .orderBy('log_index')
    .execute()
  return rows.map(fromRow)
}

/** Events of blocks `fromBlock` to `toBlock`, of one pool or of all, in the order of the chain. */
export async function listPoolEventsIn(db: Db | Tx, { fromBlock, toBlock, pool }: BlockSpan): Promise<PoolEvent[]> {
  const all = db.selectFrom('pool_events').selectAll().where('block_number', '>=', fromBlock).where('block_number', '<=', toBlock)
  const own = pool === undefined ? all : all.where('pool', '=', pool)
  return (await own.orderBy('block_number').orderBy('log_index').execute()).map(fromRow)
}

const liquidityRowsMax = 5_000
const lastPlace = 2 ** 31 - 1

/** Every mint and burn after a block, in the order of the chain: in pages, so that memory stays the same however many there are. */
export async function* readLiquidityAfter(db: Db | Tx, blockNumber: number): AsyncGenerator<readonly PoolEvent[]> {
  let [block, log] = [blockNumber, lastPlace]
  for (;;) {
    const rows = await db
      .selectFrom('pool_events')
      .selectAll()
      .where('kind', 'in', ['mint', 'burn'])
      // Follows from what comes next; by itself it is what an index serves.
      .where('block_number', '>=', block)
      .where('block_number', '<', noEnd)
      .where((e) => e.or([e('block_number', '>', block), e.and([e('block_number', '=', block), e('log_index', '>', log)])]))
      .orderBy('block_number')
      .orderBy('log_index')
      .limit(liquidityRowsMax)
      .execute()
    const last = rows.at(-1)
    if (!last) return
    yield rows.map(fromRow)
    ;[block, log] = [last.block_number, last.log_index]
  }
}

/** Changes of liquidity after a block: what is about to be taken back. */
export async function listPoolEventsAfter(db: Db | Tx, blockNumber: number): Promise<PoolEvent[]> {
  const after = db.selectFrom('pool_events').where('block_number', '>', blockNumber).where('block_number', '<', noEnd)
  const rows = await after.selectAll().execute()
  return rows.map(fromRow)
}

/** After a rollback: deletes the events of the blocks above a height. */
export async function deletePoolEventsAfter(tx: Tx, blockNumber: number): Promise<void> {
  await tx.deleteFrom('pool_events').where('block_number', '>', blockNumber).where('block_number', '<', noEnd).execute()
}

function fromRow(row: Selectable<PoolEventsTable>): PoolEvent {
  const place: EventPlace = {
    blockNumber: row.block_number,
    logIndex: row.log_index,
    pool: row.pool,
    txHash: row.tx_hash,
    timestampSeconds: row.timestamp,
  }
  const amount0 = BigInt(row.amount0 ?? 0)
  const amount1 = BigInt(row.amount1 ?? 0)
  switch (row.kind) {
    case 'initialize':
      return { ...place, kind: row.kind, sqrtPriceX96: BigInt(row.sqrt_price_x96 ?? 0), tick: row.tick ?? 0 }
    case 'flash':
      return {
        ...place,
        kind: row.kind,
        sender: present(row.sender, 'sender'),
        recipient: present(row.recipient, 'recipient'),
        amount0,
        amount1,
        paid0: BigInt(row.paid0 ?? 0),
        paid1: BigInt(row.paid1 ?? 0),
      }
    default:
      return {
        ...place,
        kind: row.kind,
        owner: present(row.owner, 'owner'),
        tickLower: row.tick_lower ?? 0,
        tickUpper: row.tick_upper ?? 0,
        amount: row.amount === null ? undefined : BigInt(row.amount),
        amount0,
        amount1,
        sender: row.sender ?? undefined,
      }
  }
}

function toRow(event: PoolEvent, usdE18: bigint): Selectable<PoolEventsTable> {
  const range = 'owner' in event ? event : undefined
  const initial = event.kind === 'initialize' ? event : undefined
  const amounts = event.kind === 'initialize' ? undefined : event
  const flash = event.kind === 'flash' ? event : undefined
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
    amount_usd: usdE18.toString(),
    sender: amounts?.sender ?? null,
    recipient: flash?.recipient ?? null,
    paid0: flash?.paid0.toString() ?? null,
    paid1: flash?.paid1.toString() ?? null,
  }
}
