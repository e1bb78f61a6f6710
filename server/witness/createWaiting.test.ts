import type { Address } from '@chainboard/core'
import { describe, expect, it } from 'vitest'
import type { Chain } from '../chain/chain.ts'
import { FakeChain, type FakeEvent } from '../chain/fakeChain.ts'
import { insertBlocks } from '../store/blocks.ts'
import { setCursor } from '../store/syncCursor.ts'
import { witnessDefaults } from '../testing/following.ts'
import { factory, manager } from '../testing/market.ts'
import { createTempStores } from '../testing/tempStores.ts'
import { createTimeClaims } from './createTimeClaims.ts'
import { createWaiting } from './createWaiting.ts'
import { createReceiptTraits } from './proof/receiptTraits.ts'

const stores = createTempStores()
const pool: Address = `0x${'a1'.repeat(20)}`
const collect: FakeEvent = {
  address: pool,
  name: 'Collect',
  args: { owner: manager, recipient: manager, tickLower: -60, tickUpper: 60, amount0: 1n, amount1: 2n },
}

/** What nodes say of receipts: `silent`: of these blocks they have none; `others`: so many nodes have no log in any. */
type Receipts = { readonly silent?: (block: number) => boolean; readonly others?: number; readonly onAsked?: () => void }

/**
 * An index of a chain of 40 blocks that has no event of them, while the chain has one in each of these.
 * @param isRepairable which blocks may be repaired now
 */
async function open(blocks: readonly number[], isRepairable: (block: number) => boolean, receipts: Receipts = {}) {
  const { silent = () => false, others = 0, onAsked } = receipts
  const chain = new FakeChain()
  for (let block = 1; block <= 40; block += 1) chain.mine(blocks.includes(block) ? [collect] : [])
  const asked: number[] = []
  const nodeOf = (isEmpty: boolean): Chain => ({
    ...chain,
    forward: async (method, params) => {
      const answer = await chain.forward(method, params)
      if (method !== 'eth_getBlockReceipts' && !(isEmpty && method === 'eth_getBlockByNumber')) return answer
      const [block] = params as [string]
      if (method === 'eth_getBlockReceipts') {
        asked.push(Number(block))
        onAsked?.()
        if (silent(Number(block))) return null
        return isEmpty ? [] : answer
      }
      return { ...(answer as object), transactions: [] }
    },
  })
  const store = await stores.openNew('sqlite')
  const block = await chain.readHead()
  await store.write(async (tx) => {
    await insertBlocks(tx, [block])
    await setCursor(tx, { identity: 'some chain', block })
  })
  const clock = { ms: 0, rollbacks: 0 }
  const waiting = createWaiting(
    {
      ...witnessDefaults,
      ...{ factory, store, receipts: createReceiptTraits(), nowMs: () => clock.ms, claims: createTimeClaims(() => clock.ms) },
      nodes: [nodeOf(false), ...Array.from({ length: others }, () => nodeOf(true))],
      mayRepair: isRepairable,
    },
    () => clock.rollbacks,
  )
  const judge = async (end = 40) => (await waiting.judge(end, () => 1))?.block
  return { waiting, judge, asked, clock }
}

const always = () => true

describe('blocks that wait', () => {
  it('are shown lowest first, with whether something has decided about them', async () => {
    const { waiting } = await open([], always)
    expect([waiting.first(), waiting.lowest()]).toEqual([undefined, Number.POSITIVE_INFINITY])
    waiting.doubt(9)
    waiting.leave(7)
    expect([waiting.first(), waiting.lowest()]).toEqual([{ block: 7, isUndecided: false }, 7])
  })

  it('are no doubts again once they are known to be wrong', async () => {
    const { waiting } = await open([], always)
    waiting.leave(7)
    waiting.doubt(7)
    waiting.passOver(5, [7], 0)
    expect(waiting.first()).toEqual({ block: 7, isUndecided: false })
  })

  it('are a thousand doubts at most, and what is known to be wrong besides', async () => {
    const { waiting } = await open([], always)
    for (let block = 1; block <= 1_001; block += 1) waiting.doubt(block)
    expect(waiting.isFull()).toBe(false)
    waiting.leave(5_000)
    expect(waiting.isFull()).toBe(true)
  })

  it('go below where rows are kept, and above where the index ends', async () => {
    const { waiting } = await open([], always)
    for (const block of [5, 7, 9]) waiting.leave(block)
    waiting.forgetBefore(7)
    expect(waiting.first()?.block).toBe(7)
    waiting.rolledBack(8)
    waiting.forgetBefore(8)
    expect(waiting.first()).toBe(undefined)
  })
})

