import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { inTurns, mapSteps } from './inTurns.ts'

function work(ms: number): void {
  const endMs = performance.now() + ms
  while (performance.now() < endMs);
}

it('maps a long list, with turns for others in between', async () => {
  let done = 0
  let isDone = false
  const seen: number[] = []
  const others = (async () => {
    while (!isDone) {
      seen.push(done)
      await setImmediate()
    }
  })()
  const doubled = await inTurns(
    mapSteps([1, 2, 3, 4], (item) => {
      work(2)
      done += 1
      return item * 2
    }),
  )
  isDone = true
  await others
  expect(doubled).toEqual([2, 4, 6, 8])
  expect(seen).toEqual(expect.arrayContaining([0, 1, 2, 3, 4]))
})

it('fails as a step does', async () => {
  const steps = mapSteps([1], () => {
    throw new RangeError('No such pool')
  })
  await expect(inTurns(steps)).rejects.toThrow(new RangeError('No such pool'))
})
