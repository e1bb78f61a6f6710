import { expect, it } from 'vitest'
import { mapAtOnce } from './mapAtOnce.ts'

/** Work that ends only when it is told to. */
function createWork() {
  const begun: { readonly item: string; end(): void; fail(): void }[] = []
  const work = (item: string) => {
    const { promise, resolve, reject } = Promise.withResolvers<string>()
    begun.push({ item, end: () => resolve(item.toUpperCase()), fail: () => reject(new Error(item)) })
    return promise
  }
  return { begun, work, items: () => begun.map(({ item }) => item) }
}

const turns = () => new Promise((resolve) => setImmediate(resolve))

it('begins the next item only when one is done, and keeps the order of the items', async () => {
  const { begun, work, items } = createWork()
  const results = mapAtOnce(['a', 'b', 'c', 'd'], 2, work)
  expect(items()).toEqual(['a', 'b'])
  begun[1]?.end()
  await turns()
  expect(items()).toEqual(['a', 'b', 'c'])
  begun[2]?.end()
  await turns()
  begun[3]?.end()
  begun[0]?.end()
  expect(await results).toEqual(['A', 'B', 'C', 'D'])
})

it('begins nothing after a failure, which it ends in', async () => {
  const { begun, work, items } = createWork()
  const results = mapAtOnce(['a', 'b', 'c', 'd'], 2, work)
  begun[0]?.fail()
  await expect(results).rejects.toThrow('a')
  begun[1]?.end()
  await turns()
  expect(items()).toEqual(['a', 'b'])
})

it('has nothing to do for no items', async () => {
  expect(await mapAtOnce([], 4, createWork().work)).toEqual([])
})
