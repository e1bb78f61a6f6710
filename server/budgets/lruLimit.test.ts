import { lruLimit } from '@chainboard/core'
import { LRUCache } from 'lru-cache'
import { expect, it } from 'vitest'

it('a cache forgets what was not used for longest, and takes no memory for what is not there', () => {
  const cache = new LRUCache<string, number>(lruLimit(3))
  for (const [place, name] of ['a', 'b', 'c'].entries()) cache.set(name, place)
  cache.get('a')
  cache.set('d', 3)
  expect([...cache.keys()].toSorted()).toEqual(['a', 'c', 'd'])
  const before = process.memoryUsage()
  const many = Array.from({ length: 10 }, () => new LRUCache<string, number>(lruLimit(1_000_000)))
  const after = process.memoryUsage()
  expect(many).toHaveLength(10)
  // Ten times 28 MB otherwise.
  expect(after.heapTotal + after.external - before.heapTotal - before.external).toBeLessThan(20_000_000)
})
