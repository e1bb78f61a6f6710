import { expect, it } from 'vitest'
import { createConfirmation } from './createConfirmation.ts'

const repaired = (block: number) => {
  const confirmation = createConfirmation()
  confirmation.repaired(block)
  return confirmation
}
const yes = async () => true
const no = async () => false

it('what was read again waits for a contract that agrees', async () => {
  const confirmation = repaired(5)
  await confirmation.see({ block: 20, pools: 2, agreed: 0, isWhole: yes })
  expect(confirmation.pending()).toBe(5)
  await confirmation.see({ block: 20, pools: 2, agreed: 1, isWhole: no })
  expect(confirmation.pending()).toBe(undefined)
})

it('an index without a pool has nothing to compare: only receipts confirm it', async () => {
  const confirmation = repaired(5)
  await confirmation.see({ block: 20, pools: 0, agreed: 0, isWhole: no })
  expect(confirmation.pending()).toBe(5)
  await confirmation.see({ block: 20, pools: 0, agreed: 0, isWhole: yes })
  expect(confirmation.pending()).toBe(undefined)
})

it('a comparison at an earlier block says nothing of it', async () => {
  const confirmation = repaired(5)
  await confirmation.see({ block: 4, pools: 1, agreed: 1, isWhole: yes })
  expect(confirmation.pending()).toBe(5)
})

it('a reorg below it leaves it unconfirmed from there on', async () => {
  const confirmation = repaired(5)
  confirmation.rolledBack(2)
  expect(confirmation.pending()).toBe(3)
})
