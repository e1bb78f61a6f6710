import { type Address, Failure, type Hex, noDepth } from '@chainboard/core'
import { describe, expect, it } from 'vitest'
import type { Chain } from '../chain/chain.ts'
import { insertPoolEvents } from '../store/poolEvents.ts'
import { emptyPoolState } from '../store/poolState.ts'
import type { Pool } from '../store/pools.ts'
import { createTempStores } from '../testing/tempStores.ts'
import { createBalances } from './createBalances.ts'

const stores = createTempStores()
const multicall: Address = `0x${'ca'.repeat(20)}`
const [token0, token1]: readonly [Address, Address] = [`0x${'10'.repeat(20)}`, `0x${'20'.repeat(20)}`]
const word = (value: number | bigint): Hex => `0x${value.toString(16).padStart(64, '0')}`
const addressOf = (place: number): Address => `0x${place.toString(16).padStart(40, '0')}`

const poolOf = (place: number, reserve0 = 100n): Pool => ({
  ...emptyPoolState,
  ...noDepth,
  ...{ address: addressOf(place), token0, token1, fee: 500, tick: 0, tickSpacing: 10, reserve0, reserve1: 0n },
  ...{ createdBlock: 0, createdAtSeconds: 0, firstSwapAtSeconds: undefined, lastSwapAtSeconds: undefined, reach: undefined },
})

/** What a pool owns of its first token at a block, and nothing of the second; undefined: the token reverts. */
type Owned = (place: number, block: number) => bigint | undefined

/** A node without a multicall. @param oldest the first block whose state it has */
function nodeOf(owned: Owned, oldest = 0): Chain {
  const node: Pick<Chain, 'forward'> = {
    async forward(_method, params) {
      const [{ to, data }, at] = params as [{ to: Address; data: Hex }, Hex | { blockHash: Hex }]
      if (to === multicall) return '0x'
      const block = Number(typeof at === 'string' ? at : at.blockHash)
      if (block < oldest) throw new Failure('rpc-unavailable', 'missing trie node', { retryable: true })
      const amount = to === token0 ? owned(Number(`0x${data.slice(-40)}`), block) : 0n
      return amount === undefined ? '0x' : word(amount)
    },
  }
  return node as Chain
}

async function open(...nodes: readonly Chain[]) {
  const store = await stores.openNew('sqlite')
  const clock = { ms: 0 }
  const balances = createBalances({ nodes, store, multicall, nowMs: () => clock.ms })
  const look = (number: number, pools: readonly Pool[] = [poolOf(1)], turn = 0) =>
    balances.step(pools, { block: { number, hash: word(number), timestampSeconds: number }, turn })
  return { store, clock, balances, look }
}

/** More than the events brought, from a block on. */
const giftFrom =
  (first: number, gift = 7n): Owned =>
  (_, block) =>
    block >= first ? 100n + gift : 100n

describe('balances of a pool', () => {
  it('that moved without an event lead to the block in which they did', async () => {
    const { look } = await open(nodeOf(giftFrom(57)))
    expect(await look(10)).toBe(undefined)
    expect(await look(90)).toEqual({
      ...{ pool: addressOf(1), fromBlock: 57, toBlock: 57 },
      moved: { block: 90, surplus0: 7n, surplus1: 0n },
    })
  })

  it('lead past the blocks in which events moved them', async () => {
    // A collect of 30 in block 80, and the gift in 57.
    const { store, look } = await open(nodeOf((_, block) => 100n + (block >= 57 ? 7n : 0n) - (block >= 80 ? 30n : 0n)))
    const event = { pool: addressOf(1), blockNumber: 80, logIndex: 0, txHash: word(1), timestampSeconds: 80 }
    const change = { owner: token0, tickLower: 0, tickUpper: 10, amount: undefined, amount0: 30n, amount1: 0n, sender: undefined }
    await store.write((tx) => insertPoolEvents(tx, [{ ...event, ...change, kind: 'collect' }], new Map()))
    await look(10)
    expect(await look(90, [poolOf(1, 70n)])).toMatchObject({ fromBlock: 57, toBlock: 57 })
  })

  it('that only events moved say nothing', async () => {
    const { look } = await open(nodeOf(giftFrom(57, 40n)))
    await look(10)
    expect(await look(90, [poolOf(1, 140n)])).toBe(undefined)
  })

  it('lead to all blocks since the last comparison where the states of these are gone', async () => {
    const { look } = await open(nodeOf(giftFrom(57)), nodeOf(giftFrom(57), 90))
    await look(10)
    expect(await look(90, [poolOf(1)], 1)).toMatchObject({ fromBlock: 11, toBlock: 90 })
  })

  it('say nothing where the next node has them otherwise, and are asked for again', async () => {
    let isFalse = true
    const { look } = await open(
      nodeOf(giftFrom(57)),
      nodeOf((_, block) => (isFalse ? 100n : giftFrom(57)(1, block))),
    )
    await look(10)
    expect(await look(90)).toBe(undefined)
    isFalse = false
    expect(await look(91)).toMatchObject({ fromBlock: 57, toBlock: 57 })
  })

  it('say nothing of a pool whose token does not answer, and keep no other from its turn', async () => {
    const { look } = await open(nodeOf((place, block) => (place <= 25 ? undefined : giftFrom(57)(place, block))))
    const pools = Array.from({ length: 26 }, (_, i) => poolOf(i + 1))
    for (const block of [10, 11]) expect(await look(block, pools)).toBe(undefined)
    expect(await look(90, pools)).toMatchObject({ pool: addressOf(26), fromBlock: 57 })
  })

  it('say nothing while the node is away', async () => {
    const { look } = await open(nodeOf(giftFrom(57), 1_000))
    expect(await look(10)).toBe(undefined)
  })

  it('are compared from where the index was taken back to', async () => {
    const { balances, look } = await open(nodeOf(giftFrom(57)), nodeOf(giftFrom(57), 100))
    await look(50)
    balances.rolledBack(30)
    expect(await look(100, [poolOf(1)], 1)).toMatchObject({ fromBlock: 31, toBlock: 100 })
  })
})

describe('a gift', () => {
  const firstMs = 30_000

  /** A pool that was given something in block 57, which was found. */
  async function openGiven(owned: Owned) {
    const parts = await open(nodeOf(owned))
    await parts.look(10)
    const accept = async (block: number) => {
      const movement = await parts.look(block)
      if (movement) parts.balances.accept(movement)
      return movement?.fromBlock
    }
    return { ...parts, accept }
  }

  it('is looked into once more half a minute later, as nodes may not have answered, and then is taken as it is', async () => {
    const { clock, accept } = await openGiven(giftFrom(57))
    expect(await accept(90)).toBe(57)
    clock.ms = firstMs - 1
    expect(await accept(91)).toBe(undefined)
    clock.ms = firstMs
    expect(await accept(92)).toBe(57)
    clock.ms = 10 * firstMs
    expect(await accept(93)).toBe(undefined)
  })

  it('after a gift is looked into after twice as long, and what comes meanwhile is taken as it is', async () => {
    const { clock, accept } = await openGiven((_, block) => 100n + BigInt(Math.max(0, block - 89)))
    await accept(90)
    clock.ms = firstMs
    expect(await accept(91)).toBe(90)
    clock.ms = 3 * firstMs - 1
    expect(await accept(95)).toBe(undefined)
    clock.ms = 3 * firstMs
    expect(await accept(97)).toBe(96)
  })
})
