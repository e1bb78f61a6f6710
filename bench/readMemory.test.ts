import { expect, it } from 'vitest'
import { readMemory } from './readMemory.ts'

it.skipIf(process.platform !== 'linux')('reads what this process holds, in bytes', () => {
  const kept = Buffer.alloc(64 * 2 ** 20, 1)
  const { nowBytes, peakBytes } = readMemory(process.pid)
  expect(nowBytes).toBeGreaterThan(kept.length)
  expect(nowBytes).toBeLessThan(16 * 2 ** 30)
  expect(peakBytes).toBeGreaterThanOrEqual(nowBytes)
})
