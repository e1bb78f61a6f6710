import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { createMerger } from './createMerger.ts'

/** A merge of a value that changes: reads it first, and has many turns before it returns what it read. */
function openWorld() {
  const world = { value: 0, stepsDone: 0 }
  const kept: { value: number }[] = []
  function* steps() {
    const read = { value: world.value }
    for (let step = 0; step < 8; step += 1) {
      const endMs = performance.now() + 2
      while (performance.now() < endMs);
      world.stepsDone += 1
      yield
    }
    return read
  }
  const merger = createMerger(steps, (merged) => {
    kept.push(merged)
    return merged
  })
  const untilStep = async (count: number) => {
    while (world.stepsDone < count) await setImmediate()
  }
  return { world, kept, merger, untilStep }
}

it('a merge in turns gives others their turns, and returns what it read at its start', async () => {
  const { world, kept, merger, untilStep } = openWorld()
  world.value = 1
  const merging = merger.mergeInTurns()
  await untilStep(2)
  expect(world.stepsDone).toBeLessThan(8)
  world.value = 2
  expect(await merging).toEqual({ value: 1 })
  expect(kept).toEqual([{ value: 1 }])
})

it('a merge at once during one in turns is newer, and stays', async () => {
  const { world, kept, merger, untilStep } = openWorld()
  world.value = 1
  const merging = merger.mergeInTurns()
  await untilStep(2)
  world.value = 2
  expect(merger.mergeAtOnce()).toEqual({ value: 2 })
  expect(await merging).toEqual({ value: 2 })
  expect(kept).toEqual([{ value: 2 }])
  world.value = 3
  expect(await merger.mergeInTurns()).toEqual({ value: 3 })
  expect(kept).toEqual([{ value: 2 }, { value: 3 }])
})

it('a merge at once before the first step of one in turns is older', async () => {
  const { world, kept, merger } = openWorld()
  const merging = merger.mergeInTurns()
  world.value = 1
  merger.mergeAtOnce()
  world.value = 2
  expect(await merging).toEqual({ value: 2 })
  expect(kept).toEqual([{ value: 1 }, { value: 2 }])
})
