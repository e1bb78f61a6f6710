import { expect, it } from 'vitest'
import { pickGiven } from './readEvidence.ts'

const give = (hash: `0x${string}`, isOurs: boolean) => ({ hash, isOurs, evidence: { logs: [], isProven: true, hash } })
const pick = (...given: Parameters<typeof pickGiven>[0]) => pickGiven(given).map((each) => (each as { hash?: string }).hash)

it('a block that one node made, and the index took, is judged by the block that more than half have', () => {
  expect(pick(give('0xa', true), give('0xb', false), give('0xb', false))).toEqual(['0xb', '0xb'])
})

it('without such a one by the block that the index has', () => {
  expect(pick(give('0xa', true), give('0xb', false))).toEqual(['0xa'])
  expect(pick(give('0xa', true), give('0xb', false), give('0xc', false))).toEqual(['0xa'])
})

it('a node that has the block and has forgotten its receipts decides which block it is, and says nothing of it', () => {
  const forgetful = { ...give('0xb', false), evidence: undefined }
  expect(pick(give('0xa', true), forgetful, give('0xb', false))).toEqual(['0xb'])
})
