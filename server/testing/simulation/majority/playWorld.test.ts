import { expect, it } from 'vitest'
import { playWorldsInProcess } from '../runInProcess.ts'
import type { Audience, Lie, Manner, World } from './drawWorld.ts'

/** The first of three nodes lies from two minutes on for ten, and the chain replaces its newest blocks. */
const toWorld = (
  seed: string,
  { lie, to, share = 1, size, blockMs }: { lie: Lie; to: Audience; share?: number; size: number; blockMs: number },
  others: readonly [Manner, Manner] = ['fine', 'fine'],
): World => ({
  ...{ seed, blockMs, pollMs: 1_000, confirmations: 12, reorgMax: 3, liesEndAt: 720 },
  nodes: [{ phases: [{ atSeconds: 120, lie, to, share, size }] }, ...others.map((manner) => ({ manner }))],
})

it('an honest majority is served whatever the first node does', async () => {
  const worlds = [
    // The index stood still beside two perfect nodes.
    toWorld('a', { lie: 'refusesHeaders', to: 'all', size: 1, blockMs: 3_000 }),
    toWorld('b', { lie: 'refusesTheFirstBlock', to: 'all', size: 1, blockMs: 1_000 }, ['flaky', 'fine']),
    toWorld('c', { lie: 'fails', to: 'all', share: 0.2, size: 1, blockMs: 2_000 }),
    // It stood on a wrong block of the newest three.
    toWorld('d', { lie: 'ownBranch', to: 'together', size: 5, blockMs: 3_000 }),
    toWorld('e', { lie: 'deniesBlocks', to: 'together', size: 5, blockMs: 3_000 }),
    toWorld('f', { lie: 'otherTips', to: 'index', size: 60, blockMs: 12_000 }),
    // Honest nodes came last.
    toWorld('g', { lie: 'creeps', to: 'index', size: 1, blockMs: 12_000 }),
    toWorld('h', { lie: 'misdates', to: 'together', size: 42, blockMs: 12_000 }),
  ]
  const outcomes = await playWorldsInProcess(worlds)
  expect(outcomes.map(({ breaches }) => breaches)).toEqual(worlds.map(() => []))
}, 300_000)

it('nor does a world of a seed depend on anything but the seed', async () => {
  const [one, other] = await playWorldsInProcess([4, 4])
  expect(one).toEqual(other)
  expect(one?.falseLive).toBeGreaterThan(0)
}, 300_000)
