import type { Address } from '@chainboard/core'
import {
  findTickBefore,
  listPositionChanges,
  listTrades,
  type Place,
  type PositionChange,
  placeAfter,
} from '../../store/origins.ts'
import { listLivePools, type Pool } from '../../store/pools.ts'
import type { Db } from '../../store/store.ts'
import { readPoolVolumes } from '../tradedVolume.ts'
import { createLargest } from './createLargest.ts'
import { createPositionFold, type Trade } from './foldPositions.ts'

/** Pools looked at: those that count, by the dollars that they traded and hold, whichever is less. */
const poolsMax = 300
/** Swaps of a pool looked at: the largest of the day in dollars, so that dust takes no place of others. */
const tradesMax = 20_000
/** Rows read at once; others have their turns in between. */
const pageRows = 5_000
/** Pages of a pool that are gone through: of its swaps of the day, and of its changes of liquidity. */
const pagesMax = 200

/** A pool with what it traded within a day, and what the changes of its liquidity come to at each trade. */
export type TradedPool = Pick<Pool, 'address' | 'token0' | 'token1'> & {
  readonly trades: readonly Trade[]
  /** Those with the same trades before them by signer, in the order of these trades; nothing where there are too many. */
  readonly changes: readonly PositionChange[]
  /** At which it is now. */
  readonly tick: number
}

export type TradedPools = {
  /** Pools between a listed token and a quote of the network, those with most volume and tokens first, then quiet ones. */
  readonly pools: readonly TradedPool[]
  /** US dollars x 10^18 that each listed token traded within the day, in all its pools. */
  readonly gross: ReadonlyMap<Address, bigint>
  /** The part of it in pools with other tokens than quotes of the network: it counts nothing, whoever traded. */
  readonly ruledOut: ReadonlyMap<Address, bigint>
  /** The lowest fee, in millionths, of all open pools of listed tokens; undefined without any. */
  readonly feeMin: number | undefined
}

type TradedRequest = {
  readonly listed: ReadonlySet<Address>
  readonly quotes: ReadonlySet<Address>
  readonly fromSeconds: number
  readonly nowSeconds: number
}

/** What organic volume is made of, in many small readings: others have their turns in between. */
export async function readTradedPools(db: Db, { listed, quotes, fromSeconds, nowSeconds }: TradedRequest): Promise<TradedPools> {
  const volumes = await readPoolVolumes(db, nowSeconds)
  const volumeOf = ({ address }: Pool) => volumes.get(address) ?? 0n
  const live = (await listLivePools(db)).filter(({ token0, token1 }) => listed.has(token0) || listed.has(token1))
  const [gross, ruledOut] = [new Map<Address, bigint>(), new Map<Address, bigint>()]
  for (const pool of live)
    for (const [token, other] of [[pool.token0, pool.token1] as const, [pool.token1, pool.token0] as const]) {
      if (!listed.has(token) || volumeOf(pool) === 0n) continue
      for (const sums of quotes.has(other) ? [gross] : [gross, ruledOut])
        sums.set(token, (sums.get(token) ?? 0n) + volumeOf(pool))
    }
  // What is not in a pool cannot be turned over in it: a pool with next to nothing takes no place, whatever it trades.
  const placeOf = (pool: Pool) => (volumeOf(pool) < pool.tvlUsdE18 ? volumeOf(pool) : pool.tvlUsdE18)
  const counts = ({ token0, token1 }: Pool) =>
    (listed.has(token0) && quotes.has(token1)) || (listed.has(token1) && quotes.has(token0))
  const traded = live
    .filter((pool) => (volumeOf(pool) > 0n || pool.liquidity > 0n) && counts(pool))
    .sort((a, b) => (placeOf(a) > placeOf(b) ? -1 : 1))
    .slice(0, poolsMax)
  const pools: TradedPool[] = []
  for (const pool of traded) {
    pools.push(await readPool(db, pool, fromSeconds))
    await new Promise((turn) => setImmediate(turn))
  }
  const fees = live.flatMap(({ liquidity, fee }) => (liquidity > 0n ? fee : []))
  return { pools, gross, ruledOut, feeMin: fees.length === 0 ? undefined : fees.reduce((least, fee) => Math.min(least, fee)) }
}

async function readPool(db: Db, { address, token0, token1, tick = 0 }: Pool, fromSeconds: number): Promise<TradedPool> {
  const trades = createLargest(tradesMax, ({ usdE18 }: Trade) => usdE18)
  let tickBefore: number | undefined
  const from = placeAfter(fromSeconds)
  for await (const trade of goThrough((after) => listTrades(db, { pool: address, after, limit: pageRows }), from)) {
    trades.add({ ...trade, tickBefore: tickBefore ?? (await findTickBefore(db, address, trade)) ?? trade.tick })
    tickBefore = trade.tick
  }
  const kept = trades.list()
  const fold = createPositionFold(kept, tick)
  let rows = 0
  const start = placeAfter(0)
  for await (const change of goThrough((after) => listPositionChanges(db, { pool: address, after, limit: pageRows }), start)) {
    fold.add(change)
    rows += 1
  }
  // Without the newest changes it would have positions that are gone: nothing of it can be examined.
  if (rows >= pageRows * pagesMax) return { address, token0, token1, tick, trades: [], changes: [] }
  return { address, token0, token1, tick, trades: kept, changes: fold.list() }
}

/** Rows page by page, in the order of the chain. */
async function* goThrough<T extends Place>(read: (after: Place) => Promise<T[]>, from: Place): AsyncGenerator<T> {
  let after = from
  for (let page = 0; page < pagesMax; page += 1) {
    const rows = await read(after)
    yield* rows
    const last = rows.at(-1)
    if (!last || rows.length < pageRows) return
    after = last
    await new Promise((turn) => setImmediate(turn))
  }
}
