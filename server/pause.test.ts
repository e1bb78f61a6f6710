import { afterEach, expect, it, vi } from 'vitest'
import { pause } from './pause.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

it('waits as long as a timer can for what is longer than that, and not at all as Node would', async () => {
  const setTimer = vi.spyOn(globalThis, 'setTimeout')
  const stop = new AbortController()
  const waiting = pause(31 * 86_400_000, stop.signal)
  expect(setTimer.mock.calls[0]?.[1]).toBe(2_147_483_647)
  stop.abort()
  await waiting
})
