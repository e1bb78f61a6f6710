import type { Address } from '@chainboard/core'
import { describe, expect, it } from 'vitest'
import type { ChainLog } from '../chain/chain.ts'
import { FakeChain, type FakeEvent } from '../chain/fakeChain.ts'
import { allowPaymentToken, boostContract, payBoost } from '../testing/fakeBoosts.ts'
import { alpha, usdc } from '../testing/market.ts'
import { createProofs } from './createProofs.ts'
import { boostTopics } from './decodeBoostLogs.ts'

const paidIn: Address = `0x${'99'.repeat(20)}`

/** The contract's logs of each block, by number from 1 on. */
async function logsOf(...blocks: readonly (readonly FakeEvent[])[]): Promise<(block: number) => readonly ChainLog[]> {
  const chain = new FakeChain()
  for (const events of blocks) chain.mine(events)
  const range = { from: 1, to: blocks.length, address: boostContract, topics: boostTopics, everyHeader: false }
  const { logs } = await chain.readRange(range)
  return (block) => logs.filter(({ blockNumber }) => blockNumber === block)
}

describe('decimals before a block, by what receipts have decided', () => {
  it('are those of the last log before it, in whatever order blocks were decided', async () => {
    const logs = await logsOf([allowPaymentToken(paidIn, 6)], [allowPaymentToken(paidIn, 8)], [allowPaymentToken(usdc, 2)])
    const proofs = createProofs()
    for (const block of [3, 2, 1]) proofs.add(block, logs(block))
    expect(Object.fromEntries(proofs.decimalsBefore(2))).toEqual({ [paidIn]: 6 })
    expect(Object.fromEntries(proofs.decimalsBefore(4))).toEqual({ [paidIn]: 8, [usdc]: 2 })
  })

  it('are those of its last log in a block with two of them', async () => {
    const logs = await logsOf([allowPaymentToken(paidIn, 6), allowPaymentToken(paidIn, 8)])
    const proofs = createProofs()
    proofs.add(1, logs(1).toReversed())
    expect(proofs.decimalsBefore(2).get(paidIn)).toBe(8)
  })

  it('are those of the second decision about a block, where there were two', async () => {
    const logs = await logsOf([allowPaymentToken(paidIn, 6), ...payBoost({ token: alpha, expiresAt: 9 })])
    const proofs = createProofs()
    proofs.add(1, logs(1))
    proofs.add(1, [])
    expect([proofs.has(1), proofs.decimalsBefore(2).size]).toEqual([true, 0])
  })
})

describe('blocks that receipts have decided about', () => {
  it('are remembered, payments or not, until all is read again', () => {
    const proofs = createProofs()
    proofs.add(7, [])
    expect([proofs.has(7), proofs.has(8)]).toEqual([true, false])
    proofs.clear()
    expect(proofs.has(7)).toBe(false)
  })

  it('are 20,000 at most: the oldest are decided about again', () => {
    const proofs = createProofs()
    for (let block = 1; block <= 20_001; block += 1) proofs.add(block, [])
    expect([proofs.has(1), proofs.has(2), proofs.has(20_001)]).toEqual([false, true, true])
  })
})
