import { type Address, medianPrice, type PriceChange, type PriceWindow } from '@chainboard/core'
import type { Db, Tx } from './store.ts'
import { listPricesAt } from './swaps.ts'

/** sqrtPriceX96 of each pool at a past moment, and what its price became until a later one. */
export type PastPrices = {
  /** Without pools that were not open by then. */
  readonly first: ReadonlyMap<Address, bigint>
  /** In the order of the chain; without pools that had none. */
  readonly changes: ReadonlyMap<Address, readonly PriceChange[]>
}

/** sqrtPriceX96 of a pool at a past moment, a median; undefined where it was not open by then. */
export type MediansOf = Pick<ReadonlyMap<Address, bigint>, 'get'>

/** Changes after a moment, until another one, which is included. */
export async function readPastPrices(
  db: Db | Tx,
  { atSeconds, untilSeconds }: { atSeconds: number; untilSeconds: number },
): Promise<PastPrices> {
  const rows = [...(await listOpenings(db, atSeconds, untilSeconds)), ...(await listPrices(db, atSeconds, untilSeconds))]
  return {
    first: await listPricesAt(db, atSeconds),
    changes: groupChanges(rows),
  }
}

function groupChanges(rows: readonly Row[]): PastPrices['changes'] {
  const groups = new Map<Address, PriceChange[]>()
  for (const { pool, timestamp, price } of rows) {
    const change = { atSeconds: timestamp, sqrtPriceX96: BigInt(price) }
    const own = groups.get(pool)
    if (own) own.push(change)
    else groups.set(pool, [change])
  }
  return groups
}

/**
 * The median of each pool's window before a past moment, worked out when it is asked for: of a big exchange's pools few are. Pure.
 * @param past has the prices as the window begins, and all changes in it
 */
export function mediansOf({ first, changes }: PastPrices, window: PriceWindow): MediansOf {
  const known = new Map<Address, bigint | undefined>()
  return {
    get: (pool) => {
      if (!known.has(pool)) known.set(pool, medianAfter(first.get(pool), changes.get(pool) ?? [], window))
      return known.get(pool)
    },
  }
}

/**
 * The median of one pool's window, weighted by time, of the prices at the ends of blocks; undefined where it was not open by its end. Pure.
 * @param before the price before all the changes; undefined: the pool was not open
 * @param changes in the order of the chain, all in the window among them
 */
export function medianAfter(
  before: bigint | undefined,
  changes: readonly PriceChange[],
  window: PriceWindow,
): bigint | undefined {
  const start = window.nowSeconds - window.windowSeconds
  let price = before
  const inside: PriceChange[] = []
  for (const change of changes) {
    if (change.atSeconds <= start) price = change.sqrtPriceX96
    else if (change.atSeconds <= window.nowSeconds) inside.push(change)
  }
  if (inside.length === 0) return price
  const first = price === undefined ? [] : [{ atSeconds: start, sqrtPriceX96: price }]
  return medianPrice([...first, ...inside], window)
}

/** The same out of the store, for one moment, of every pool: which may be kept without the prices behind them. */
export async function listMediansAt(db: Db | Tx, window: PriceWindow): Promise<ReadonlyMap<Address, bigint>> {
  const { nowSeconds, windowSeconds } = window
  const past = await readPastPrices(db, { atSeconds: nowSeconds - windowSeconds, untilSeconds: nowSeconds })
  const medians = mediansOf(past, window)
  const pools = new Set([...past.first.keys(), ...past.changes.keys()])
  return new Map(
    [...pools].flatMap((pool) => {
      const median = medians.get(pool)
      return median === undefined ? [] : [[pool, median] as const]
    }),
  )
}

/**
 * The same of a few pools alone, by their own rows: a look or two into an index for each.
 * @returns without pools that were not open by then
 */
export async function listMediansOf(db: Db | Tx, pools: readonly Address[], window: PriceWindow): Promise<MediansOf> {
  const atSeconds = window.nowSeconds - window.windowSeconds
  const first = new Map<Address, bigint>()
  const changes = new Map<Address, readonly PriceChange[]>()
  for (const pool of new Set(pools)) {
    const before = await findPriceAt(db, pool, atSeconds)
    if (before !== undefined) first.set(pool, before)
    const openings = before === undefined ? await listOpeningsOf(db, pool, window.nowSeconds) : []
    const own = db.selectFrom('swaps').select(['timestamp', 'sqrt_price_x96']).where('pool', '=', pool)
    const rows = await own
      .where('timestamp', '>', atSeconds)
      .where('timestamp', '<=', window.nowSeconds)
      .orderBy('timestamp')
      .orderBy('block_number')
      .orderBy('log_index')
      .execute()
    const moves = rows.map((row) => ({ atSeconds: row.timestamp, sqrtPriceX96: BigInt(row.sqrt_price_x96) }))
    changes.set(pool, [...openings, ...moves])
  }
  return mediansOf({ first, changes }, window)
}

/** After a pool's last swap until a moment, else as it was opened; undefined when that came later. */
export async function findPriceAt(db: Db | Tx, pool: Address, atSeconds: number): Promise<bigint | undefined> {
  const swap = await db
    .selectFrom('swaps')
    .select('sqrt_price_x96')
    .where('pool', '=', pool)
    .where('timestamp', '<=', atSeconds)
    .orderBy('timestamp', 'desc')
    .orderBy('block_number', 'desc')
    .orderBy('log_index', 'desc')
    .limit(1)
    .executeTakeFirst()
  const opening = () =>
    db
      .selectFrom('pool_events')
      .select('sqrt_price_x96')
      .where('pool', '=', pool)
      .where('kind', '=', 'initialize')
      .where('timestamp', '<=', atSeconds)
      .limit(1)
      .executeTakeFirst()
  const price = (swap ?? (await opening()))?.sqrt_price_x96
  return price === null || price === undefined ? undefined : BigInt(price)
}

/** None until a pool is open by a moment. */
async function listOpeningsOf(db: Db | Tx, pool: Address, toSeconds: number): Promise<PriceChange[]> {
  const rows = await db
    .selectFrom('pool_events')
    .select(['timestamp', 'sqrt_price_x96'])
    .where('pool', '=', pool)
    .where('kind', '=', 'initialize')
    .where('timestamp', '<=', toSeconds)
    .limit(1)
    .execute()
  return rows.flatMap(({ timestamp, sqrt_price_x96 }) =>
    sqrt_price_x96 === null ? [] : [{ atSeconds: timestamp, sqrtPriceX96: BigInt(sqrt_price_x96) }],
  )
}

type Row = { readonly pool: Address; readonly timestamp: number; readonly price: string }

async function listPrices(db: Db | Tx, afterSeconds: number, toSeconds: number): Promise<Row[]> {
  return db
    .selectFrom('swaps')
    .select(['pool', 'timestamp', 'sqrt_price_x96 as price'])
    .where('timestamp', '>', afterSeconds)
    .where('timestamp', '<=', toSeconds)
    .orderBy('timestamp')
    .orderBy('block_number')
    .orderBy('log_index')
    .execute()
}

async function listOpenings(db: Db | Tx, afterSeconds: number, toSeconds: number): Promise<Row[]> {
  const rows = await db
    .selectFrom('pool_events')
    .select(['pool', 'timestamp', 'sqrt_price_x96'])
    .where('timestamp', '>', afterSeconds)
    .where('timestamp', '<=', toSeconds)
    .where('kind', '=', 'initialize')
    .execute()
  return rows.flatMap(({ sqrt_price_x96, ...row }) => (sqrt_price_x96 === null ? [] : [{ ...row, price: sqrt_price_x96 }]))
}
