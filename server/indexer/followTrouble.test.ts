import { describe, expect, it, vi } from 'vitest'
import type { FakeChain } from '../chain/fakeChain.ts'
import { listAsideIndexes } from '../store/asideIndexes.ts'
import { listBlocksDown } from '../store/blocks.ts'
import { findCursor } from '../store/syncCursor.ts'
import { dumpIndex } from '../testing/dumpIndex.ts'
import { limitDefaults, strictLog } from '../testing/following.ts'
import { createTempStores, engines } from '../testing/tempStores.ts'
import {
  createClock,
  createDoor,
  follow,
  other,
  scope,
  soon,
  swap,
  tellChain,
  tokenA,
  tokenB,
  untilBlock,
  untilTrouble,
} from '../testing/troubledFollowing.ts'
import type { Follower } from './followChain.ts'
import { findFork, rollBack } from './rollBack.ts'

const stores = createTempStores()

describe.each(engines)('nothing is thrown away because of one node (%s)', (engine) => {
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
      .toBe('The node first returned block 1 as …, then as …')
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
    await rollBack({ store, identity, scope, holder: { world: undefined }, nowMs: Date.now }, left)
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
    const distrustForked = vi.fn()
    await expect(findFork(chain, store, { mayRestart: false, distrustForked })).rejects.toMatchObject({
      code: 'rpc-invalid',
      message: 'The node has block 7 of the index, but its newer blocks do not build on it',
    })
    expect(distrustForked).toHaveBeenCalledOnce()
  })

  it('a node that denies a block below its head, or gives two answers about it, comes last', async () => {
    const chain = tellChain(6)
    const store = await stores.openNew(engine)
    const follower = follow(chain, store)
    await untilBlock(follower, 7)
    await follower.stop()
    chain.cut(2)
    for (let i = 0; i < 3; i += 1) chain.mine([swap, swap])
    const putLast = vi.fn()
    const readHeader = chain.readHeader.bind(chain)
    Object.assign(chain, { putLast })
    chain.readHeader = async (number) => (number === 7 ? undefined : readHeader(number))
    await expect(findFork(chain, store, { mayRestart: false })).rejects.toMatchObject({
      message: 'The node does not have block 7',
    })
    expect(putLast).toHaveBeenCalledOnce()
    const asked = new Set<number>()
    chain.readHeader = async (number) => {
      const header = await readHeader(number)
      return header && { ...header, hash: asked.has(number) ? header.hash : asked.add(number) && '0xabc' }
    }
    await expect(findFork(chain, store, { mayRestart: false })).rejects.toMatchObject({ code: 'rpc-invalid' })
    expect(putLast).toHaveBeenCalledTimes(2)
  })

  it('the node that has the other branch is named, though another one told of the head', async () => {
    const chain = tellChain(30)
    const store = await stores.openNew(engine)
    const follower = follow(chain, store)
    await untilBlock(follower, 31)
    await follower.stop()
    chain.cut(9)
    for (let i = 0; i < 12; i += 1) chain.mine([swap, swap])
    const [ofHead, ofHeader] = [vi.fn(), vi.fn()]
    const read = { head: chain.readHead.bind(chain), header: chain.readHeader.bind(chain) }
    chain.readHead = async () => ({ ...(await read.head()), distrust: ofHead })
    chain.readHeader = async (number) => {
      const header = await read.header(number)
      return header && { ...header, distrust: ofHeader }
    }
    const { depth, distrust } = await findFork(chain, store, { mayRestart: false })
    expect([depth, distrust]).toEqual([9, ofHeader])
  })

  it('one head of long ago does not make the chain a slow one', async () => {
    const chain = tellChain(30)
    const store = await stores.openNew(engine)
    const follower = follow(chain, store)
    await untilBlock(follower, 31)
    for (let number = 32; number < 35; number += 1) {
      chain.mine([swap], 12)
      await untilBlock(follower, number)
    }
    expect(follower.status().longestGapSeconds).toBe(12)
    const readHead = chain.readHead.bind(chain)
    let told = 0
    chain.readHead = async () => {
      const head = await readHead()
      told += 1
      return told === 1 ? { ...head, number: 33, hash: '0xbad', timestampSeconds: head.timestampSeconds - 604_800 } : head
    }
    await expect.poll(() => told, soon).toBeGreaterThan(1)
    chain.mine([swap], 12)
    await untilBlock(follower, 35)
    expect(follower.status().longestGapSeconds).toBe(12)
    await follower.stop()
  })

  it('a clock that is set back by hours delays no look at which chain it is', async () => {
    const chain = tellChain(30)
    const clock = createClock()
    let steadyMs = 0
    const store = await stores.openNew(engine)
    const follower = follow(chain, store, { nowMs: clock.nowMs, steadyMs: () => steadyMs })
    await untilBlock(follower, 31)
    clock.pass(-7_200_000)
    chain.readChainId = async () => 8453
    steadyMs += 60_000
    await untilTrouble(follower, 'other-chain')
    await follower.stop()
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
      text: 'The database is not responding',
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
    expect(follower.status().trouble?.text).toBe('The node is behind: it ends at block 21, the index at block 121')
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
      "The node reports a reorg of 9 blocks; this network's limit is 8. If this persists, the server follows it in 10 min: check RPC_URL",
    )
    expect(await dumpIndex(store)).toEqual(before)
    clock.pass(600_000)
    await untilBlock(follower, 34)
    await follower.stop()
    expect((await dumpIndex(store)).swaps).toHaveLength(30 - 9 + 24)
  })

  describe('one that most of several nodes tell of', () => {
    const open = async () => {
      const [few, most] = [tellChain(30), tellChain(30)]
      most.cut(9)
      for (let i = 0; i < 12; i += 1) most.mine([swap, swap])
      const { door, leadTo } = createDoor(few)
      const each = [few, most, most]
      const readHeaderOfEach = (number: number) => Promise.all(each.map((chain) => chain.readHeader(number)))
      const distrust = vi.fn(() => leadTo(most))
      const distrustMost = vi.fn()
      const blame = (chain: FakeChain, distrust: () => void) => {
        const read = { head: chain.readHead.bind(chain), header: chain.readHeader.bind(chain) }
        chain.readHead = async () => ({ ...(await read.head()), distrust })
        chain.readHeader = async (number) => {
          const header = await read.header(number)
          return header && { ...header, distrust }
        }
      }
      blame(few, distrust)
      blame(most, distrustMost)
      const chain = new Proxy(door, {
        get: (_, name) => (name === 'readHeaderOfEach' ? readHeaderOfEach : Reflect.get(door, name)),
      })
      const clock = createClock()
      const store = await stores.openNew(engine)
      const kinds = new Set<string | undefined>()
      const pause = () => {
        kinds.add(follower.status().trouble?.kind)
        return new Promise<void>((resolve) => setImmediate(resolve))
      }
      const follower: Follower = follow(chain, store, { nowMs: clock.nowMs, pause })
      await untilBlock(follower, 31)
      leadTo(most)
      await untilTrouble(follower, 'disputed')
      expect(follower.status().trouble?.text).toContain('2 of 3 nodes agree. If this persists, the server follows it in 1 min')
      kinds.clear()
      return { few, most, each, leadTo, distrust, distrustMost, clock, store, follower, kinds }
    }

    it('is followed after a minute, also when a node on the branch of the index answers meanwhile', async () => {
      const { few, leadTo, distrust, distrustMost, clock, store, follower, kinds } = await open()
      few.mine([swap])
      leadTo(few)
      await expect.poll(() => distrust.mock.calls.length, soon).toBeGreaterThan(0)
      clock.pass(59_999)
      await expect.poll(() => follower.status().trouble?.text, soon).toContain('the server follows it in 1 min')
      // Where the nodes change in the middle of a step, it is another trouble for a moment.
      expect([...kinds]).not.toContain(undefined)
      expect(follower.status().cursor?.number).toBe(31)
      clock.pass(1)
      await untilBlock(follower, 34)
      await follower.stop()
      expect((await dumpIndex(store)).swaps).toHaveLength(30 - 9 + 24)
      // Though their heads lie above an index that stands still.
      expect(distrustMost).not.toHaveBeenCalled()
    })

    it('is no dispute any more when they go back to the branch of the index', async () => {
      const { few, each, leadTo, distrust, follower } = await open()
      each.splice(1, 2, few, few)
      few.mine([swap])
      leadTo(few)
      await untilBlock(follower, 32)
      await untilTrouble(follower, undefined)
      await follower.stop()
      expect(distrust).not.toHaveBeenCalled()
    })
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
