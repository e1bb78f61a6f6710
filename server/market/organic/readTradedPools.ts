import type { Address } from '@chainboard/core'
import { findTickBefore, listPositionChanges, listTrades, type PositionChange, type Trade } from '../../store/origins.ts'
import { listLivePools, type Pool } from '../../store/pools.ts'
import type { Db } from '../../store/store.ts'
import { readPoolVolumes } from '../tradedVolume.ts'

/** Pools looked at: those that count, by the dollars that they traded and hold, whichever is less. */
const poolsMax = 300
/** Swaps of a pool looked at, the newest. */
const tradesMax = 20_000
/** A pool whose liquidity changed more often is left out: it would take seconds. */
const changesMax = 50_000

/** A pool with what it traded within a day, and all changes of its liquidity. */
export type TradedPool = Pick<Pool, 'address' | 'token0' | 'token1'> & {
  readonly trades: readonly Trade[]
  readonly changes: readonly PositionChange[]
  /** Before the first of the trades. */
  readonly tickBefore: number
}

export type TradedPools = {
  /** Pools between a listed token and a quote of the network, those with most volume and tokens first. */
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
    .filter((pool) => volumeOf(pool) > 0n && counts(pool))
    .sort((a, b) => (placeOf(a) > placeOf(b) ? -1 : 1))
    .slice(0, poolsMax)
  const pools: TradedPool[] = []
  for (const pool of traded) {
    const read = await readPool(db, pool, fromSeconds)
    if (read) pools.push(read)
    await new Promise((turn) => setImmediate(turn))
  }
  const fees = live.flatMap(({ liquidity, fee }) => (liquidity > 0n ? fee : []))
  return { pools, gross, ruledOut, feeMin: fees.length === 0 ? undefined : fees.reduce((least, fee) => Math.min(least, fee)) }
}

async function readPool(db: Db, { address, token0, token1 }: Pool, fromSeconds: number): Promise<TradedPool | undefined> {
  const trades = await listTrades(db, { pool: address, fromSeconds, limit: tradesMax })
  const changes = await listPositionChanges(db, { pool: address, limit: changesMax })
  const first = trades[0]
  if (!first || !changes) return undefined
  const tickBefore = (await findTickBefore(db, address, first)) ?? first.tick
  return { address, token0, token1, trades, changes, tickBefore }
}
