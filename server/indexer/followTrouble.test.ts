import { type Address, Failure } from '@chainboard/core'
import { describe, expect, it, vi } from 'vitest'
import { FakeChain } from '../chain/fakeChain.ts'
import { listAsideIndexes } from '../store/asideIndexes.ts'
import { listBlocksDown } from '../store/blocks.ts'
import { emptyIndex } from '../store/emptyIndex.ts'
import type { Store } from '../store/store.ts'
import { findCursor, setCursor } from '../store/syncCursor.ts'
import { dumpIndex } from '../testing/dumpIndex.ts'
import { followingDefaults, limitDefaults, strictLog } from '../testing/following.ts'
import { createTempStores, engines } from '../testing/tempStores.ts'
import { type FollowDeps, type Follower, followChain } from './followChain.ts'
import { findFork, rewind } from './rewind.ts'

const stores = createTempStores()
const factory = `0x${'fa'.repeat(20)}` as Address
const other = `0x${'fb'.repeat(20)}` as Address
const [tokenA, tokenB] = ['11', '22'].map((byte) => `0x${byte.repeat(20)}` as Address) as [Address, Address]
const pool = `0x${'a0'.repeat(20)}` as Address

const swap = {
  address: pool,
  name: 'Swap',
  args: {
    sender: tokenA,
    recipient: tokenA,
    amount0: 5n,
    amount1: -5n,
    sqrtPriceX96: 2n ** 96n,
    liquidity: 10n ** 9n,
    tick: 0,
  },
} as const

/** A chain with one pool and a swap in each of its blocks. */
function tellChain(blocks: number, options: { chainId?: number; genesisAtSeconds?: number } = {}): FakeChain {
  const chain = new FakeChain(options)
  chain.mine([
    { address: factory, name: 'PoolCreated', args: { token0: tokenA, token1: tokenB, fee: 3000, tickSpacing: 60, pool } },
    { address: pool, name: 'Initialize', args: { sqrtPriceX96: 2n ** 96n, tick: 0 } },
  ])
  for (let i = 0; i < blocks; i += 1) chain.mine([swap])
  return chain
}

/** Where the URL of the node leads to, which changes in the middle of a story. */
function createDoor(first: FakeChain) {
  let behind = first
  const door = new Proxy(first, { get: (_, name) => Reflect.get(behind, name) })
  const leadTo = (chain: FakeChain) => {
    behind = chain
  }
  return { door, leadTo }
}

/** A clock that only the test moves. */
function createClock() {
  let nowMs = 1_800_000_000_000
  const pass = (ms: number) => {
    nowMs += ms
  }
  return { nowMs: () => nowMs, pass }
}

const scope = {
  factory,
  onlyTokens: undefined,
  valuation: { stables: [tokenA], wrappedNative: tokenB, quotes: [], depthFloorUsdE18: 0n, windowSeconds: 600 },
}

function follow(chain: FakeChain, store: Store, changes: Partial<FollowDeps> = {}): Follower {
  return followChain({
    ...followingDefaults,
    chain,
    store,
    // Every wait is over at the next turn.
    pause: () => new Promise((resolve) => setImmediate(resolve)),
    limits: { ...limitDefaults, pollMs: 1, spanMax: 7, confirmations: 4, reorgDepthMax: 8 },
    scope,
    onChange: () => undefined,
    ...changes,
  })
}

const soon = { timeout: 10_000, interval: 5 }
const untilBlock = (follower: Follower, number: number) =>
  expect
    .poll(() => ({ at: follower.status().cursor?.number, because: follower.status().trouble?.text }), soon)
    .toMatchObject({ at: number })
const untilTrouble = (follower: Follower, kind: string | undefined) =>
  expect.poll(() => follower.status().trouble?.kind, soon).toBe(kind)