describe('what a node had more than the index', () => {
  it('is a doubt until that node was read once more without it', async () => {
    const { waiting } = await open([], always)
    waiting.passOver(1, [4, 7, 9], 0)
    waiting.takeBack({ from: 1, to: 8, by: 0, differing: new Set([7]) })
    expect(waiting.first()).toEqual({ block: 7, isUndecided: true })
    waiting.takeBack({ from: 1, to: 8, by: 0, differing: new Set() })
    expect(waiting.first()?.block).toBe(9)
  })

  it('is no other node to take back', async () => {
    const { waiting } = await open([], always)
    waiting.passOver(1, [4], 0)
    waiting.doubt(5)
    waiting.takeBack({ from: 1, to: 40, by: 1, differing: new Set() })
    expect(waiting.first()?.block).toBe(4)
    waiting.takeBack({ from: 1, to: 40, by: 0, differing: new Set() })
    expect(waiting.first()?.block).toBe(5)
  })

  it('leaves the span to be read again from where it began', async () => {
    const { waiting } = await open([], always)
    waiting.passOver(20, [24], 0)
    waiting.passOver(12, [], 0)
    waiting.passOver(30, [], 0)
    expect(waiting.lowest()).toBe(12)
  })
})

describe('judging them', () => {
  it('finds one that is wrong by its receipts, which is no mere doubt from then on', async () => {
    const { waiting, judge } = await open([7], always)
    waiting.doubt(7)
    expect(await judge()).toBe(7)
    expect(waiting.first()).toEqual({ block: 7, isUndecided: false })
  })

  it('forgets one that is right by its receipts', async () => {
    const { waiting, judge } = await open([], always)
    waiting.doubt(7)
    expect([await judge(), waiting.first()]).toEqual([undefined, undefined])
  })

  it('asks nothing about one that may not be repaired yet, or is above the end of the index', async () => {
    const { waiting, judge, asked } = await open([5, 7], (block) => block !== 5)
    waiting.leave(5)
    waiting.leave(7)
    expect([await judge(6), asked]).toEqual([undefined, []])
    expect(await judge(7)).toBe(7)
  })

  it('lets others have their turn behind sixteen that nothing decides about', async () => {
    const { waiting, judge } = await open([30], always, { silent: (block) => block < 30 })
    for (let block = 1; block <= 16; block += 1) waiting.doubt(block)
    waiting.doubt(30)
    expect([await judge(), await judge()]).toEqual([undefined, 30])
    expect(waiting.first()).toEqual({ block: 1, isUndecided: true })
  })

  it('decides nothing where as many nodes say one thing as another', async () => {
    const { waiting, judge } = await open([7], always, { others: 1 })
    waiting.doubt(7)
    expect([await judge(), waiting.first()]).toEqual([undefined, { block: 7, isUndecided: true }])
  })

  it('decides nothing by what was read before the index was taken back', async () => {
    const parts: { clock?: { rollbacks: number } } = {}
    const onAsked = () => {
      if (parts.clock) parts.clock.rollbacks += 1
    }
    const { waiting, judge, clock } = await open([7], always, { onAsked })
    parts.clock = clock
    waiting.doubt(7)
    expect([await judge(), waiting.first()]).toEqual([undefined, { block: 7, isUndecided: true }])
    delete parts.clock
    expect(await judge()).toBe(7)
  })
})
