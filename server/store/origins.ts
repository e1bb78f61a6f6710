import type { Address, Hex } from '@chainboard/core'
import { sql } from 'kysely'
import { inSlices, noEnd, present } from './rows.ts'
import type { Db, Tx } from './store.ts'

/** Who signed a transaction. A hash belongs to one signature, so that no reorg changes it. */
export type Origin = {
  readonly txHash: Hex
  readonly origin: Address
  readonly timestampSeconds: number
  /** Whether it changed liquidity: such a one is kept for as long as the index, others for a day. */
  readonly hasLiquidity: boolean
}

/** Those that are known stay as they are: a hash has one signer. */
export async function insertOrigins(tx: Tx, origins: readonly Origin[]): Promise<void> {
  const rows = origins.map(({ txHash, origin, timestampSeconds, hasLiquidity }) => ({
    tx_hash: txHash,
    origin,
    timestamp: timestampSeconds,
    has_liquidity: hasLiquidity ? 1 : 0,
  }))
  await inSlices(rows, (slice) =>
    tx
      .insertInto('origins')
      .values(slice)
      .onConflict((c) => c.column('tx_hash').doNothing())
      .execute(),
  )
}

/** Removes those of transactions that only traded, before a moment. */
export async function deleteOldOrigins(tx: Tx, beforeSeconds: number): Promise<void> {
  await tx.deleteFrom('origins').where('has_liquidity', '=', 0).where('timestamp', '<', beforeSeconds).execute()
}

/** Where an event stands in its chain, and who sent it; undefined while that is not known. */
type Sent = {
  readonly blockNumber: number
  readonly logIndex: number
  readonly txHash: Hex
  readonly timestampSeconds: number
  readonly origin: Address | undefined
}

/** A swap. Amounts in smallest units, positive into the pool; US dollars x 10^18 when it happened; the tick that it left. */
export type StoredTrade = Sent & {
  readonly sender: Address
  readonly recipient: Address
  readonly amount0: bigint
  readonly amount1: bigint
  readonly usdE18: bigint
  readonly tick: number
}

/** Liquidity added to a range of a pool, or removed when negative. */
export type PositionChange = Sent & {
  readonly owner: Address
  /** Who called for it; undefined when the owner took it. */
  readonly sender: Address | undefined
  readonly tickLower: number
  readonly tickUpper: number
  readonly delta: bigint
  /** US dollars x 10^18 that it was worth when it happened. */
  readonly usdE18: bigint
}

/** A place in a pool's events. */
export type Place = Pick<Sent, 'timestampSeconds' | 'blockNumber' | 'logIndex'>

const indexMax = 2 ** 31 - 1

/** The place behind all events until a moment. */
export function placeAfter(timestampSeconds: number): Place {
  return { timestampSeconds, blockNumber: noEnd, logIndex: indexMax }
}

export type PoolRows = { readonly pool: Address; readonly after: Place; readonly limit: number }

/** The next swaps of a pool behind a place, in the order of the chain. */
export async function listTrades(db: Db | Tx, { pool, after, limit }: PoolRows): Promise<StoredTrade[]> {
  const rows = await db
    .selectFrom('swaps')
    .leftJoin('origins', 'origins.tx_hash', 'swaps.tx_hash')
    .select(['swaps.block_number', 'swaps.log_index', 'swaps.tx_hash', 'swaps.timestamp', 'origin'])
    .select(['sender', 'recipient', 'amount0', 'amount1', 'amount_usd', 'tick'])
    .where('pool', '=', pool)
    .where(isBehind('swaps', after))
    .orderBy('swaps.timestamp')
    .orderBy('swaps.block_number')
    .orderBy('swaps.log_index')
    .limit(limit)
    .execute()
  return rows.map((row) => ({
    ...toSent(row),
    sender: row.sender,
    recipient: row.recipient,
    amount0: BigInt(row.amount0),
    amount1: BigInt(row.amount1),
    usdE18: BigInt(row.amount_usd),
    tick: row.tick,
  }))
}

/** The tick of a pool before a swap of its: after the swap before, else the one that it was opened at. */
export async function findTickBefore(
  db: Db | Tx,
  pool: Address,
  { timestampSeconds, blockNumber, logIndex }: Place,
): Promise<number | undefined> {
  const swap = await db
    .selectFrom('swaps')
    .select('tick')
    .where('pool', '=', pool)
    .where('timestamp', '<=', timestampSeconds)
    .where((e) =>
      e.or([e('block_number', '<', blockNumber), e('block_number', '=', blockNumber).and('log_index', '<', logIndex)]),
    )
    .orderBy('timestamp', 'desc')
    .orderBy('block_number', 'desc')
    .orderBy('log_index', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (swap) return swap.tick
  const opening = db.selectFrom('pool_events').select('tick').where('pool', '=', pool).where('kind', '=', 'initialize')
  return (await opening.limit(1).executeTakeFirst())?.tick ?? undefined
}

/** The next changes of a pool's liquidity behind a place, in the order of the chain. */
export async function listPositionChanges(db: Db | Tx, { pool, after, limit }: PoolRows): Promise<PositionChange[]> {
  const rows = await db
    .selectFrom('pool_events')
    .leftJoin('origins', 'origins.tx_hash', 'pool_events.tx_hash')
    .select(['pool_events.block_number', 'pool_events.log_index', 'pool_events.tx_hash', 'pool_events.timestamp', 'origin'])
    .select(['kind', 'owner', 'tick_lower', 'tick_upper', 'amount', 'amount_usd', 'sender'])
    .where('pool', '=', pool)
    .where('kind', 'in', ['mint', 'burn'])
    // A burn of nothing only settles the fees.
    .where('amount', '!=', '0')
    .where(isBehind('pool_events', after))
    .orderBy('pool_events.timestamp')
    .orderBy('pool_events.block_number')
    .orderBy('pool_events.log_index')
    .limit(limit)
    .execute()
  return rows.map((row) => ({
    ...toSent(row),
    owner: present(row.owner, 'owner'),
    sender: row.sender ?? undefined,
    tickLower: row.tick_lower ?? 0,
    tickUpper: row.tick_upper ?? 0,
    delta: BigInt(row.amount ?? 0) * (row.kind === 'mint' ? 1n : -1n),
    usdE18: BigInt(row.amount_usd),
  }))
}

/** As one comparison, which the index by pool answers. */
function isBehind(table: 'swaps' | 'pool_events', { timestampSeconds, blockNumber, logIndex }: Place) {
  const place = sql.join(['timestamp', 'block_number', 'log_index'].map((column) => sql.ref(`${table}.${column}`)))
  return sql<boolean>`(${place}) > (${timestampSeconds}, ${blockNumber}, ${logIndex})`
}

type SentRow = { block_number: number; log_index: number; tx_hash: Hex; timestamp: number; origin: Address | null }

function toSent({ block_number, log_index, tx_hash, timestamp, origin }: SentRow): Sent {
  return {
    blockNumber: block_number,
    logIndex: log_index,
    txHash: tx_hash,
    timestampSeconds: timestamp,
    origin: origin ?? undefined,
  }
}
