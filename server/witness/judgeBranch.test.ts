import { expect, it } from 'vitest'
import { judgeBranch } from './judgeBranch.ts'

it('nodes that all have the index’s block agree, and so do those that do not answer', () => {
  expect(judgeBranch(['a', 'a', 'a'], 'a')).toEqual({ kind: 'agreed' })
  expect(judgeBranch(['a', undefined, undefined], 'a')).toEqual({ kind: 'agreed' })
  expect(judgeBranch([undefined, undefined], 'a')).toEqual({ kind: 'agreed' })
})

it('the one that has another block than more than half of all is off, whichever the index has', () => {
  expect(judgeBranch(['a', 'b', 'b'], 'a')).toEqual({ kind: 'split', off: [0], isIndexOff: true })
  expect(judgeBranch(['b', 'a', 'b'], 'b')).toEqual({ kind: 'split', off: [1], isIndexOff: false })
  expect(judgeBranch(['a', 'a', 'b', 'c', 'a'], 'a')).toEqual({ kind: 'split', off: [2, 3], isIndexOff: false })
  expect(judgeBranch(['b', 'b'], 'a')).toEqual({ kind: 'split', off: [], isIndexOff: true })
})

it('half is not most, and neither is most of those that answer', () => {
  expect(judgeBranch(['a', 'b'], 'a')).toEqual({ kind: 'undecided' })
  expect(judgeBranch([undefined, 'b', undefined], 'a')).toEqual({ kind: 'undecided' })
  expect(judgeBranch(['a', 'b', 'c'], 'a')).toEqual({ kind: 'undecided' })
})
