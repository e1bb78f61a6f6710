import type { Address, Hex } from '@chainboard/core'
import type { Selectable } from 'kysely'
import { createInsert, noEnd } from './rows.ts'
import type { SwapsTable } from './schema.ts'
import type { Db, Tx } from './store.ts'

/** Where on the chain an event stands. */
export type EventPlace = {
  readonly blockNumber: number
  readonly logIndex: number
  readonly txHash: Hex
  readonly timestampSeconds: number
  readonly pool: Address
}

/** Blocks, both ends included, and the pool looked for; absent: all. */
export type BlockSpan = { readonly fromBlock: number; readonly toBlock: number; readonly pool?: Address }

/** A swap; amounts in smallest units, positive into the pool. Price, liquidity and tick are those it left behind. */
export type Swap = EventPlace & {
  readonly kind: 'swap'
  readonly sender: Address
  readonly recipient: Address
  readonly amount0: bigint
  readonly amount1: bigint
  readonly sqrtPriceX96: bigint
  readonly liquidity: bigint
  readonly tick: number
}

/** US dollars x 10^18 that each event was worth when it happened, by `<block>:<log>`; 0 where nothing had a price. */
export type EventValues = ReadonlyMap<string, bigint>

/** `<block>:<log>`: unique on one branch of the chain. */
export function eventKey({ blockNumber, logIndex }: EventPlace): string {
  return `${blockNumber}:${logIndex}`
}

const addSwaps = createInsert({ table: 'swaps' })
const replaceSwapDollars = createInsert({ table: 'swaps', key: ['block_number', 'log_index'], replace: ['amount_usd'] })

/**
 * A swap of a block and log that is there already fails the transaction: that is a bug of the writer.
 * @param values dollars of each swap by its key; 0 where it is absent
 */
export async function insertSwaps(tx: Tx, swaps: readonly Swap[], values: EventValues): Promise<void> {
  const rows = swaps.map((swap) => toRow(swap, values.get(eventKey(swap)) ?? 0n))
  await addSwaps(tx, rows)
}

/** A swap and the US dollars x 10^18 that it was worth when it happened; 0 where nothing had a price. */
export type ValuedSwap = Swap & { readonly usdE18: bigint }

/** The newest swaps of a pool, newest first. */
export async function listNewestSwaps(db: Db | Tx, pool: Address, limit: number): Promise<ValuedSwap[]> {
  const rows = await db
    .selectFrom('swaps')
    .selectAll()
    .where('pool', '=', pool)
    .orderBy('timestamp', 'desc')
    .orderBy('block_number', 'desc')
    .orderBy('log_index', 'desc')
    .limit(limit)
    .execute()
  return rows.map(toValuedSwap)
}

/** After a time, until another, of blocks up to one. */
export type SwapsOfPool = {
  readonly pool: Address
  /** Not included. */
  readonly afterSeconds: number
  /** Included. */
  readonly toSeconds: number
  readonly toBlock: number
}

/** Swaps of a pool in a span, in the order of the chain. */
export async function listValuedSwapsOf(
  db: Db | Tx,
  { pool, afterSeconds, toSeconds, toBlock }: SwapsOfPool,
  limit: number,
): Promise<ValuedSwap[]> {
  const rows = await db
    .selectFrom('swaps')
    .selectAll()
    .where('pool', '=', pool)
    .where('timestamp', '>', afterSeconds)
    .where('timestamp', '<=', toSeconds)
    .where('block_number', '<=', toBlock)
    .orderBy('timestamp')
    .orderBy('block_number')
    .orderBy('log_index')
    .limit(limit)
    .execute()
  return rows.map(toValuedSwap)
}

/** Writes the swaps' dollars again; nothing else of them changes. */
export async function updateSwapDollars(tx: Tx, swaps: readonly Swap[], values: EventValues): Promise<void> {
  const rows = swaps.map((swap) => toRow(swap, values.get(eventKey(swap)) ?? 0n))
  await replaceSwapDollars(tx, rows)
}

/** From a time on, before `toSeconds` where there is one, and until a block. */
export type TimeSpan = { readonly fromSeconds: number; readonly toSeconds?: number; readonly toBlock: number }

/** Swaps of all pools in a time, in the order of the chain. */
export async function listSwapsBetween(db: Db | Tx, { fromSeconds, toSeconds = noEnd, toBlock }: TimeSpan): Promise<Swap[]> {
  const rows = await db
    .selectFrom('swaps')
    .selectAll()
    .where('timestamp', '>=', fromSeconds)
    .where('timestamp', '<', toSeconds)
    .where('block_number', '<=', toBlock)
    // The chain's order, too. First by time: by block, SQLite would look through all blocks until the last.
    .orderBy('timestamp')
    .orderBy('block_number')
    .orderBy('log_index')
    .execute()
  return rows.map(fromRow)
}

/** Time of each pool's last swap before a moment. */
export async function listLastSwapTimes(db: Db | Tx, beforeSeconds: number): Promise<ReadonlyMap<Address, number>> {
  const rows = await db
    .selectFrom('pools')
    .select('pools.address')
    .select((e) =>
      e
        .selectFrom('swaps')
        .select((s) => s.fn.max('swaps.timestamp').as('last'))
        .whereRef('swaps.pool', '=', 'pools.address')
        .where('swaps.timestamp', '<', beforeSeconds)
        .as('last'),
    )
    .execute()
  return new Map(rows.flatMap(({ address, last }) => (last === null ? [] : [[address, Number(last)]])))
}