describe.each(engines)('nothing is thrown away on the word of one node (%s)', (engine) => {
  it('twelve seconds of another chain change nothing, and are over when the URL leads back', async () => {
    const ours = tellChain(30)
    const other = tellChain(90, { chainId: 8453, genesisAtSeconds: 1_600_000_000 })
    const { door, leadTo } = createDoor(ours)
    const store = await stores.openNew(engine)
    const follower = follow(door, store)
    await untilBlock(follower, 31)
    const before = await dumpIndex(store)
    leadTo(other)
    await untilTrouble(follower, 'other-chain')
    expect(await dumpIndex(store)).toEqual(before)
    leadTo(ours)
    ours.mine([swap])
    await untilBlock(follower, 32)
    await untilTrouble(follower, undefined)
    await follower.stop()
  })

  it('one garbled header of a young chain whose node is behind takes nothing back', async () => {
    const chain = tellChain(6)
    const store = await stores.openNew(engine)
    const follower = follow(chain, store)
    await untilBlock(follower, 7)
    const before = await dumpIndex(store)
    let isGarbled = true
    const read = { head: chain.readHead.bind(chain), header: chain.readHeader.bind(chain) }
    chain.readHead = async () => {
      const { number, ...head } = await read.head()
      return isGarbled ? { ...head, ...(await read.header(1)), number: 1, hash: '0xbad0' } : { number, ...head }
    }
    let asked = 0
    chain.readHeader = async (number) => {
      const header = await read.header(number)
      // The first block of the chain is asked for to know which chain it is.
      if (!isGarbled || !header || number === 0) return header
      asked += 1
      return { ...header, hash: `0xbad${asked}` }
    }
    await expect
      .poll(() => follower.status().trouble?.text.replaceAll(/0x\w+/g, '…'), soon)
      .toBe('The node first gave block 1 as …, and then as …')
    expect(await dumpIndex(store)).toEqual(before)
    isGarbled = false
    await untilTrouble(follower, undefined)
    expect(await dumpIndex(store)).toEqual(before)
    await follower.stop()
  })

  it('an index that somebody else has taken back is read again from there, with nothing of before in memory', async () => {
    const chain = tellChain(30)
    const store = await stores.openNew(engine)
    const follower = follow(chain, store)
    await untilBlock(follower, 31)
    const identity = (await findCursor(store.read))?.identity as string
    const [left] = await listBlocksDown(store.read, 20, 1)
    await rewind({ store, identity, scope, holder: { world: undefined }, nowMs: Date.now }, left)
    chain.mine([swap])
    await untilBlock(follower, 32)
    await follower.stop()
    const scratch = await stores.openNew(engine)
    const other = follow(chain, scratch)
    await untilBlock(other, 32)
    await other.stop()
    expect(await dumpIndex(store)).toEqual(await dumpIndex(scratch))
  })

  it('a node whose newer blocks do not continue those that it has of the index contradicts itself, and comes last', async () => {
    const chain = tellChain(6)
    const store = await stores.openNew(engine)
    const follower = follow(chain, store)
    await untilBlock(follower, 7)
    await follower.stop()
    chain.mine([swap])
    const distrust = vi.fn()
    const readHead = chain.readHead.bind(chain)
    chain.readHead = async () => ({ ...(await readHead()), distrust })
    await expect(findFork(chain, store, false)).rejects.toMatchObject({
      code: 'rpc-invalid',
      message: 'The node has block 7 of the index, and newer ones that do not continue it',
    })
    expect(distrust).toHaveBeenCalledOnce()
  })

  it('a database that has left a statement without an answer for ten seconds is named, not the node', async () => {
    const store = await stores.openNew(engine)
    let silentMs = 9_999
    const follower = follow(tellChain(3), { ...store, silentMs: () => silentMs }, { nowMs: () => 1_800_000_010_000 })
    await untilBlock(follower, 4)
    expect(follower.status().trouble).toBeUndefined()
    silentMs = 10_000
    expect(follower.status().trouble).toEqual({
      kind: 'store',
      text: 'The database does not answer',
      sinceMs: 1_800_000_000_000,
    })
    silentMs = 0
    expect(follower.status().trouble).toBeUndefined()
    await follower.stop()
  })

  it('a node a hundred blocks behind takes nothing back, and is named', async () => {
    const ours = tellChain(120)
    const behind = tellChain(20)
    const { door, leadTo } = createDoor(ours)
    const store = await stores.openNew(engine)
    const follower = follow(door, store)
    await untilBlock(follower, 121)
    const before = await dumpIndex(store)
    leadTo(behind)
    await untilTrouble(follower, 'behind')
    expect(follower.status().trouble?.text).toBe('The node ends at block 21, the index at block 121: the node is behind')
    expect(await dumpIndex(store)).toEqual(before)
    leadTo(ours)
    await untilTrouble(follower, undefined)
    await follower.stop()
  })

  it('a reorg deeper than the limit is followed after ten minutes, not at once', async () => {
    const chain = tellChain(30)
    const clock = createClock()
    const store = await stores.openNew(engine)
    const follower = follow(chain, store, { nowMs: clock.nowMs })
    await untilBlock(follower, 31)
    const before = await dumpIndex(store)
    chain.cut(9)
    for (let i = 0; i < 12; i += 1) chain.mine([swap, swap])
    await untilTrouble(follower, 'disputed')
    expect(follower.status().trouble?.text).toBe(
      "The node reports a reorg of 9 blocks; this network's limit is 8. The server follows it in 10 min if it persists: check RPC_URL",
    )
    expect(await dumpIndex(store)).toEqual(before)
    clock.pass(600_000)
    await untilBlock(follower, 34)
    await follower.stop()
    expect((await dumpIndex(store)).swaps).toHaveLength(30 - 9 + 24)
  })

  it('so is one that most of several nodes tell of, though another one answers in between', async () => {
    const [few, most] = [tellChain(30), tellChain(30)]
    most.cut(9)
    for (let i = 0; i < 12; i += 1) most.mine([swap, swap])
    const { door, leadTo } = createDoor(few)
    const readHeaderOfEach = (number: number) => Promise.all([few, most, most].map((chain) => chain.readHeader(number)))
    const chain = new Proxy(door, {
      get: (_, name) => (name === 'readHeaderOfEach' ? readHeaderOfEach : Reflect.get(door, name)),
    })
    const clock = createClock()
    const store = await stores.openNew(engine)
    const follower = follow(chain, store, { nowMs: clock.nowMs })
    await untilBlock(follower, 31)
    leadTo(most)
    await untilTrouble(follower, 'disputed')
    expect(follower.status().trouble?.text).toContain('2 of 3 nodes agree. The server follows it in 10 min')
    leadTo(few)
    few.mine([swap])
    await untilBlock(follower, 32)
    await untilTrouble(follower, undefined)
    clock.pass(300_000)
    leadTo(most)
    await untilTrouble(follower, 'disputed')
    expect(follower.status().trouble?.text).toContain('The server follows it in 5 min')
    clock.pass(300_000)
    await untilBlock(follower, 34)
    await follower.stop()
    expect((await dumpIndex(store)).swaps).toHaveLength(30 - 9 + 24)
  })

  it('an index far ahead of its chain is taken back when blocks are made after its last one', async () => {
    const [made, real] = [tellChain(20), tellChain(20)]
    made.cut(1)
    real.cut(2)
    for (let i = 0; i < 60; i += 1) made.mine([swap], 1)
    for (let i = 0; i < 4; i += 1) real.mine([swap, swap], 12)
    const { door, leadTo } = createDoor(made)
    const clock = createClock()
    const store = await stores.openNew(engine)
    const limits = { ...limitDefaults, pollMs: 1, spanMax: 1_000, confirmations: 4, reorgDepthMax: 8 }
    const follower = follow(door, store, { nowMs: clock.nowMs, limits })
    await untilBlock(follower, 80)
    // As of a range that was read in one.
    await store.write((tx) => tx.deleteFrom('blocks').where('number', '>', 18).where('number', '<', 80).execute())
    leadTo(real)
    await untilTrouble(follower, 'behind')
    real.mine([swap, swap], 30)
    await untilTrouble(follower, 'disputed')
    clock.pass(600_000)
    await untilBlock(follower, 24)
    await untilTrouble(follower, undefined)
    await follower.stop()
    expect((await dumpIndex(store)).swaps).toHaveLength(18 + 2 * 5)
  })

  it('another genesis under the same chain id is the wrong node, at the start as well', async () => {
    const store = await stores.openNew(engine)
    const first = follow(tellChain(10), store)
    await untilBlock(first, 11)
    await first.stop()
    const before = await dumpIndex(store)
    const second = follow(tellChain(50, { genesisAtSeconds: 1_600_000_000 }), store)
    await untilTrouble(second, 'other-chain')
    await second.stop()
    expect(await dumpIndex(store)).toEqual(before)
  })

  it('an index of another exchange is set aside and not thrown away', async () => {
    const store = await stores.openNew(engine)
    const chain = tellChain(10)
    const first = follow(chain, store)
    await untilBlock(first, 11)
    await first.stop()
    const said: string[] = []
    const log = { ...strictLog, warn: (_: object, text: string) => void said.push(text) }
    const valuation = { stables: [tokenA], wrappedNative: tokenB, quotes: [], depthFloorUsdE18: 0n, windowSeconds: 600 }
    const second = follow(chain, store, { log, scope: { factory: other, onlyTokens: undefined, valuation } })
    await untilBlock(second, 11)
    await second.stop()
    expect(said).toEqual([
      'The index was set aside as number 1, and a new one begins. To get it back, stop the server and run: npm run indexes -- restore 1',
    ])
    expect(await listAsideIndexes(store.read)).toMatchObject([{ number: 1, block: 11 }])
  })
})

