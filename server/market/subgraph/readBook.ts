import {
  type Address,
  daySeconds,
  findRoutes,
  isEstablished,
  type RouteRules,
  type Routes,
  startOfHour,
  stepsBy,
} from '@chainboard/core'
import type { BlockRef } from '../../store/syncCursor.ts'
import type { PoolBook } from '../answerFromPools.ts'
import { lastHours } from '../usdHistory.ts'
import { type HourVolume, listValuingPools, valueVolumes } from '../valueVolumes.ts'
import { listVolumesSince } from './dayVolumes.ts'
import type { HourRow } from './hourRow.ts'
import { pickPastPrices } from './pastPrices.ts'
import type { PoolRow } from './poolRow.ts'
import { type PastOfPools, readPast } from './readPast.ts'
import type { SubgraphClient } from './subgraphClient.ts'

/** Pools whose volume is counted: the busiest ones of the listed tokens. Those beyond count nothing. */
const tradedPoolsMax = 1_000
/** The hours of a window of 24 hours, the two that it cuts included. */
const windowHours = 25

export type BookRequest = RouteRules & { readonly atBlock: BlockRef; readonly listed: readonly Address[] }

/**
 * All that the subgraph knows of these pools and the listed tokens, at one block.
 * @throws Failure as the client does
 */
export async function readBook(
  client: SubgraphClient,
  rows: readonly PoolRow[],
  { atBlock, listed, ...valuation }: BookRequest,
): Promise<PoolBook> {
  const nowSeconds = atBlock.timestampSeconds
  // A subgraph does not say when a pool first traded: when it was made has to do.
  const pools = rows.map((row) => ({
    ...row,
    // Nor what it was in the minutes before.
    window: { ...row, isSettled: true },
    reach: undefined,
    isEstablished: row.hasTraded && isEstablished(row.createdAtSeconds, nowSeconds),
  }))
  const tokens = new Map(pools.flatMap(({ tokens }) => tokens).map((token) => [token.address, token]))
  const decimals = new Map(
    [...tokens].flatMap(([address, { decimals }]) => (decimals === undefined ? [] : [[address, decimals] as const])),
  )
  const { depthFloorUsdE18 } = valuation
  const routes = findRoutes({ pools, stepTo: stepsBy(decimals), ...valuation, takesStablesAtWord: true })
  const traded = pickTraded(pools, listed)
  const quoting = new Set(listed.flatMap((token) => routes.found.get(token)?.route ?? []).map(({ pool }) => pool))
  const priced = [...new Set([...quoting, ...listValuingPools({ pools: traded, routes: routes.found })])]
  const past = await readPast(client, {
    nowSeconds,
    atBlockNumber: atBlock.number,
    traded: traded.map(({ address }) => address),
    priced,
  })
  const quoted = pools.filter(({ address }) => quoting.has(address))
  return {
    source: 'subgraph',
    atBlock,
    depthFloorUsdE18,
    pools: pools.map((pool) => ({ ...pool, lastSwapAtSeconds: past.lastSwapAtSeconds.get(pool.address) })),
    routes,
    decimals,
    symbols: new Map([...tokens].map(([address, { symbol }]) => [address, symbol])),
    // Subgraphs keep the supply of when a token was first seen, and many forks 0.
    supplies: new Map(),
    dayAgo: pickPastPrices({
      atSeconds: nowSeconds - daySeconds,
      pools: quoted,
      hours: past.untilDayAgo,
      swapsOf: past.dayAgoSwapsOf,
    }),
    weekAgo: pickPastPrices({
      atSeconds: nowSeconds - 7 * daySeconds,
      pools: quoted,
      hours: past.untilWeekAgo,
      swapsOf: past.weekAgoSwapsOf,
    }),
    recentRanges: new Map(),
    lastingTrust: new Map(),
    volumes: valueDay({ nowSeconds, past, traded, routes, decimals, priced }),
    windowSeconds: undefined,
  }
}

function pickTraded(pools: readonly PoolRow[], listed: readonly Address[]): PoolRow[] {
  const wanted = new Set(listed)
  return pools
    .filter(({ token0, token1 }) => wanted.has(token0) || wanted.has(token1))
    .sort((a, b) => b.txCount - a.txCount)
    .slice(0, tradedPoolsMax)
}

type DayRequest = {
  readonly nowSeconds: number
  readonly past: PastOfPools
  readonly traded: readonly PoolRow[]
  readonly routes: Routes
  readonly decimals: ReadonlyMap<Address, number>
  readonly priced: readonly Address[]
}

function valueDay({ nowSeconds, past, traded, routes, decimals, priced }: DayRequest): ReadonlyMap<Address, bigint> {
  const sinceSeconds = nowSeconds - daySeconds
  const volumes: HourVolume[] = listVolumesSince({ sinceSeconds, hours: past.dayHours, swapsOf: past.dayAgoSwapsOf })
  const before = past.untilDayAgo.filter(({ startSeconds }) => startSeconds < startOfHour(sinceSeconds))
  const hoursOf = Map.groupBy<Address, HourRow>([...before, ...past.dayHours], ({ pool }) => pool)
  const ascending = (hours: readonly HourRow[]) => hours.toSorted((a, b) => a.startSeconds - b.startSeconds)
  return valueVolumes({
    volumes,
    pools: traded,
    routes: routes.found,
    decimals,
    hours: lastHours(nowSeconds, windowHours),
    poolHours: new Map(priced.map((pool) => [pool, ascending(hoursOf.get(pool) ?? [])])),
  })
}
