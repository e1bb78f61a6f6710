import type { Address } from '@chainboard/core'
import { sql } from 'kysely'
import { collectSlices } from './rows.ts'
import type { Db, Tx } from './store.ts'
import { toValuedSwap, type ValuedSwap } from './swaps.ts'

// Swaps from the newest back, page by page: of all pools, of one, of a few, or of a wallet. Each is one look into an index.

/** Where a swap stands in time and in the chain. */
export type SwapPlace = { readonly timestampSeconds: number; readonly blockNumber: number; readonly logIndex: number }

/** `before`: the place that the page follows; absent: the newest swaps. */
export type FeedPage = { readonly before?: SwapPlace | undefined; readonly limit: number }

/** Of all pools, newest first. */
export async function listAllSwapsBefore(db: Db | Tx, { before, limit }: FeedPage): Promise<ValuedSwap[]> {
  const all = db.selectFrom('swaps').selectAll()
  const page = before ? all.where(sql<boolean>`(block_number, log_index) < (${before.blockNumber}, ${before.logIndex})`) : all
  // Times never go back from block to block, so that the primary key has their order, too.
  return (await page.orderBy('block_number', 'desc').orderBy('log_index', 'desc').limit(limit).execute()).map(toValuedSwap)
}

/** What all of them have in common. */
type Whose = { readonly pool: Address } | { readonly recipient: Address }

/** Of one pool, or those that paid out to a wallet; newest first. */
export async function listSwapsOfBefore(db: Db | Tx, whose: Whose, { before, limit }: FeedPage): Promise<ValuedSwap[]> {
  const all = db.selectFrom('swaps').selectAll()
  const own = 'pool' in whose ? all.where('pool', '=', whose.pool) : all.where('recipient', '=', whose.recipient)
  const page = before ? own.where(isBefore(before)) : own
  const rows = await page
    .orderBy('timestamp', 'desc')
    .orderBy('block_number', 'desc')
    .orderBy('log_index', 'desc')
    .limit(limit)
    .execute()
  return rows.map(toValuedSwap)
}

/** As one comparison, which the indexes answer. */
function isBefore({ timestampSeconds, blockNumber, logIndex }: SwapPlace) {
  return sql<boolean>`(timestamp, block_number, log_index) < (${timestampSeconds}, ${blockNumber}, ${logIndex})`
}

/** A pool that has traded. */
export type TradedPool = { readonly address: Address; readonly lastSwapAtSeconds: number }

/** Pools of a token that have traded, those that traded last first. */
export async function listTradedPools(db: Db | Tx, token: Address, limit: number): Promise<TradedPool[]> {
  const rows = await db
    .selectFrom('pools')
    .select(['address', 'last_swap_at'])
    .where((e) => e.or([e('token0', '=', token), e('token1', '=', token)]))
    .where('last_swap_at', 'is not', null)
    .orderBy('last_swap_at', 'desc')
    .orderBy('address')
    .limit(limit)
    .execute()
  return rows.flatMap(({ address, last_swap_at: at }) => (at === null ? [] : [{ address, lastSwapAtSeconds: at }]))
}

/** Of several pools, newest first. @param pools those that traded last first: once the rest is older than the page, it is not asked for */
export async function listSwapsOfPoolsBefore(db: Db | Tx, pools: readonly TradedPool[], page: FeedPage): Promise<ValuedSwap[]> {
  let newest: ValuedSwap[] = []
  for (const { address, lastSwapAtSeconds } of pools) {
    const last = newest[page.limit - 1]
    if (last && lastSwapAtSeconds < last.timestampSeconds) break
    const own = await listSwapsOfBefore(db, { pool: address }, page)
    newest = [...newest, ...own].sort(newestFirst).slice(0, page.limit)
  }
  return newest
}

function newestFirst(a: SwapPlace, b: SwapPlace): number {
  return b.timestampSeconds - a.timestampSeconds || b.blockNumber - a.blockNumber || b.logIndex - a.logIndex
}

/** What a pool trades. `decimals` is undefined for a token whose contract does not say. */
export type PoolFace = {
  readonly address: Address
  readonly fee: number
  readonly token0: TokenFace
  readonly token1: TokenFace
}

export type TokenFace = { readonly address: Address; readonly symbol: string; readonly decimals: number | undefined }

/** Of the pools that the index has. */
export async function listPoolFaces(db: Db | Tx, pools: readonly Address[]): Promise<PoolFace[]> {
  const rows = await collectSlices(pools, (slice) =>
    db
      .selectFrom('pools')
      .leftJoin('tokens as t0', 't0.address', 'pools.token0')
      .leftJoin('tokens as t1', 't1.address', 'pools.token1')
      .select(['pools.address', 'pools.fee', 'pools.token0', 'pools.token1'])
      .select(['t0.symbol as symbol0', 't0.decimals as decimals0', 't1.symbol as symbol1', 't1.decimals as decimals1'])
      .where('pools.address', 'in', slice)
      .execute(),
  )
  return rows.map((row) => ({
    address: row.address,
    fee: row.fee,
    token0: { address: row.token0, symbol: row.symbol0 ?? '', decimals: row.decimals0 ?? undefined },
    token1: { address: row.token1, symbol: row.symbol1 ?? '', decimals: row.decimals1 ?? undefined },
  }))
}
