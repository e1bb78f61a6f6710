import { type Address, Failure } from '@chainboard/core'
import { LRUCache } from 'lru-cache'
import type { PoolHistory, PoolHour, PoolSwap } from '../source.ts'
import { createBreaker } from './createBreaker.ts'
import { readHourRows } from './hourRow.ts'
import { readSelections, rowsPerPageMax, type Selection } from './readSelections.ts'
import { hoursBetween, lastHoursUntil, newestSwaps } from './selections.ts'
import type { SubgraphClient } from './subgraphClient.ts'
import { compareSwaps, readSwapRows } from './swapRow.ts'

const defaultCacheMs = 30_000
/** About 100 MB of rows; an hour that a chart covers is one. */
const cachedRowsMax = 200_000
const cachedKeysMax = 2_000
/** A route has four pools at most, and 90 days of hours are 2,160 rows of each. */
const pagesMax = 10
/** Swaps of one second come in no certain order: so many more are read that those of the last second are complete. */
const swapsOfOneSecondMax = 50
/** Swaps are read in such numbers: the 100 that a visitor may ask for, and the one before them, are one question however many. */
const swapsStep = 128

export type SubgraphHistoryOptions = { readonly cacheMs?: number }

/**
 * The past of pools from a Uniswap v3 subgraph, at its newest block. Answers are kept for 30 s, with one question under way
 * for each; while the subgraph fails, the last answer to the same question serves, however old.
 */
export function createSubgraphHistory(
  client: SubgraphClient,
  { cacheMs = defaultCacheMs }: SubgraphHistoryOptions = {},
): PoolHistory {
  const guarded = createBreaker(client)
  const hoursCache = createCache<HoursKey, ReadonlyMap<Address, readonly PoolHour[]>>(
    cacheMs,
    (key) => readHours(guarded, key),
    (hours) => [...hours.values()].reduce((rows, { length }) => rows + length, 1),
  )
  const swapsCache = createCache<SwapsKey, readonly PoolSwap[]>(
    cacheMs,
    (key) => readSwaps(guarded, key),
    (swaps) => swaps.length + 1,
  )
  return {
    listHoursCovering: async (pools, hours) => {
      const [from, last] = [hours[0], hours.at(-1)]
      if (from === undefined || last === undefined || pools.length === 0) return new Map(pools.map((pool) => [pool, []]))
      return hoursCache({ pools: [...new Set(pools)].sort(), from, last })
    },
    listNewestSwaps: async (pool, limit) => {
      const swaps = await swapsCache({ pool, limit: Math.ceil(limit / swapsStep) * swapsStep })
      return swaps.slice(0, limit)
    },
  }
}

type HoursKey = { readonly pools: readonly Address[]; readonly from: number; readonly last: number }
type SwapsKey = { readonly pool: Address; readonly limit: number }

async function readHours(
  client: SubgraphClient,
  { pools, from, last }: HoursKey,
): Promise<ReadonlyMap<Address, readonly PoolHour[]>> {
  const before = pools.map((pool) => lastHoursUntil(pool, from - 1, 1))
  const hours = readHourRows(await readRows(client, [...before, ...hoursBetween(pools, from, last)]))
  const hoursOf = Map.groupBy(hours, ({ pool }) => pool)
  return new Map(pools.map((pool) => [pool, (hoursOf.get(pool) ?? []).sort((a, b) => a.startSeconds - b.startSeconds)]))
}

async function readSwaps(client: SubgraphClient, { pool, limit }: SwapsKey): Promise<readonly PoolSwap[]> {
  const count = Math.min(rowsPerPageMax, limit + swapsOfOneSecondMax)
  const swaps = readSwapRows(await readRows(client, [newestSwaps(pool, count)]))
  return swaps.sort((a, b) => compareSwaps(b, a)).slice(0, limit)
}

async function readRows(client: SubgraphClient, selections: readonly Selection[]): Promise<unknown[]> {
  const selected = await readSelections(client, selections, { atBlockNumber: undefined, pagesMax })
  if (selected.every(({ whole }) => whole)) return selected.flatMap(({ rows }) => rows)
  throw new Failure('upstream-invalid', 'The subgraph returned more hours than there are', { retryable: true })
}

function createCache<K, V extends object>(
  cacheMs: number,
  read: (key: K) => Promise<V>,
  countRows: (value: V) => number,
): (key: K) => Promise<V> {
  const cache = new LRUCache<string, V, { readonly key: K }>({
    max: cachedKeysMax,
    maxSize: cachedRowsMax,
    sizeCalculation: countRows,
    ttl: cacheMs,
    fetchMethod: async (_text, last, { context }) => {
      try {
        return await read(context.key)
      } catch (error) {
        if (last && error instanceof Failure) return last
        throw error
      }
    },
  })
  return (key) => cache.forceFetch(JSON.stringify(key), { context: { key } })
}