/** What a swap was worth at its moment, in US dollars x 10^18. */
export type TradedDollars = { readonly pool: Address; readonly atSeconds: number; readonly usdE18: bigint }

/** What was traded after `fromSeconds` and before `toSeconds`: one entry a swap. */
export async function listTradedDollars(
  db: Db | Tx,
  { fromSeconds, toSeconds }: { fromSeconds: number; toSeconds: number },
): Promise<TradedDollars[]> {
  const rows = await db
    .selectFrom('swaps')
    .select(['pool', 'timestamp', 'amount_usd'])
    .where('timestamp', '>', fromSeconds)
    .where('timestamp', '<', toSeconds)
    .execute()
  return rows.map(({ pool, timestamp, amount_usd }) => ({
    pool,
    atSeconds: timestamp,
    usdE18: BigInt(amount_usd),
  }))
}

/** Each pool's price at a moment: after its last swap until then, else its first price. Pools not yet opened are left out. */
export async function listPricesAt(db: Db | Tx, atSeconds: number): Promise<ReadonlyMap<Address, bigint>> {
  const rows = await db
    .selectFrom('pools')
    .select('pools.address')
    .select((e) => {
      const lastSwap = e
        .selectFrom('swaps')
        .select('swaps.sqrt_price_x96')
        .whereRef('swaps.pool', '=', 'pools.address')
        .where('swaps.timestamp', '<=', atSeconds)
        .orderBy('swaps.timestamp', 'desc')
        .orderBy('swaps.block_number', 'desc')
        .orderBy('swaps.log_index', 'desc')
        .limit(1)
      const opening = e
        .selectFrom('pool_events')
        .select('pool_events.sqrt_price_x96')
        .whereRef('pool_events.pool', '=', 'pools.address')
        .where('pool_events.timestamp', '<=', atSeconds)
        .where('pool_events.kind', '=', 'initialize')
        .limit(1)
      // Most pools of an old chain have long been quiet: what they say now is what they said then.
      const isQuiet = e.case().when('pools.last_swap_at', '<=', atSeconds).then(e.ref('pools.sqrt_price_x96'))
      return isQuiet.else(e.fn.coalesce(lastSwap, opening)).end().as('price')
    })
    .where('pools.tick', 'is not', null)
    .execute()
  return new Map(rows.flatMap(({ address, price }) => (price === null ? [] : [[address, BigInt(price)]])))
}

/** Swaps of blocks `fromBlock` to `toBlock`, of one pool or of all, in the order of the chain. */
export async function listSwapsIn(db: Db | Tx, { fromBlock, toBlock, pool }: BlockSpan): Promise<Swap[]> {
  const all = db.selectFrom('swaps').selectAll().where('block_number', '>=', fromBlock).where('block_number', '<=', toBlock)
  const own = pool === undefined ? all : all.where('pool', '=', pool)
  return (await own.orderBy('block_number').orderBy('log_index').execute()).map(fromRow)
}

/** Pools that traded after a block. */
export async function listPoolsTradedAfter(db: Db | Tx, blockNumber: number): Promise<Address[]> {
  const after = db.selectFrom('swaps').where('block_number', '>', blockNumber).where('block_number', '<', noEnd)
  // With a limit that is none: for distinct ones of the table itself SQLite would read all of an index by pools.
  const rows = await db.selectFrom(after.select('pool').limit(noEnd).as('later')).select('pool').distinct().execute()
  return rows.map(({ pool }) => pool)
}

/** After a rollback: deletes the swaps of the blocks above a height. */
export async function deleteSwapsAfter(tx: Tx, blockNumber: number): Promise<void> {
  await tx.deleteFrom('swaps').where('block_number', '>', blockNumber).where('block_number', '<', noEnd).execute()
}

/** A whole row of the table. */
export function toValuedSwap(row: Selectable<SwapsTable>): ValuedSwap {
  return { ...fromRow(row), usdE18: BigInt(row.amount_usd) }
}

function fromRow(row: Selectable<SwapsTable>): Swap {
  return {
    kind: 'swap',
    blockNumber: row.block_number,
    logIndex: row.log_index,
    pool: row.pool,
    txHash: row.tx_hash,
    timestampSeconds: row.timestamp,
    sender: row.sender,
    recipient: row.recipient,
    amount0: BigInt(row.amount0),
    amount1: BigInt(row.amount1),
    sqrtPriceX96: BigInt(row.sqrt_price_x96),
    liquidity: BigInt(row.liquidity),
    tick: row.tick,
  }
}

function toRow(swap: Swap, usdE18: bigint): Selectable<SwapsTable> {
  return {
    block_number: swap.blockNumber,
    log_index: swap.logIndex,
    pool: swap.pool,
    tx_hash: swap.txHash,
    timestamp: swap.timestampSeconds,
    sender: swap.sender,
    recipient: swap.recipient,
    amount0: swap.amount0.toString(),
    amount1: swap.amount1.toString(),
    sqrt_price_x96: swap.sqrtPriceX96.toString(),
    liquidity: swap.liquidity.toString(),
    tick: swap.tick,
    amount_usd: usdE18.toString(),
  }
}
