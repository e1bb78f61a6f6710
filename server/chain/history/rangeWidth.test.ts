import { describe, expect, it } from 'vitest'
import { createRangeWidth } from './rangeWidth.ts'

describe('the width of the ranges of a node', () => {
  it('doubles while ranges are empty, and grows to what holds about two thousand logs', () => {
    const width = createRangeWidth()
    const seen = [width.blocks()]
    for (const logs of [0, 0, 1_000, 4_000, 40_000]) {
      width.took({ blocks: width.blocks(), logs })
      seen.push(width.blocks())
    }
    expect(seen).toEqual([400, 800, 1_600, 3_200, 1_600, 80])
  })

  it('comes down to one block for a block of fifty thousand logs', () => {
    const width = createRangeWidth()
    width.took({ blocks: 400, logs: 50_000 })
    expect(width.blocks()).toBe(16)
    width.took({ blocks: 1, logs: 50_000 })
    expect(width.blocks()).toBe(1)
  })

  it('grows once for ranges that were under way together, and is not narrowed by a short one that fits', () => {
    const width = createRangeWidth()
    for (let i = 0; i < 4; i += 1) width.took({ blocks: 400, logs: 0 })
    expect(width.blocks()).toBe(800)
    width.took({ blocks: 3, logs: 1 })
    expect(width.blocks()).toBe(800)
  })

  it('halves once for ranges that were refused together', () => {
    const width = createRangeWidth()
    for (let i = 0; i < 4; i += 1) width.took({ blocks: 400, logs: 0 })
    for (let i = 0; i < 4; i += 1) width.refused(800, {})
    expect(width.blocks()).toBe(400)
  })

  it('stays where a refusal put it for twenty ranges, and for five hundred where the node refuses every wider one', () => {
    const takenUntilWider = (always: boolean) => {
      const width = createRangeWidth()
      width.took({ blocks: 1_024, logs: 0 })
      width.refused(2_048, { blocks: 1_000, always })
      for (let taken = 0; ; taken += 1) {
        if (width.blocks() > 1_000) return taken
        width.took({ blocks: 1_000, logs: 10 })
      }
    }
    expect([takenUntilWider(false), takenUntilWider(true)]).toEqual([20, 500])
  })

  it('takes half of what was refused where the node offers just that', () => {
    const width = createRangeWidth()
    width.refused(400, { blocks: 400 })
    expect(width.blocks()).toBe(200)
    width.refused(200, { blocks: 7 })
    expect(width.blocks()).toBe(7)
  })

  it('never comes below one block', () => {
    const width = createRangeWidth()
    for (let i = 0; i < 20; i += 1) width.halve()
    expect(width.blocks()).toBe(1)
    width.refused(1, {})
    expect(width.blocks()).toBe(1)
  })
})
