import type { Address, TickList } from '@chainboard/core'
import type { Pool } from '../store/pools.ts'
import { type Lane, listPlaces, positionOf, type TickPlace } from './tickPlaces.ts'

/** A place of a pool's ticks, with all of them as the index has them. */
export type PoolPlace = TickPlace & { readonly pool: Pick<Pool, 'address' | 'tickSpacing'>; readonly list: TickList }

/** Where a lane is: pools that are still to be compared in this round, and the position in the first of them. */
export type Turn = { readonly queue: readonly Address[]; readonly after: number }

export type Plan = {
  readonly places: readonly PoolPlace[]
  /** Pools of which no place is left in this round. */
  readonly done: readonly Address[]
  /** Where the lane is after these places. */
  readonly next: Turn
}

type Known = { readonly pools: ReadonlyMap<Address, Pool>; readonly lists: ReadonlyMap<Address, TickList> }

/** Takes the next places of a lane, so many at most, of pools whose ticks are at hand. Pure. */
export function planLane(lane: Lane, { queue, after }: Turn, { pools, lists, limit }: Known & { readonly limit: number }): Plan {
  const places: PoolPlace[] = []
  const done: Address[] = []
  for (const address of queue) {
    const [pool, list] = [pools.get(address), lists.get(address)]
    const start = done.length === 0 ? after : Number.NEGATIVE_INFINITY
    const isAhead = (place: TickPlace) => pool !== undefined && positionOf(place, pool.tickSpacing) > start
    const ahead = pool && list ? listPlaces(pool, list, lane).filter(isAhead) : []
    const taken = ahead.slice(0, limit - places.length)
    if (pool && list) places.push(...taken.map((place) => ({ ...place, pool, list })))
    const last = taken.at(-1)
    const isOver = taken.length === ahead.length && (!pool || list)
    if (!isOver)
      return {
        places,
        done,
        next: { queue: queue.slice(done.length), after: pool && last ? positionOf(last, pool.tickSpacing) : start },
      }
    done.push(address)
  }
  return { places, done, next: { queue: [], after: Number.NEGATIVE_INFINITY } }
}
