import type { Address, Depth } from '@chainboard/core'
import type { Selectable } from 'kysely'
import { listInPages } from './listInPages.ts'
import {
  fromPoolBalanceRow,
  fromPoolEndRow,
  fromPoolSumsRow,
  type PoolState,
  poolBalanceColumns,
  poolEndColumns,
  poolSumColumns,
  toPoolBalanceRow,
  toPoolEndRow,
  toPoolSumsRow,
} from './poolState.ts'
import { collectSlices, createInsert } from './rows.ts'
import type { PoolsTable } from './schema.ts'
import type { Db, Tx } from './store.ts'

/** A Uniswap v3 pool and where it stands. `fee` is in millionths. */
export type Pool = PoolState &
  Depth & {
    readonly address: Address
    readonly token0: Address
    readonly token1: Address
    readonly fee: number
    readonly tickSpacing: number
    readonly createdBlock: number
    readonly createdAtSeconds: number
    /** `undefined` before the first swap. */
    readonly firstSwapAtSeconds: number | undefined
    readonly lastSwapAtSeconds: number | undefined
    /** What trades within 10 % of the price, as the depth does within 2 %; undefined where it is not known. */
    readonly reach: Depth | undefined
  }

/** What changes besides the state. */
const ownColumns = ['first_swap_at', 'last_swap_at', 'depth0', 'depth1', 'reach0', 'reach1'] as const

const upsertRows = createInsert({
  table: 'pools',
  key: ['address'],
  replace: [...poolEndColumns, ...poolBalanceColumns, ...poolSumColumns, ...ownColumns],
})

/** Writes new pools and the new state of known ones. */
export async function upsertPools(tx: Tx, pools: readonly Pool[]): Promise<void> {
  await upsertRows(tx, pools.map(toPoolRow))
}

/** Of every pool, in no order. */
export async function listPoolAddresses(db: Db | Tx): Promise<Address[]> {
  const rows = await db.selectFrom('pools').select('address').execute()
  return rows.map(({ address }) => address)
}

/** When the oldest pool of the index was made; unix seconds, undefined without a pool. */
export async function findFirstPoolTime(db: Db | Tx): Promise<number | undefined> {
  const row = await db.selectFrom('pools').select('created_timestamp').orderBy('created_timestamp').limit(1).executeTakeFirst()
  return row?.created_timestamp
}

/** Every pool that was initialised, by address. */
export async function listLivePools(db: Db | Tx): Promise<Pool[]> {
  return listInPages((after, limit) => selectLive(db, after, limit).selectAll().execute(), fromRow)
}

/** What a market needs of a pool. */
export type PoolOfMarket = Pick<
  Pool,
  'address' | 'token0' | 'token1' | 'fee' | 'sqrtPriceX96' | 'reserve0' | 'reserve1' | 'firstSwapAtSeconds' | 'lastSwapAtSeconds'
> &
  Pick<Pool, 'depth0' | 'depth1' | 'reach'>

/** The same pools, without what they did: that is half of the time. */
export async function listMarketPools(db: Db | Tx): Promise<PoolOfMarket[]> {
  const columns = ['address', 'token0', 'token1', 'fee', 'sqrt_price_x96', 'reserve0', 'reserve1', ...ownColumns] as const
  return listInPages(
    (after, limit) => selectLive(db, after, limit).select(columns).execute(),
    (row) => ({
      address: row.address,
      token0: row.token0,
      token1: row.token1,
      fee: row.fee,
      sqrtPriceX96: BigInt(row.sqrt_price_x96),
      reserve0: BigInt(row.reserve0),
      reserve1: BigInt(row.reserve1),
      ...fromOwnColumns(row),
    }),
  )
}

function selectLive(db: Db | Tx, after: Address, limit: number) {
  const live = db.selectFrom('pools').where('tick', 'is not', null).where('address', '>', after)
  return live.orderBy('address').limit(limit)
}

