import type { Hex } from '@chainboard/core'
import { describe, expect, it } from 'vitest'
import { createTempStores, engines } from '../testing/tempStores.ts'
import { findBlock, insertBlocks, listBlocksDown, thinBlocks } from './blocks.ts'

const stores = createTempStores()
const ref = (number: number, hash: Hex = `0x${number}`) => ({ number, hash, timestampSeconds: 1_700_000_000 + number })

describe.each(engines)('references to blocks on %s', (engine) => {
  it('thin out far below the newest: one in each 1,024 stays, and all of the last 4,096', async () => {
    const store = await stores.openNew(engine)
    await store.write(async (tx) => {
      await insertBlocks(
        tx,
        Array.from({ length: 6_001 }, (_, i) => ref(i + 3)),
      )
      await thinBlocks(tx, 6_000)
    })
    const kept = (await listBlocksDown(store.read, 1_904, 10)).map(({ number }) => number)
    expect(kept).toEqual([1_904, 1_024, 3])
    expect(await listBlocksDown(store.read, 6_003, 10_000)).toHaveLength(2 + 6_003 - 1_904 + 1)
  })

  it('are replaced when the chain changes its mind', async () => {
    const store = await stores.openNew(engine)
    await store.write((tx) => insertBlocks(tx, [ref(7, '0xaa')]))
    await store.write((tx) => insertBlocks(tx, [ref(7, '0xbb')]))
    expect(await findBlock(store.read, 7)).toEqual(ref(7, '0xbb'))
    expect(await findBlock(store.read, 8)).toBeUndefined()
  })

  it('are not written by a transaction that fails', async () => {
    const store = await stores.openNew(engine)
    const failing = store.write(async (tx) => {
      await insertBlocks(tx, [ref(7)])
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect(await findBlock(store.read, 7)).toBeUndefined()
    await store.write((tx) => insertBlocks(tx, [ref(9)]))
    expect(await findBlock(store.read, 9)).toEqual(ref(9))
  })
})
