import type { Hex } from '@chainboard/core'
import { Failure } from '@chainboard/core'
import { describe, expect, inject, it, vi } from 'vitest'
import { pause } from '../pause.ts'
import { createTempStores } from '../testing/tempStores.ts'
import { type ReadableIndex, wholeIndex } from './indexSwitch.ts'
import { openReplica } from './openStore.ts'
import { setCursor } from './syncCursor.ts'
import { watchReplica } from './watchReplica.ts'

const stores = createTempStores()
const block = (number: number, timestampSeconds = number) => ({ number, timestampSeconds, hash: `0x${'ab'.repeat(32)}` as Hex })

async function open() {
  const location = await stores.locateNew('postgres')
  if (!('databaseUrl' in location)) throw new Error('PostgreSQL has a URL')
  // What PostgreSQL copies to a replica, the test writes there itself.
  const [copy, main] = [await stores.open(location), await stores.openNew('sqlite')]
  const moveTo = (number: number) => copy.write((tx) => setCursor(tx, { identity: 'x', block: block(number) }))
  const world = { at: block(10) }
  const log = { info: vi.fn(), warn: vi.fn(), error: vi.fn() }
  const replica = watchReplica({ reader: await openReplica(location.databaseUrl), atBlock: () => world.at, pause, log })
  const index = replica.instead(wholeIndex(main))
  const engine = () => index.use(async ({ store }: ReadableIndex) => store.engine)
  return { moveTo, world, log, replica, index, engine }
}

describe.skipIf(!inject('postgresUrl'))('a replica', () => {
  it('is read while it has the block that answers are of, and near it may be a little older', async () => {
    const { moveTo, world, replica, engine } = await open()
    expect([await engine(), replica.isNear()]).toEqual(['sqlite', false])
    await moveTo(10)
    await expect.poll(engine).toBe('postgres')
    world.at = { ...block(10), hash: `0x${'cd'.repeat(32)}` }
    expect(await engine()).toBe('sqlite')
    world.at = block(15)
    expect([await engine(), replica.isNear()]).toEqual(['sqlite', true])
    world.at = block(16)
    expect(replica.isNear()).toBe(false)
    await replica.close()
  })

  it('that fails is left alone: the same is read from the database itself', async () => {
    const { moveTo, log, replica, index, engine } = await open()
    await moveTo(10)
    await expect.poll(engine).toBe('postgres')
    const failing = index.use(async ({ store }) => {
      if (store.engine === 'postgres') throw new Failure('store-unavailable', 'canceling statement due to conflict with recovery')
      return store.engine
    })
    expect(await failing).toBe('sqlite')
    expect(log.warn).toHaveBeenCalledTimes(1)
    await expect(index.use(() => Promise.reject(new RangeError('a bug')))).rejects.toThrow('a bug')
    await replica.close()
  })
})