/** Every pool made until a block, opened or not, with the state that the table has now. */
export async function listPoolsCreatedUpTo(db: Db | Tx, blockNumber: number): Promise<Pool[]> {
  const rows = await db.selectFrom('pools').selectAll().where('created_block', '<=', blockNumber).orderBy('address').execute()
  return rows.map(fromRow)
}

/** Every pool made after a block and until another, with the state that the table has now. */
export async function listPoolsCreatedIn(db: Db | Tx, after: number, upTo: number): Promise<Pool[]> {
  const rows = await db
    .selectFrom('pools')
    .selectAll()
    .where('created_block', '>', after)
    .where('created_block', '<=', upTo)
    .orderBy('created_block')
    .orderBy('address')
    .execute()
  return rows.map(fromRow)
}

/** After a rollback: deletes the pools that were made above a height. */
export async function deletePoolsCreatedAfter(tx: Tx, blockNumber: number): Promise<void> {
  await tx.deleteFrom('pools').where('created_block', '>', blockNumber).execute()
}

function fromRow(row: Selectable<PoolsTable>): Pool {
  return {
    ...fromPoolEndRow(row),
    ...fromPoolBalanceRow(row),
    ...fromPoolSumsRow(row),
    address: row.address,
    token0: row.token0,
    token1: row.token1,
    fee: row.fee,
    tickSpacing: row.tick_spacing,
    createdBlock: row.created_block,
    createdAtSeconds: row.created_timestamp,
    ...fromOwnColumns(row),
  }
}

function fromOwnColumns(row: Pick<Selectable<PoolsTable>, (typeof ownColumns)[number]>) {
  return {
    firstSwapAtSeconds: row.first_swap_at ?? undefined,
    lastSwapAtSeconds: row.last_swap_at ?? undefined,
    depth0: BigInt(row.depth0),
    depth1: BigInt(row.depth1),
    reach: row.reach0 === null || row.reach1 === null ? undefined : { depth0: BigInt(row.reach0), depth1: BigInt(row.reach1) },
  }
}

/** The table's row, as it is written; what is folded in memory alone is read in this shape, too. */
export function toPoolRow(pool: Pool): Selectable<PoolsTable> {
  return {
    ...toPoolEndRow(pool),
    ...toPoolBalanceRow(pool),
    ...toPoolSumsRow(pool),
    address: pool.address,
    token0: pool.token0,
    token1: pool.token1,
    fee: pool.fee,
    tick_spacing: pool.tickSpacing,
    created_block: pool.createdBlock,
    created_timestamp: pool.createdAtSeconds,
    first_swap_at: pool.firstSwapAtSeconds ?? null,
    last_swap_at: pool.lastSwapAtSeconds ?? null,
    depth0: pool.depth0.toString(),
    depth1: pool.depth1.toString(),
    reach0: pool.reach?.depth0.toString() ?? null,
    reach1: pool.reach?.depth1.toString() ?? null,
  }
}

/** The block of the first pool that has any of these tokens; undefined where none has. */
export async function findFirstPoolOf(db: Db | Tx, tokens: readonly Address[]): Promise<number | undefined> {
  const rows = await collectSlices(tokens, (slice) =>
    db
      .selectFrom('pools')
      .select((e) => e.fn.min('created_block').as('first'))
      .where((e) => e.or([e('token0', 'in', slice), e('token1', 'in', slice)]))
      .execute(),
  )
  const blocks = rows.flatMap(({ first }) => (first === null ? [] : [Number(first)]))
  return blocks.length === 0 ? undefined : Math.min(...blocks)
}

/** The block that a pool was created in; undefined for one that the index does not have. */
export async function findCreatedBlock(db: Db | Tx, pool: Address): Promise<number | undefined> {
  const row = await db.selectFrom('pools').select('created_block').where('address', '=', pool).executeTakeFirst()
  return row?.created_block
}
