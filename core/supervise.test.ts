import { expect, it } from 'vitest'
import { supervise } from './supervise.ts'

/** A clock that a pause moves on. */
function createClock() {
  let nowMs = 0
  return {
    nowMs: () => nowMs,
    pass: (ms: number) => {
      nowMs += ms
    },
    pause: async (ms: number) => {
      nowMs += ms
    },
  }
}

it('a part that fails again and again is started again after longer and longer waits', async () => {
  const clock = createClock()
  const stopping = new AbortController()
  const waits: number[] = []
  await supervise(() => Promise.reject(new Error('no')), {
    ...clock,
    signal: stopping.signal,
    onFault: (_error, retryInMs) => {
      waits.push(retryInMs)
      if (waits.length === 9) stopping.abort()
    },
  })
  expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 60_000])
})

it('a part that ran for five minutes first starts over with the shortest wait', async () => {
  const clock = createClock()
  const waits: number[] = []
  let runs = 0
  const run = async () => {
    runs += 1
    if (runs === 4) return
    if (runs === 3) clock.pass(300_000)
    throw new Error('no')
  }
  await supervise(run, { ...clock, signal: new AbortController().signal, onFault: (_error, ms) => void waits.push(ms) })
  expect(waits).toEqual([1_000, 2_000, 1_000])
})

it('a part that ends by itself is not started again', async () => {
  let runs = 0
  const run = async () => {
    runs += 1
  }
  const never = () => {
    throw new Error('no fault was expected')
  }
  await supervise(run, { ...createClock(), signal: new AbortController().signal, onFault: never })
  expect(runs).toBe(1)
})
