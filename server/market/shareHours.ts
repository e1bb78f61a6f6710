import type { Address } from '@chainboard/core'
import { LRUCache } from 'lru-cache'
import type { BlockRef } from '../store/syncCursor.ts'
import type { PoolHistory, PoolHour } from './source.ts'

/** Hours in memory, about 8 MB: a month of each of the pools that most routes meet in. */
const hoursMax = 20_000
const readingsMax = 1_000

type Hours = readonly PoolHour[]
type Reading = { readonly hours: Promise<Hours>; readonly count: number }

/**
 * A history that reads the hours of a pool once for a block, however many charts want them: most tokens have their price through a few
 * pools with others, whose hours are more than those of the token's own.
 * @param atBlock the block that answers are of now
 */
export function shareHours(history: PoolHistory, atBlock: () => BlockRef | undefined): PoolHistory {
  const kept = new LRUCache<string, Reading>({ max: readingsMax, maxSize: hoursMax, sizeCalculation: ({ count }) => count })
  let keptAt: BlockRef | undefined
  const read = async (key: string, pool: Address, hours: readonly number[]): Promise<Hours> => {
    const known = kept.get(key)
    if (known) return known.hours
    const reading = history.listHoursCovering([pool], hours).then((byPool) => byPool.get(pool) ?? [])
    const underWay = { hours: reading, count: 1 }
    kept.set(key, underWay)
    try {
      const { length } = await reading
      // Not what was read for a block before this one.
      if (kept.peek(key) === underWay) kept.set(key, { hours: reading, count: length + 1 })
    } catch {
      if (kept.peek(key) === underWay) kept.delete(key)
    }
    return reading
  }
  return {
    ...history,
    listHoursCovering: async (pools, hours) => {
      const now = atBlock()
      if (now !== keptAt) kept.clear()
      keptAt = now
      const spanned = [...new Set(pools)].map(async (pool) => {
        const key = `${pool} ${hours[0]} ${hours.at(-1)}`
        return [pool, await read(key, pool, hours)] as const
      })
      return new Map(await Promise.all(spanned))
    },
  }
}
