import fc from 'fast-check'
import { expect, it } from 'vitest'
import { MaxHeap } from './maxHeap.ts'

type Item = { readonly size: number; readonly name: string }
const create = () => new MaxHeap<Item>((a, b) => (a.size === b.size ? a.name < b.name : a.size > b.size))

it('gives the items in their order, whatever the order they came in', () => {
  const heap = create()
  for (const [name, size] of Object.entries({ a: 3, b: 9, c: 1, d: 9, e: 4 })) heap.push({ name, size })
  const names = Array.from({ length: 6 }, () => heap.pop()?.name)
  expect(names).toEqual(['b', 'd', 'e', 'a', 'c', undefined])
})

it('is empty at first, and again after its last item', () => {
  const heap = create()
  expect(heap.pop()).toBeUndefined()
  heap.push({ name: 'a', size: 1 })
  expect(heap.pop()).toEqual({ name: 'a', size: 1 })
  expect(heap.pop()).toBeUndefined()
})

it('gives the first of what is in it at any time, while items come and go', () =>
  fc.assert(
    fc.property(fc.array(fc.option(fc.integer({ min: 0, max: 20 }))), (steps) => {
      const heap = create()
      const inside: Item[] = []
      steps.forEach((size, i) => {
        if (size !== null) {
          const item = { size, name: String(i).padStart(4, '0') }
          heap.push(item)
          inside.push(item)
          return
        }
        inside.sort((a, b) => b.size - a.size || (a.name < b.name ? -1 : 1))
        expect(heap.pop()).toBe(inside.shift())
      })
    }),
  ))
