import { type Address, createTickList, Failure, type Hex, noDepth, type TickLiquidity } from '@chainboard/core'
import { describe, expect, it } from 'vitest'
import type { Chain } from '../chain/chain.ts'
import { insertPoolEvents } from '../store/poolEvents.ts'
import { emptyPoolState } from '../store/poolState.ts'
import type { Pool } from '../store/pools.ts'
import { setCursor } from '../store/syncCursor.ts'
import { changeTicks } from '../store/ticks.ts'
import { createTempStores } from '../testing/tempStores.ts'
import { createTicks } from './createTicks.ts'

const stores = createTempStores()
const addressOf = (place: number): Address => `0x${place.toString(16).padStart(40, '0')}`
const word = (value: number | bigint): string => BigInt.asUintN(256, BigInt(value)).toString(16).padStart(64, '0')
const multicall = addressOf(0xca)
const tickSpacing = 60
const end = 90

const poolOf = (place: number): Pool => ({
  ...emptyPoolState,
  ...noDepth,
  ...{ address: addressOf(place), token0: addressOf(1), token1: addressOf(2), fee: 3_000, tick: 0, tickSpacing },
  ...{ createdBlock: 5, createdAtSeconds: 0, firstSwapAtSeconds: undefined, lastSwapAtSeconds: undefined, reach: undefined },
})

type Held = Readonly<Record<number, TickLiquidity>>
const bounds: Held = { [-60]: { gross: 7n, net: 7n }, 120: { gross: 7n, net: -7n } }

/** What the ticks of a pool's contract hold at a block; undefined: the node does not answer about it. */
type Truth = (place: number, block: number) => Held | undefined

/** A node without a multicall. */
function nodeWith(truth: Truth, asked: number[] = []): Chain {
  const node: Pick<Chain, 'forward'> = {
    async forward(_method, params) {
      const [{ to, data }, at] = params as [{ to: Address; data: Hex }, Hex | { blockHash: Hex }]
      if (to === multicall) return '0x'
      const place = Number(to)
      asked.push(place)
      const held = truth(place, Number(typeof at === 'string' ? at : at.blockHash))
      if (!held) throw new Failure('rpc-unavailable', 'missing trie node', { retryable: true })
      const { byTick } = createTickList(Object.entries(held).map(([tick, own]) => [Number(tick), own]))
      const asInt = Number(BigInt.asIntN(24, BigInt(`0x${data.slice(-64)}`)))
      if (data.startsWith('0xf30dba93')) {
        const { gross, net } = byTick.get(asInt) ?? { gross: 0n, net: 0n }
        return `0x${word(gross)}${word(net)}`
      }
      // Bit for bit as the contract has it: one for each tick of the word.
      const bits = [...byTick.keys()].map((tick) => tick / tickSpacing - 256 * asInt).filter((bit) => bit >= 0 && bit < 256)
      return `0x${word(bits.reduce((sum, bit) => sum | (1n << BigInt(bit)), 0n))}`
    },
  }
  return node as Chain
}

/** An index of pools with the same two ticks each, and the comparison with their contracts. */
async function open(nodes: readonly Chain[], places: readonly number[] = [16], tickCalls = 40) {
  const store = await stores.openNew('sqlite')
  const pools = new Map(places.map((place) => [addressOf(place), poolOf(place)]))
  const changes = [...pools.keys()].flatMap((pool) =>
    Object.entries(bounds).map(([tick, own]) => ({ pool, tick: Number(tick), ...own, blockNumber: 6, timestampSeconds: 6 })),
  )
  await store.write(async (tx) => {
    await changeTicks(tx, changes)
    await setCursor(tx, { identity: 'some chain', block: { number: end, hash: `0x${word(end)}`, timestampSeconds: end } })
  })
  const ticks = createTicks({ nodes, store, multicall, tickCalls })
  const look = async (turn = 0) => {
    await ticks.step(pools, turn)
    return ticks.listOpen().map(Number)
  }
  return { store, pools, ticks, look }
}

/** The contract has a position that the index lacks: in the last word that is near the price. */
const hidden: Held = { ...bounds, 15420: { gross: 3n, net: 3n } }

