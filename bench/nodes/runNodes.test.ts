import { expect, it } from 'vitest'
import { quiet, readRows } from '../testing/readRows.ts'
import { type Played, toSection } from './runNodes.ts'

const world = (seed: number, falseLive: number, backAfter: number | undefined, breaches: string[] = []): Played => ({
  seed,
  outcome: { breaches, falseLive, off: 10 * falseLive, backAfter },
})

it('shows the longest times of most worlds, and how many are above the goal', () => {
  // Goals: 90 s, 150 s and 60 s. Of ten worlds 90 % are nine.
  const played = Array.from({ length: 9 }, (_, i) => world(i + 1, i + 1, 20.4))
  const section = toSection(quiet, [...played, world(10, 91, undefined, ['live on a false block for 91 s'])])
  expect(readRows(section)).toEqual([
    ['`live` on a block that is not on the chain', '5', '9', '91', '91', '90', '1'],
    ['off the chain, or more than 3 blocks and 30 s behind', '50', '90', '910', '910', '150', '1'],
    ['until `live` and right, once all nodes are honest', '20', '20', 'Infinity', 'Infinity', '60', '1'],
  ])
  expect(section).toContain('10 networks, 1 of them above a goal: 10.')
  expect(toSection(quiet, played)).toContain('9 networks, 0 of them above a goal: none.')
})
