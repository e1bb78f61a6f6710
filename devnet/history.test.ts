import { expect, test } from 'vitest'
import { historySeconds, historyStart, planBlocks } from './history.ts'

const noon = Date.UTC(2026, 4, 5, 12, 0, 0) / 1_000
const now = noon + 17 * 60 + 23

test('a full history starts at a full hour, at least 31 days and 2 hours ago', () => {
  const start = historyStart(now, historySeconds)
  expect(start % 3_600).toBe(0)
  expect(now - start).toBeGreaterThanOrEqual(31 * 86_400 + 7_200)
  expect(now - start).toBeLessThan(31 * 86_400 + 10_800)
})

test('every hour has a block, the last day one each 5 minutes, the last 2 hours one a minute', () => {
  const blocks = planBlocks(historyStart(now, historySeconds), now)
  const hours = new Set(blocks.map((block) => Math.floor(block.seconds / 3_600)))
  expect(hours.size).toBe(Math.floor(now / 3_600) - Math.floor(historyStart(now, historySeconds) / 3_600))
  // From 13:00 the day before until 10:20.
  expect(blocks.filter((block) => block.pace === 'fiveMinutes')).toHaveLength(256)
  expect(blocks.filter((block) => block.seconds > now - 7_200 && block.pace === 'minute').length).toBeGreaterThanOrEqual(118)
  expect(now - (blocks.at(-1)?.seconds ?? 0)).toBeLessThan(60)
})

test('block times rise, whatever the span', () => {
  for (let span = 0; span < 40 * 86_400; span = Math.floor(span * 1.17) + 7) {
    const times = planBlocks(now - span, now, 400).map((block) => block.seconds)
    expect(times.every((seconds, place) => seconds > (times[place - 1] ?? now - span) && seconds <= now)).toBe(true)
  }
})

test('an absence of any length is filled with at most 800 blocks', () => {
  for (const days of [0.01, 1, 3, 17, 31, 400, 4_000])
    expect(planBlocks(now - days * 86_400, now, 400).length).toBeLessThanOrEqual(800)
  expect(planBlocks(now - 30, now, 400).length).toBeLessThanOrEqual(1)
})
