import { expect, test } from 'vitest'
import { toLeadSeconds } from './toLeadSeconds.ts'

test.each([
  ['a chain that was put two days ahead', { blockSeconds: 1_172_800, seenAtMs: 1_000_000_000 }, 172_800],
  ['a block that is half a second ahead', { blockSeconds: 1_000, seenAtMs: 999_500 }, 0],
  ['a block that is nearly three seconds ahead', { blockSeconds: 1_000, seenAtMs: 997_050 }, 2],
  ['a block that was seen as it was made', { blockSeconds: 1_000, seenAtMs: 1_000_000 }, 0],
  ['a block that is an hour old: the chain mines rarely, or is read late', { blockSeconds: 1_000, seenAtMs: 4_600_000 }, 0],
  ['no block', undefined, 0],
])('%s', (_, newest, leadSeconds) => {
  expect(toLeadSeconds(newest)).toBe(leadSeconds)
})
