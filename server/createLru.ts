import { LRUCache } from 'lru-cache'

/**
 * What was used last, up to `max` entries; the one not used for longest goes first. It takes room as entries come: with `max` of its
 * own, the cache takes it for all of them at once, 3 MB for 100,000, and a server has some forty.
 */
export function createLru<V extends NonNullable<unknown>>(
  max: number,
  dispose?: (value: V, key: string) => void,
): LRUCache<string, V> {
  return new LRUCache({ maxSize: max, sizeCalculation: () => 1, ...(dispose && { dispose }) })
}
