import type { Address } from '@chainboard/core'
import { describe, expect, it } from 'vitest'
import { createUncertainty } from './createUncertainty.ts'
import type { Waiting } from './createWaiting.ts'

const factory: Address = '0x00000000000000000000000000000000000000fa'
const stored = {
  pool: '0x00000000000000000000000000000000000000b0',
  blockNumber: 5,
  what: 'price',
  sinceSeconds: 1_700_000_000,
} as const

/** What the parts of a witness say at the moment. */
type Words = { waiting?: Waiting; claim?: string; again?: number; other?: string; nowSeconds: number }

function open(words: Words) {
  return createUncertainty({
    factory,
    nowSeconds: () => words.nowSeconds,
    second: { waiting: () => words.waiting },
    claims: { why: () => words.claim },
    confirmation: { pending: () => words.again },
    why: () => words.other,
  })
}

describe('why the index is not known to be right', () => {
  it('has no reason and only the stored doubts where no part has one', () => {
    expect(open({ nowSeconds: 1_700_000_100 })([stored])).toEqual({ unsure: undefined, doubts: [stored] })
  })

  it('names the block that nothing decides about, as a doubt of the factory behind the stored ones', () => {
    const describeUnsure = open({ waiting: { block: 9, isUndecided: true }, nowSeconds: 1_700_000_100 })
    expect(describeUnsure([stored])).toEqual({
      unsure: "The nodes' logs of block 9 differ from the index, and no receipts prove which are right: check RPC_URL",
      doubts: [stored, { pool: factory, blockNumber: 9, what: 'unproven', sinceSeconds: 1_700_000_100 }],
    })
  })

  it('prefers what is claimed of the block, which says what the operator can do', () => {
    const claim = 'One node contradicts block 9'
    const describeUnsure = open({ waiting: { block: 9, isUndecided: true }, claim, again: 3, other: 'x', nowSeconds: 7 })
    expect(describeUnsure([]).unsure).toBe(claim)
  })

  it('dates the doubt from when the block came into doubt, and another block anew', () => {
    const words: Words = { waiting: { block: 9, isUndecided: true }, nowSeconds: 100 }
    const describeUnsure = open(words)
    describeUnsure([])
    words.nowSeconds = 200
    expect(describeUnsure([]).doubts).toMatchObject([{ blockNumber: 9, sinceSeconds: 100 }])
    words.waiting = { block: 8, isUndecided: true }
    expect(describeUnsure([]).doubts).toMatchObject([{ blockNumber: 8, sinceSeconds: 200 }])
  })

  it('does not doubt a block that only waits for its repair', () => {
    const describeUnsure = open({ waiting: { block: 9, isUndecided: false }, nowSeconds: 100 })
    expect(describeUnsure([])).toEqual({ unsure: undefined, doubts: [] })
  })

  it('says that a repair is not confirmed before any other reason', () => {
    const words: Words = { again: 3, other: 'An error in the server', nowSeconds: 100 }
    const describeUnsure = open(words)
    expect(describeUnsure([]).unsure).toBe('The index was read again from block 3 on and is not yet confirmed by a contract')
    delete words.again
    expect(describeUnsure([]).unsure).toBe('An error in the server')
  })
})
