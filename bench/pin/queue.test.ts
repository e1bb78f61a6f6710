import fc from 'fast-check'
import { expect, it } from 'vitest'
import { FreeQueue } from './queue.ts'

it('gives what is free first, and nothing when it is empty', () => {
  const queue = new FreeQueue()
  for (const [item, atSeconds] of [
    [1, 30],
    [2, 10],
    [3, 20],
  ] as const)
    queue.push(item, atSeconds)
  expect(queue.earliest()).toEqual({ item: 2, atSeconds: 10 })
  expect(queue.size).toBe(3)
  expect([queue.pop(), queue.pop(), queue.pop(), queue.pop()].map((each) => each?.item)).toEqual([2, 3, 1, undefined])
  expect(queue.size).toBe(0)
})

it('gives all that was put in, in the order of time', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(1_000)), (times) => {
      const queue = new FreeQueue()
      for (const [item, atSeconds] of times.entries()) queue.push(item, atSeconds)
      const given = times.map(() => queue.pop()?.atSeconds)
      expect(given).toEqual(times.toSorted((a, b) => a - b))
      expect(queue.pop()).toBeUndefined()
    }),
  )
})
