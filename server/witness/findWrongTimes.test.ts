import { Failure } from '@chainboard/core'
import { expect, it } from 'vitest'
import type { Header } from '../chain/chain.ts'
import { insertBlocks } from '../store/blocks.ts'
import { createTempStores } from '../testing/tempStores.ts'
import { listMisdating } from './findWrongTimes.ts'

const stores = createTempStores()

it('nodes that date the block of the index otherwise than most are named, not those that have another block or none', async () => {
  const store = await stores.openNew('sqlite')
  await store.write((tx) => insertBlocks(tx, [{ number: 7, hash: '0xa', timestampSeconds: 1_700_000_257 }]))
  const nodeWith = (header: Partial<Header> | undefined) => ({
    readHeader: async (number: number): Promise<Header | undefined> =>
      header && { number, hash: '0xa', parentHash: '0x0', timestampSeconds: 1_700_000_007, ...header },
  })
  const away = {
    readHeader: async () => {
      throw new Failure('rpc-unavailable', 'away', { retryable: true })
    },
  }
  const nodes = [
    nodeWith({}),
    nodeWith({ timestampSeconds: 1_700_000_257 }),
    nodeWith({ hash: '0xb', timestampSeconds: 1_700_000_257 }),
    nodeWith(undefined),
    away,
  ]
  expect(await listMisdating({ nodes, store }, 7, '1700000007')).toEqual([1])
})
