import type { Address } from '@chainboard/core'
import { describe, expect, it, vi } from 'vitest'
import type { ChainRange, Header } from '../chain/chain.ts'
import { FakeChain } from '../chain/fakeChain.ts'
import type { Store } from '../store/store.ts'
import { dumpIndex } from '../testing/dumpIndex.ts'
import { followingDefaults, limitDefaults, strictLog } from '../testing/following.ts'
import { createTempStores } from '../testing/tempStores.ts'
import { type Follower, followChain } from './followChain.ts'

const stores = createTempStores()
const factory = `0x${'fa'.repeat(20)}` as Address
const [tokenA, tokenB] = ['11', '22'].map((byte) => `0x${byte.repeat(20)}` as Address) as [Address, Address]
const pool = `0x${'a0'.repeat(20)}` as Address
const genesisAtSeconds = 1_800_000_000

const swap = {
  address: pool,
  name: 'Swap',
  args: { sender: tokenA, recipient: tokenA, amount0: 5n, amount1: -5n, sqrtPriceX96: 2n ** 96n, liquidity: 10n ** 9n, tick: 0 },
} as const

/** What a node makes of a block's true time; `isHead`: it was asked for its newest block. */
type Bend = (header: Header, isHead: boolean) => number

/** A chain with one pool and a swap in each block, whose node bends times as it is told. */
class BendingChain extends FakeChain {
  bend: Bend = ({ timestampSeconds }) => timestampSeconds

  constructor() {
    super({ genesisAtSeconds })
    this.mine([
      { address: factory, name: 'PoolCreated', args: { token0: tokenA, token1: tokenB, fee: 3000, tickSpacing: 60, pool } },
      { address: pool, name: 'Initialize', args: { sqrtPriceX96: 2n ** 96n, tick: 0 } },
    ])
    this.grow(5)
    const { readHead, readHeader, readRange } = this
    const bent = (header: Header, isHead = false) => ({ ...header, timestampSeconds: this.bend(header, isHead) })
    this.readHead = async () => bent(await readHead(), true)
    this.readHeader = async (number) => {
      const header = await readHeader(number)
      return header && bent(header)
    }
    this.readRange = async (request): Promise<ChainRange> => {
      const { headers, logs } = await readRange({ ...request, everyHeader: true })
      const times = new Map(headers.map((header) => [header.number, this.bend(header, false)]))
      return {
        headers: headers.map((header) => bent(header)),
        logs: logs.map((log) => ({ ...log, timestampSeconds: times.get(log.blockNumber) ?? 0 })),
      }
    }
  }

  grow(blocks: number, secondsApart = 12): void {
    for (let i = 0; i < blocks; i += 1) this.mine([swap], secondsApart)
  }
}

const early =
  (seconds: number): Bend =>
  ({ timestampSeconds }) =>
    timestampSeconds - seconds

/** A clock that only the test moves, at first a minute behind the chain's first block. */
function createClock() {
  let nowMs = (genesisAtSeconds + 60) * 1_000
  return {
    nowMs: () => nowMs,
    pass: (seconds: number) => {
      nowMs += seconds * 1_000
    },
  }
}

function follow(chain: FakeChain, store: Store, nowMs: () => number): Follower {
  return followChain({
    ...followingDefaults,
    log: strictLog,
    chain,
    store,
    nowMs,
    // Every wait is over at the next turn.
    pause: () => new Promise((resolve) => setImmediate(resolve)),
    limits: { ...limitDefaults, pollMs: 1, confirmations: 4 },
    scope: {
      factory,
      onlyTokens: undefined,
      valuation: { stables: [tokenA], wrappedNative: tokenB, quotes: [], depthFloorUsdE18: 0n, windowSeconds: 600 },
    },
    onChange: () => undefined,
  })
}

/** A follower that has read all of the chain, and whose chain and clock a test moves on. */
async function open() {
  const chain = new BendingChain()
  const store = await stores.openNew('sqlite')
  const clock = createClock()
  const follower = follow(chain, store, clock.nowMs)
  const soon = { timeout: 10_000, interval: 5 }
  const untilBlock = (number: number) => expect.poll(() => follower.status().cursor?.number, soon).toBe(number)
  const untilTrouble = (text: string | undefined) => {
    const found = () => follower.status().trouble
    return text === undefined
      ? expect.poll(found, soon).toBe(undefined)
      : expect.poll(() => `${found()?.kind}: ${found()?.text}`, soon).toContain(text)
  }
  await untilBlock(6)
  return { chain, store, clock, follower, untilBlock, untilTrouble }
}

/** The index beside one that is made from scratch. */
async function expectTruth({ chain, store }: { readonly chain: BendingChain; readonly store: Store }): Promise<void> {
  const fresh = await stores.openNew('sqlite')
  const follower = follow(chain, fresh, () => (genesisAtSeconds + 10_000) * 1_000)
  await expect.poll(() => follower.status().cursor?.number, { timeout: 10_000 }).toBe(chain.height)
  await follower.stop()
  const [{ spans: _, ...mine }, { spans: __, ...scratch }] = [await dumpIndex(store), await dumpIndex(fresh)]
  expect(mine).toEqual(scratch)
}

