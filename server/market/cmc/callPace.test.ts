import { expect, it } from 'vitest'
import { createFakeClock } from '../../testing/fakeClock.ts'
import { createCallPace } from './callPace.ts'

it('lets so many calls pass in any 60 seconds, and the next ones when their turn comes', async () => {
  const clock = createFakeClock(1_000_000)
  const pass = createCallPace(2, clock)
  const { signal } = new AbortController()
  const passedAtMs: number[] = []
  const calls = (async () => {
    for (let call = 0; call < 5; call += 1) {
      await pass(signal)
      passedAtMs.push(clock.nowMs() - 1_000_000)
    }
  })()
  await clock.next(1, 1_060_000)
  await clock.next(1, 1_120_000)
  await calls
  expect(passedAtMs).toEqual([0, 0, 60_000, 60_000, 120_000])
})

it('lets everybody pass who is stopped', async () => {
  const stopping = new AbortController()
  const pass = createCallPace(1, createFakeClock(0))
  await pass(stopping.signal)
  const waiting = pass(stopping.signal)
  stopping.abort()
  await waiting
})
