import { Failure } from '@chainboard/core'
import { describe, expect, it } from 'vitest'
import { emptyIndex } from '../store/emptyIndex.ts'
import type { Store } from '../store/store.ts'
import { setCursor } from '../store/syncCursor.ts'
import { dumpIndex } from '../testing/dumpIndex.ts'
import { strictLog } from '../testing/following.ts'
import { createTempStores, engines } from '../testing/tempStores.ts'
import { follow, swap, tellChain, untilBlock, untilTrouble } from '../testing/troubledFollowing.ts'

const stores = createTempStores()

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
    fault.after = () => new Failure('store-unavailable', 'The database is not responding', { retryable: true })
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
