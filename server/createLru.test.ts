import { expect, it } from 'vitest'
import { createLru } from './createLru.ts'

it('keeps so many entries, and lets go of the one not used for longest', () => {
  const gone: string[] = []
  const cache = createLru<number>(2, (value, key) => gone.push(`${key} ${value}`))
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
  const caches = Array.from({ length: 20 }, () => createLru<number>(1_000_000))
  expect(bytes() - before).toBeLessThan(1_000_000)
  expect(caches.map(({ size }) => size)).toEqual(Array(20).fill(0))
})