describe.each(engines)('whatever fails beside the node (%s)', (engine) => {
  const full = () => new Failure('store-full', 'The disk of the database is full', { retryable: true })

  /** A store whose writes fail in the given way while there is one. */
  function createFailing(store: Store) {
    const fault: { before?: () => Error; after?: () => Error } = {}
    const failing: Store = {
      ...store,
      write: async (work) => {
        if (fault.before) throw fault.before()
        const result = await store.write(work)
        if (fault.after) throw fault.after()
        return result
      },
    }
    return { failing, fault }
  }

  it('a full disk is ridden out, named, and leaves the index that a sync from scratch makes', async () => {
    const chain = tellChain(30)
    const store = await stores.openNew(engine)
    const { failing, fault } = createFailing(store)
    fault.before = full
    const follower = follow(chain, failing)
    await untilTrouble(follower, 'store')
    expect(follower.status().trouble?.text).toBe('The disk of the database is full')
    delete fault.before
    await untilBlock(follower, 31)
    await follower.stop()
    expect((await dumpIndex(store)).swaps).toHaveLength(30)
  })

  it('a commit whose answer is lost is not stored twice', async () => {
    const chain = tellChain(30)
    const store = await stores.openNew(engine)
    const { failing, fault } = createFailing(store)
    fault.after = () => new Failure('store-unavailable', 'The database does not answer', { retryable: true })
    const follower = follow(chain, failing)
    await untilBlock(follower, 31)
    expect(follower.status().faults).toBe(0)
    await follower.stop()
    expect((await dumpIndex(store)).swaps).toHaveLength(30)
  })

  it('a bug of ours is reported and followed by another start', async () => {
    const chain = tellChain(30)
    const store = await stores.openNew(engine)
    const { failing, fault } = createFailing(store)
    const reported: unknown[] = []
    const log = { ...strictLog, error: (facts: object) => void reported.push((facts as { err: unknown }).err) }
    const bug = new TypeError('x is not a function')
    fault.before = () => bug
    const follower = follow(chain, failing, { log })
    await untilTrouble(follower, 'fault')
    delete fault.before
    await untilBlock(follower, 31)
    await untilTrouble(follower, undefined)
    expect(reported[0]).toBe(bug)
    expect(follower.status().faults).toBe(reported.length)
    await follower.stop()
  })

  it.each([
    ['gone', undefined],
    ['empty', { identity: '', block: undefined }],
  ])('an index whose cursor is %s, as after a restore without an index, is read again', async (_, cursor) => {
    const chain = tellChain(30)
    const store = await stores.openNew(engine)
    const follower = follow(chain, store)
    await untilBlock(follower, 31)
    const before = await dumpIndex(store)
    await store.write(async (tx) => {
      await emptyIndex(tx)
      if (cursor) await setCursor(tx, cursor)
    })
    chain.mine([swap])
    await untilBlock(follower, 32)
    await untilTrouble(follower, undefined)
    await follower.stop()
    expect(before.swaps).toHaveLength(30)
    expect((await dumpIndex(store)).swaps).toHaveLength(31)
  })

  it('a second server on the same index writes nothing between the rows of the first', async () => {
    const chain = tellChain(30)
    const store = await stores.openNew(engine)
    const followers = [follow(chain, store), follow(chain, store)]
    for (const follower of followers) await untilBlock(follower, 31)
    for (let i = 0; i < 20; i += 1) {
      chain.mine([swap])
      for (const follower of followers) await untilBlock(follower, chain.height)
    }
    expect(followers.map((follower) => follower.status().faults)).toEqual([0, 0])
    await Promise.all(followers.map((follower) => follower.stop()))
    expect((await dumpIndex(store)).swaps).toHaveLength(50)
  })
})
