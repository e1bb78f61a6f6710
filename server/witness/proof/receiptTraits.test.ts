import { describe, expect, it } from 'vitest'
import { createReceiptTraits, judgeWeight, type Traits } from './receiptTraits.ts'
import type { Weight } from './weighReceipts.ts'

const whole: Weight = { isComplete: true, root: true, bloom: true, header: true, hasReceipts: true, hasLogs: true }
const usual: Traits = { roots: true, blooms: true, headers: true }
const unknown: Traits = { roots: undefined, blooms: undefined, headers: undefined }
const strange: Traits = { roots: false, blooms: false, headers: undefined }

describe('receipts', () => {
  it.each<[string, Partial<Weight>, Traits, 'proven' | 'plausible' | undefined]>([
    ['that make the root of their header prove themselves', {}, usual, 'proven'],
    ['do so on a chain that nothing is known of', {}, unknown, 'proven'],
    ['that lack one of a transaction are no answer, on any chain', { isComplete: false, root: undefined }, strange, undefined],
    ['that make another root are none', { root: false }, usual, undefined],
    ['that make another root are none before the chain is known', { root: false }, unknown, undefined],
    ['of a chain whose roots are something else are plausible', { root: false }, { ...usual, roots: false }, 'plausible'],
    ['of it are none when the bloom shows other logs', { root: false, bloom: false }, { ...usual, roots: false }, undefined],
    ['of a chain of own roots and blooms are plausible', { root: false, bloom: false }, strange, 'plausible'],
    ['of a type of its own are plausible', { root: undefined }, usual, 'plausible'],
    ['of a type of its own are none when the bloom shows other logs', { root: undefined, bloom: false }, usual, undefined],
    ['under a header that cannot be checked are plausible where others can', { header: undefined }, usual, 'plausible'],
    ['under a header that is not the block of its hash are none', { header: false }, usual, undefined],
    ['that are none prove nothing where every header has the root of none', { hasReceipts: false }, strange, 'plausible'],
  ])('%s', (_name, weight, traits, verdict) => expect(judgeWeight({ ...whole, ...weight }, traits)).toBe(verdict))
})

describe("a chain's ways", () => {
  const learn = (...weights: Partial<Weight>[]) => {
    const receipts = createReceiptTraits()
    for (const [block, weight] of weights.entries()) receipts.see(block, { ...whole, header: undefined, ...weight })
    return receipts.traits()
  }

  it('are known from one block that fits', () => expect(learn({}, { root: false })).toMatchObject({ roots: true, blooms: true }))

  it('are its own after three blocks that do not fit on any node', () => {
    expect(learn({ root: false }, { root: false })).toMatchObject({ roots: undefined, blooms: true })
    expect(learn({ root: false }, { root: false }, { root: false })).toMatchObject({ roots: false })
  })

  it('are known again when one fits later', () => {
    expect(learn({ root: false }, { root: false }, { root: false }, {})).toMatchObject({ roots: true })
  })

  it('are not learned from an empty block, nor from receipts that are not complete', () => {
    const nothing = { hasReceipts: false, hasLogs: false }
    const short = { isComplete: false, root: false, bloom: false }
    expect(learn(nothing, nothing, nothing, short, short, short)).toMatchObject({ roots: undefined, blooms: undefined })
  })
})