describe('the times of blocks', () => {
  it('of a node that makes a block earlier than the one before it are not stored', async () => {
    const { chain, store, follower, untilBlock, untilTrouble } = await open()
    chain.bend = early(30)
    chain.grow(1)
    await untilTrouble('untrue: The node dates block 7 at 1800000054, before block 6 (1800000072)')
    expect(follower.status().cursor?.number).toBe(6)
    chain.bend = early(0)
    await untilBlock(7)
    await untilTrouble(undefined)
    await follower.stop()
    await expectTruth({ chain, store })
  })

  it('far ahead of the clock are not stored', async () => {
    const { chain, store, follower, untilBlock, untilTrouble } = await open()
    chain.bend = early(-4_000)
    chain.grow(1)
    await untilTrouble("untrue: Block 7 is dated 4024 s ahead of this server's clock")
    expect(follower.status().cursor?.number).toBe(6)
    chain.bend = early(0)
    await untilBlock(7)
    await follower.stop()
    await expectTruth({ chain, store })
  })

  it('ahead of a clock that is wrong are stored after ten minutes, and then at once', async () => {
    const { chain, clock, follower, untilBlock, untilTrouble } = await open()
    chain.grow(1, 4_000)
    await untilTrouble('untrue: Block 7 is dated 4012 s ahead')
    clock.pass(599)
    await untilTrouble('is dated 3413 s ahead')
    clock.pass(2)
    await untilBlock(7)
    chain.grow(1)
    await untilBlock(8)
    await untilTrouble(undefined)
    await follower.stop()
  })

  it('that several blocks share are taken as they are', async () => {
    const { chain, store, follower, untilBlock, untilTrouble } = await open()
    chain.grow(5, 0)
    await untilBlock(11)
    await untilTrouble(undefined)
    await follower.stop()
    await expectTruth({ chain, store })
  })

  it('of a halted chain whose node says that its newest block is always of now are a difference', async () => {
    const { chain, store, clock, follower, untilTrouble } = await open()
    chain.bend = ({ timestampSeconds }, isHead) => (isHead ? Math.floor(clock.nowMs() / 1_000) : timestampSeconds)
    clock.pass(3_000)
    await untilTrouble('untrue: The node dates block 6 at 1800003060, the index at 1800000072')
    expect(follower.status().headAtSeconds).toBe(1_800_000_072)
    clock.pass(600)
    await untilTrouble('at 1800003660')
    chain.bend = early(0)
    await untilTrouble(undefined)
    await follower.stop()
    await expectTruth({ chain, store })
  })

  it('that the index has wrong are read again when its only node says so for a minute', async () => {
    const { chain, store, clock, follower, untilBlock, untilTrouble } = await open()
    chain.bend = ({ number, timestampSeconds }) => timestampSeconds + (number > 6 ? 200 : 0)
    chain.grow(3)
    await untilBlock(9)
    chain.bend = early(0)
    chain.grow(1)
    await untilTrouble('untrue: The node dates block 10 at 1800000120, before block 9 (1800000308)')
    expect(follower.status().cursor?.number).toBe(9)
    clock.pass(61)
    await untilBlock(10)
    await untilTrouble(undefined)
    await follower.stop()
    await expectTruth({ chain, store })
  })

  it('that the index has wrong of the newest block of a halted chain are read again, too', async () => {
    const { chain, store, clock, follower, untilBlock, untilTrouble } = await open()
    chain.bend = ({ number, timestampSeconds }) => timestampSeconds + (number > 6 ? 200 : 0)
    chain.grow(2)
    await untilBlock(8)
    chain.bend = early(0)
    await untilTrouble('untrue: The node dates block 8 at 1800000096, the index at 1800000296')
    clock.pass(61)
    await untilTrouble(undefined)
    await untilBlock(8)
    await follower.stop()
    await expectTruth({ chain, store })
  })

  it('that the index has wrong are read again when all of several nodes say so for a minute', async () => {
    const { chain, store, clock, follower, untilBlock, untilTrouble } = await open()
    chain.readHeaderOfEach = async (number) => [await chain.readHeader(number), await chain.readHeader(number)]
    chain.bend = ({ number, timestampSeconds }) => timestampSeconds + (number > 6 ? 200 : 0)
    chain.grow(3)
    await untilBlock(9)
    chain.bend = early(0)
    chain.grow(1)
    await untilTrouble('untrue: The node dates block 10 at 1800000120, before block 9 (1800000308)')
    clock.pass(59)
    await untilTrouble('untrue: The node dates block 10')
    expect(follower.status().cursor?.number).toBe(9)
    clock.pass(2)
    await untilBlock(10)
    await untilTrouble(undefined)
    await follower.stop()
    await expectTruth({ chain, store })
  })

  it('that are wrong in the index are read again when most nodes say so, and only the node that gave them comes last', async () => {
    const { chain, store, clock, follower, untilBlock, untilTrouble } = await open()
    const wrong = (header: Header | undefined) =>
      header && { ...header, timestampSeconds: header.timestampSeconds + (header.number > 6 ? 200 : 0) }
    chain.bend = ({ number, timestampSeconds }) => timestampSeconds + (number > 6 ? 200 : 0)
    const [distrust, distrustGiver] = [vi.fn(), vi.fn()]
    const [readHeader, readRange] = [chain.readHeader.bind(chain), chain.readRange.bind(chain)]
    chain.readRange = async (request) => ({ ...(await readRange(request)), distrust: distrustGiver })
    chain.grow(3)
    await untilBlock(9)
    chain.bend = early(0)
    // The first one still dates them as it did.
    chain.readHeader = async (number) => wrong(await readHeader(number))
    chain.readHeaderOfEach = async (number) => [
      await chain.readHeader(number),
      await readHeader(number),
      await readHeader(number),
    ]
    chain.readRange = async (request) => ({ ...(await readRange(request)), distrust })
    chain.grow(1)
    await untilTrouble('untrue: The node dates block 10 at 1800000120, before block 9 (1800000308)')
    clock.pass(61)
    await untilBlock(10)
    await untilTrouble(undefined)
    await follower.stop()
    expect(distrust).not.toHaveBeenCalled()
    expect(distrustGiver).toHaveBeenCalledOnce()
    await expectTruth({ chain, store })
  })
})
