import { expect, it } from 'vitest'
import { createFoldShare } from './foldShare.ts'

it('folding counts as a quarter of reading before a stage has shown more', () => {
  const { weigh } = createFoldShare()
  expect(weigh({ read: 0, folded: 0, blocks: 1_000 })).toEqual({ read: 0, blocks: 1_250 })
  expect(weigh({ read: 1_000, folded: 500, blocks: 1_000 })).toEqual({ read: 1_125, blocks: 1_250 })
  expect(weigh({ read: 1_000, folded: 1_000, blocks: 1_000 })).toEqual({ read: 1_250, blocks: 1_250 })
})

it('the next stage is weighed by what the one before took', () => {
  const { see, weigh } = createFoldShare()
  // 1,000 blocks are read in 10 s, and folded in 20 s.
  see({ read: 0, folded: 0, blocks: 1_000 }, 0)
  see({ read: 500, folded: 0, blocks: 1_000 }, 5_000)
  see({ read: 1_000, folded: 0, blocks: 1_000 }, 10_000)
  see({ read: 1_000, folded: 400, blocks: 1_000 }, 18_000)
  see({ read: 1_000, folded: 1_000, blocks: 1_000 }, 30_000)
  expect(weigh({ read: 100, folded: 50, blocks: 100 })).toEqual({ read: 200, blocks: 300 })
})

it('a stage that begins again is measured from there', () => {
  const { see, weigh } = createFoldShare()
  see({ read: 0, folded: 0, blocks: 100 }, 0)
  see({ read: 90, folded: 0, blocks: 100 }, 90_000)
  // The node lost blocks: reading starts over, ten times as quickly.
  see({ read: 0, folded: 0, blocks: 100 }, 100_000)
  see({ read: 100, folded: 0, blocks: 100 }, 110_000)
  see({ read: 100, folded: 100, blocks: 100 }, 120_000)
  expect(weigh({ read: 0, folded: 0, blocks: 100 })).toEqual({ read: 0, blocks: 200 })
})

it('a stage without blocks is one block, so that nothing is divided by none', () => {
  expect(createFoldShare().weigh({ read: 0, folded: 0, blocks: 0 })).toEqual({ read: 0, blocks: 1 })
})
