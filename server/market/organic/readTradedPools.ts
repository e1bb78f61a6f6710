import type { Address } from '@chainboard/core'
import { findTickBefore, listPositionChanges, listTrades, type PositionChange, type Trade } from '../../store/origins.ts'
import { listLivePools, type Pool } from '../../store/pools.ts'
import type { Db } from '../../store/store.ts'
import { readPoolVolumes } from '../tradedVolume.ts'

/** Pools looked at: those of listed tokens with most volume. */
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
  /** With most volume first. */
  readonly pools: readonly TradedPool[]
  /** US dollars x 10^18 that each listed token traded within the day, in all its pools. */
  readonly gross: ReadonlyMap<Address, bigint>
  /** The lowest fee, in millionths, of all open pools of listed tokens; undefined without any. */
  readonly feeMin: number | undefined
}

/** What organic volume is made of, in many small readings: others have their turns in between. */
export async function readTradedPools(
  db: Db,
  { listed, fromSeconds, nowSeconds }: { listed: ReadonlySet<Address>; fromSeconds: number; nowSeconds: number },
): Promise<TradedPools> {
  const volumes = await readPoolVolumes(db, nowSeconds)
  const volumeOf = ({ address }: Pool) => volumes.get(address) ?? 0n
  const live = (await listLivePools(db)).filter(({ token0, token1 }) => listed.has(token0) || listed.has(token1))
  const gross = new Map<Address, bigint>()
  for (const pool of live)
    for (const token of [pool.token0, pool.token1])
      if (listed.has(token)) gross.set(token, (gross.get(token) ?? 0n) + volumeOf(pool))
  const traded = live
    .filter((pool) => volumeOf(pool) > 0n)
    .sort((a, b) => (volumeOf(a) > volumeOf(b) ? -1 : 1))
    .slice(0, poolsMax)
  const pools: TradedPool[] = []
  for (const pool of traded) {
    const read = await readPool(db, pool, fromSeconds)
    if (read) pools.push(read)
    await new Promise((turn) => setImmediate(turn))
  }
  const fees = live.flatMap(({ liquidity, fee }) => (liquidity > 0n ? fee : []))
  return { pools, gross, feeMin: fees.length === 0 ? undefined : fees.reduce((least, fee) => Math.min(least, fee)) }
}

async function readPool(db: Db, { address, token0, token1 }: Pool, fromSeconds: number): Promise<TradedPool | undefined> {
  const trades = await listTrades(db, { pool: address, fromSeconds, limit: tradesMax })
  const changes = await listPositionChanges(db, { pool: address, limit: changesMax })
  const first = trades[0]
  if (!first || !changes) return undefined
  const tickBefore = (await findTickBefore(db, address, first)) ?? first.tick
  return { address, token0, token1, trades, changes, tickBefore }
}
