import { describe, expect, it } from 'vitest'
import { type Dump, describeDifference } from './compareWithScratch.ts'

const dumpOf = (swaps: readonly object[]) => ({ tokens: [{ address: '0x1' }], swaps }) as unknown as Dump

describe('two indexes of one chain', () => {
  it('are equal with the same rows', () => {
    expect(describeDifference(dumpOf([{ block: 1 }, { block: 2 }]), dumpOf([{ block: 1 }, { block: 2 }]))).toBeUndefined()
  })

  it.each([
    [[{ block: 1 }], 'swaps: 1 rows, from scratch 2; row 1 is undefined, from scratch {"block":2}'],
    [[{ block: 1 }, { block: 3 }], 'swaps: 2 rows, from scratch 2; row 1 is {"block":3}, from scratch {"block":2}'],
    [[{ block: 1 }, { block: 2 }, { block: 3 }], 'swaps: 3 rows, from scratch 2; row 2 is {"block":3}, from scratch undefined'],
  ])('differ by a row left out, changed or made up', (swaps, words) => {
    expect(describeDifference(dumpOf(swaps), dumpOf([{ block: 1 }, { block: 2 }]))).toBe(words)
  })
})
