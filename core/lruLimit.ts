/**
 * For an `LRUCache` of up to so many entries. Its own `max` takes the memory for all of them at once, 28 bytes each: dozens of caches
 * that are nearly empty took 150 MB.
 */
export function lruLimit(entriesMax: number): { readonly maxSize: number; readonly sizeCalculation: () => 1 } {
  return { maxSize: entriesMax, sizeCalculation: () => 1 }
}
