/** How many entries an LRU cache keeps, in the words of lru-cache. */
export type LruLimit = { readonly maxSize: number; readonly sizeCalculation: () => number }

/**
 * Keeps `max` entries, and takes memory as they come. The cache's own `max` takes it for all of them at once: 3 MB for 100,000, and a
 * server has some forty such caches.
 */
export function lruLimit(max: number): LruLimit {
  return { maxSize: max, sizeCalculation: () => 1 }
}
