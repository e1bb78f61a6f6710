import { lruLimit } from '@chainboard/core'
import { LRUCache } from 'lru-cache'
import { expect, it } from 'vitest'

it('keeps so many entries, and lets go of the one not used for longest', () => {
  const gone: string[] = []
  const cache = new LRUCache<string, number>({ ...lruLimit(2), dispose: (value, key) => gone.push(`${key} ${value}`) })
  cache.set('a', 1)
  cache.set('b', 2)
  cache.get('a')
  cache.set('c', 3)
  expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual([1, undefined, 3])
  expect(gone).toEqual(['b 2'])
})

it('takes no room for entries that have not come', () => {
  const bytes = () => process.memoryUsage().arrayBuffers
  const before = bytes()
  const caches = Array.from({ length: 20 }, () => new LRUCache<string, number>(lruLimit(1_000_000)))
  expect(bytes() - before).toBeLessThan(1_000_000)
  expect(caches.map(({ size }) => size)).toEqual(Array(20).fill(0))
})
