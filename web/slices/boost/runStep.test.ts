import { toEventSelector } from 'viem'
import { describe, expect, it } from 'vitest'
import type { ContractCall } from '../../lib/sendCall.ts'
import type { BoostFacts } from './readFacts.ts'
import { runStep, type StepDeps } from './runStep.ts'
import { testFacts } from './testFacts.ts'

const parties = {
  contract: `0x${'c0'.repeat(20)}`,
  usdc: { address: `0x${'dc'.repeat(20)}`, decimals: 6 },
  token: `0x${'70'.repeat(20)}`,
} as const
const hash = `0x${'aa'.repeat(32)}` as const
const receipt = { transactionHash: hash, status: '0x1', blockNumber: '0x1', logs: [] }
const shown: BoostFacts = {
  ...testFacts,
  wallet: { address: '0x1', balanceRaw: 90_000_000n, allowanceRaw: 25_000_000n, refundRaw: 0n },
}
const withAllowance = (allowanceRaw: bigint): BoostFacts => ({
  ...shown,
  wallet: { address: '0x1', balanceRaw: 90_000_000n, allowanceRaw, refundRaw: 0n },
})

/** Does a step in a world that differs from the usual one, and answers what was told and what was sent. */
async function run(step: 'approve' | 'boost', world: Partial<StepDeps> = {}, reads: readonly (BoostFacts | Error)[] = [shown]) {
  const told: unknown[] = []
  const sent: ContractCall[] = []
  let read = 0
  await runStep(step, shown, parties, {
    read: async () => {
      const answer = reads[Math.min(read++, reads.length - 1)]
      if (!answer || answer instanceof Error) throw answer
      return answer
    },
    findRefusal: async () => undefined,
    transact: async (call, _, { onSent }) => {
      sent.push(call)
      onSent(hash)
      return { receipt }
    },
    wait: async () => undefined,
    isOpen: () => true,
    hasWalletChanged: () => false,
    tell: (event) => told.push('note' in event ? event.note : 'message' in event ? event.message : event.kind),
    ...world,
  })
  return { told, sent, reads: read }
}

const amount = '00000000000000000000000000000000000000000000000000000000017d7840'

describe('a step of a boost', () => {
  it('approves exactly the price, and waits until the node knows of it', async () => {
    const { told, sent, reads } = await run('approve', {}, [withAllowance(0n), withAllowance(0n), withAllowance(25_000_000n)])
    expect(told).toEqual(['walletAsked', 'sent', 'confirmed'])
    expect(sent).toEqual([{ to: parties.usdc.address, data: `0x095ea7b3${'c0'.repeat(20).padStart(64, '0')}${amount}` }])
    expect(reads).toBe(3)
  })

  it('says that the wallet has approved less, and takes an allowance that is as before for a node that is behind', async () => {
    const lowered = await run('approve', {}, [withAllowance(0n), withAllowance(7n)])
    expect(lowered.told).toEqual(['walletAsked', 'sent', 'Your wallet approved less than the price. Approve the full amount.'])
    const behind = await run('approve', {}, [withAllowance(0n)])
    expect(behind.told).toEqual(['walletAsked', 'sent', 'confirmed'])
  })

  it('pays for the token in USDC', async () => {
    const { told, sent } = await run('boost')
    expect(told).toEqual(['walletAsked', 'sent', 'confirmed'])
    expect(sent[0]?.to).toBe(parties.contract)
    expect(sent[0]?.data.slice(10)).toBe(`${'70'.repeat(20).padStart(64, '0')}${'dc'.repeat(20).padStart(64, '0')}`)
  })

  it('approves and pays together where the wallet can, unless it has approved before', async () => {
    const together: (readonly ContractCall[])[] = []
    const transactTogether: StepDeps['transactTogether'] = async (calls, _, { onSent }) => {
      together.push(calls)
      onSent(hash)
      return { receipt: { ...receipt, logs: logs.splice(0) } }
    }
    const findRefusal = async () => 'Not before it is approved'
    const word = (text: string) => `0x${text.padStart(64, '0')}` as const
    const topics = [toEventSelector('TokenBoosted(address,address,uint256)'), word('70'.repeat(20)), word('01'.repeat(20))]
    const logs = [{ address: parties.contract, topics, data: word('ff') }]
    const ofAnother = topics.with(1, word('71'.repeat(20)))
    const { told, sent } = await run('boost', { transactTogether, findRefusal }, [withAllowance(0n)])
    expect([told, sent]).toEqual([['walletAsked', 'sent', 'confirmed'], []])
    expect(together[0]?.map(({ to }) => to)).toEqual([parties.usdc.address, parties.contract])
    expect(together[0]?.[0]?.data.endsWith(amount)).toBe(true)
    expect((await run('boost', { transactTogether })).sent).toHaveLength(1)
    expect(together).toHaveLength(1)
    // Mined, and nothing of it was done.
    const failed = await run('boost', { transactTogether, findRefusal }, [withAllowance(0n)])
    expect(failed.told).toEqual(['walletAsked', 'sent', 'Boost transaction failed'])
    // Nor was it, if the same transaction boosted another one's token.
    logs.push({ address: parties.contract, topics: ofAnother, data: word('ff') })
    const others = await run('boost', { transactTogether, findRefusal }, [withAllowance(0n)])
    expect(others.told).toEqual(['walletAsked', 'sent', 'Boost transaction failed'])
  })

  it.each([
    ['the node is silent', new Error('no'), 'Failed to check wallet balance and contract status'],
    ['the price has changed', { ...shown, costRaw: 30_000_000n }, 'The price is now 30 USDC. Press again to pay.'],
    ['a boost lasts less', { ...shown, durationSeconds: 3_600 }, 'A boost now lasts 1 hour. Press again to pay.'],
    [
      'all terms have changed',
      { ...shown, costRaw: 30_000_000n, durationSeconds: 43_200 },
      'The price is now 30 USDC, and a boost now lasts 12 hours. Press again to pay.',
    ],
    ['the approval is gone', withAllowance(24_999_999n), 'Your approval no longer covers the price. Approve USDC again.'],
    ['the contract is paused', { ...shown, paused: true }, 'stopped'],
  ])('asks no wallet when %s', async (_, read, text) => {
    expect(await run('boost', {}, [read])).toMatchObject({ told: [text], sent: [] })
  })

  it('asks no wallet for what the contract would refuse', async () => {
    expect(await run('boost', { findRefusal: async () => 'No' })).toMatchObject({ told: ['No'], sent: [] })
  })

  it('asks no wallet for a window that was closed, and no other wallet than the one that was shown', async () => {
    expect(await run('boost', { isOpen: () => false })).toMatchObject({ told: [], sent: [] })
    expect(await run('boost', { hasWalletChanged: () => true })).toMatchObject({
      told: ['Your wallet has changed. Check it and try again.'],
      sent: [],
    })
  })

  it('says what a transaction failed of', async () => {
    const { told } = await run('boost', { transact: async (_, otherwise) => ({ message: otherwise }) })
    expect(told).toEqual(['walletAsked', 'Boost transaction failed'])
    const approval = await run('approve', { transact: async (_, otherwise) => ({ message: otherwise }) })
    expect(approval.told).toEqual(['walletAsked', 'Approval transaction failed'])
  })
})
