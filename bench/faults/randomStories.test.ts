import { expect, it } from 'vitest'
import { quiet, readRows } from '../testing/readRows.ts'
import { drawStory, type Told } from './drawStory.ts'
import { toSection } from './randomStories.ts'

const told = (number: number, recoverySeconds: number, changes: Partial<Told> = {}): Told => ({
  ...{ number, acts: [{ name: 'null logs', fault: {}, ms: 300, calmMs: 0 }], reorgs: [], killed: false, recoverySeconds },
  ...{ trouble: undefined, ...changes },
})

it('adds up what happened to all servers', () => {
  const sums = [
    { acknowledged: 100, lost: [], answered: 600, overAdmitted: 0 },
    { acknowledged: 50, lost: ['a key'], answered: 300, overAdmitted: 2 },
  ]
  const stories = [told(1, 1.24), told(2, 9, { killed: true, reorgs: [3] }), told(3, 2, { trouble: 'swaps: row 1' })]
  expect(readRows(toSection({ ...quiet, told: stories, sums, minutes: 3.4 }))).toEqual([
    ...[
      ['Stories', '3'],
      ['Minutes', '3'],
      ['Faults', '3'],
      ['Reorgs', '1'],
      ['kill -9', '1'],
    ],
    ...[
      ['Index equal to one from scratch', '2'],
      ['Acknowledged writes', '150'],
      ['Lost', '1'],
    ],
    ...[
      ['Requests with a key answered', '900'],
      ['Over-admitted', '2'],
    ],
    ...[
      ['Seconds from the last fault to `live`, median', '2.0'],
      ['The same, maximum', '9.0'],
    ],
  ])
})

it('draws the same story of the same seed, within its limits', () => {
  const stories = Array.from({ length: 200 }, (_, i) => drawStory(`seed ${i}`, i))
  expect(drawStory('seed 7', 7)).toEqual(stories[7])
  for (const { acts, reorgs, killAtMs } of stories) {
    expect(acts.length).toBeGreaterThanOrEqual(1)
    expect(acts.length).toBeLessThanOrEqual(3)
    const lengthMs = acts.reduce((sum, { ms, calmMs }) => sum + ms + calmMs, 0)
    for (const { ms, calmMs } of acts) {
      expect(ms).toBeGreaterThanOrEqual(300)
      expect(ms).toBeLessThan(2_500)
      expect(calmMs).toBeLessThan(500)
    }
    for (const depth of reorgs) expect([1, 2, 3, 4, 5, 6, 7, 8]).toContain(depth)
    if (killAtMs !== undefined) expect(killAtMs).toBeLessThan(lengthMs)
  }
  // Half have a reorg, a quarter a kill: of 200 about 100 and 50.
  expect(stories.filter(({ reorgs }) => reorgs.length > 0).length).toBeGreaterThan(70)
  expect(stories.filter(({ killAtMs }) => killAtMs !== undefined).length).toBeLessThan(80)
  expect(new Set(stories.flatMap(({ acts }) => acts.map(({ name }) => name))).size).toBeGreaterThan(20)
})