describe('ticks of a pool', () => {
  it('that are as the contract has them are settled', async () => {
    const { ticks, look } = await open([nodeWith(() => bounds)])
    expect([await look(), ticks.isSettled(addressOf(16)), ticks.quirk()]).toEqual([[], true, undefined])
  })

  it('of which the contract has one more are open, until the index has it, too', async () => {
    const { store, ticks, look } = await open([nodeWith(() => hidden)])
    expect([await look(), ticks.isSettled(addressOf(16))]).toEqual([[16], false])
    const change = { pool: addressOf(16), tick: 15_420, gross: 3n, net: 3n, blockNumber: 7, timestampSeconds: 7 }
    await store.write((tx) => changeTicks(tx, [change]))
    expect([await look(), ticks.isSettled(addressOf(16))]).toEqual([[], true])
  })

  it('of which the contract has one otherwise are open', async () => {
    const { look } = await open([nodeWith(() => ({ ...bounds, 120: { gross: 9n, net: -7n } }))])
    expect(await look()).toEqual([16])
  })

  it('that one node has otherwise and the next has not are settled', async () => {
    const { ticks, look } = await open([nodeWith(() => hidden), nodeWith(() => bounds)])
    expect([await look(), ticks.isSettled(addressOf(16))]).toEqual([[], true])
  })

  it('are compared again while they are open, though it is the turn of other pools', async () => {
    const truth: Held[] = [hidden]
    const { look } = await open([nodeWith((place) => (place === 16 ? truth[0] : bounds))], [16, 17, 18], 10)
    expect([await look(), await look()]).toEqual([[16], [16]])
    truth[0] = bounds
    expect(await look()).toEqual([])
  })

  it('are forgotten with their pool', async () => {
    const { pools, look } = await open([nodeWith(() => hidden)])
    await look()
    pools.delete(addressOf(16))
    expect(await look()).toEqual([])
  })

  it('are not open for a node that does not answer, and stay open for one that does not', async () => {
    let isAway = true
    const { look } = await open([nodeWith(() => (isAway ? undefined : hidden))])
    expect(await look()).toEqual([])
    isAway = false
    await look()
    isAway = true
    expect(await look()).toEqual([16])
  })
})

describe('pools', () => {
  it('take turns: each look goes on where the one before ended', async () => {
    const asked: number[] = []
    // Five places near the price of each, and five calls for them in a look.
    const { look } = await open([nodeWith(() => bounds, asked)], [16, 17, 18], 10)
    for (let time = 0; time < 3; time += 1) await look()
    expect([16, 17, 18].map((place) => asked.includes(place))).toEqual([true, true, true])
  })

  it('that were doubted come before those whose turn it is', async () => {
    const asked: number[] = []
    const { ticks, look } = await open([nodeWith(() => bounds, asked)], [16, 17, 18], 10)
    await look()
    asked.length = 0
    ticks.want(addressOf(18))
    await look()
    expect(asked[0]).toBe(18)
  })

  it('that were doubted are not settled before both their lanes were compared', async () => {
    const { ticks, look } = await open([nodeWith(() => bounds)], [16], 120)
    ticks.want(addressOf(16))
    await look()
    expect(ticks.isSettled(addressOf(16))).toBe(false)
    // 113 words away from the price, 60 in a look.
    await look()
    expect(ticks.isSettled(addressOf(16))).toBe(true)
  })
})

describe('a chain whose ticks mean something else', () => {
  it('puts no pool in doubt: a difference counts only after a place with liquidity has agreed', async () => {
    const { ticks, look } = await open([nodeWith(() => ({}))], [16, 17, 18], 80)
    expect(await look()).toEqual([])
    expect(ticks.quirk()).toBe('The ticks of pools on this chain do not match their positions')
  })
})

describe('the block in which a tick was left out', () => {
  /** Liquidity that came in block 57, which the index lacks, beside a mint in block 80 that it has. */
  const truth: Truth = (_, block) => ({
    ...bounds,
    ...(block >= 57 ? { 15420: { gross: block >= 80 ? 8n : 3n, net: block >= 80 ? 8n : 3n } } : {}),
  })

  it('is found by the states of earlier blocks, without the changes that the index has', async () => {
    const { store, pools, ticks, look } = await open([nodeWith(truth)])
    const place = { pool: addressOf(16), blockNumber: 80, logIndex: 0, txHash: `0x${word(1)}`, timestampSeconds: 80 } as const
    const range = { owner: addressOf(7), sender: addressOf(7), tickLower: 15_420, tickUpper: 15_480, amount: 5n }
    await store.write(async (tx) => {
      await insertPoolEvents(tx, [{ ...place, ...range, kind: 'mint', amount0: 1n, amount1: 1n }], new Map())
      const change = { pool: addressOf(16), blockNumber: 80, timestampSeconds: 80 }
      await changeTicks(tx, [
        { ...change, tick: 15_420, gross: 5n, net: 5n },
        { ...change, tick: 15_480, gross: 5n, net: -5n },
      ])
    })
    await look()
    const pool = pools.get(addressOf(16))
    expect(pool && (await ticks.findBlock(pool, 0))).toBe(57)
  })

  it('is unknown where these are gone, and of a pool with nothing open', async () => {
    const { ticks, look, pools } = await open([nodeWith((_, block) => (block < end ? undefined : truth(_, block)))], [16, 17])
    const [first, second] = [...pools.values()]
    await look()
    expect(first && (await ticks.findBlock(first, 0))).toBe(undefined)
    pools.clear()
    await look()
    expect(second && (await ticks.findBlock(second, 0))).toBe(undefined)
  })
})
