import type { Address } from '@chainboard/core'
import { expect, it } from 'vitest'
import { FakeChain } from '../chain/fakeChain.ts'
import { decodePoolEvent, indexedTopics } from '../indexer/decodeLog.ts'
import { setKeptSince } from '../store/keptSince.ts'
import { factory, follow, poolCreated, poolEvent, poolOf, tokens, untilSynced } from '../testing/fakeExchange.ts'
import { createTempStores } from '../testing/tempStores.ts'
import { findHole } from './findHole.ts'
import { createReceiptTraits } from './proof/receiptTraits.ts'

const stores = createTempStores()

it('finds a swap that the index lacks, unless swaps of that time are no longer kept', { timeout: 60_000 }, async () => {
  const chain = new FakeChain()
  for (const address of tokens)
    chain.tokens.set(address, { address, symbol: 'T', name: 'Token', decimals: 18, totalSupplyRaw: 9n })
  chain.mine([...poolCreated(0), poolEvent(0, 0, 300)])
  for (let i = 0; i < 80; i += 1) chain.mine([poolEvent(0, 5, 10 + i)])
  const store = await stores.openNew('sqlite')
  const follower = follow(chain, store, { factory })
  await untilSynced(chain, follower)
  await follower.stop()
  // The last one before those that are kept stays.
  await store.write((tx) => tx.deleteFrom('swaps').where('block_number', '<', 11).execute())
  const receipts = createReceiptTraits()
  const deps = { nodes: [chain], read: store.read, topics: indexedTopics, decode: decodePoolEvent, receipts }
  const pool = poolOf(0) as Address
  expect((await findHole(deps, { pool, fromBlock: 1, toBlock: 81 }))?.block).toBe(2)
  expect((await findHole(deps, { pool, fromBlock: 1, toBlock: 20 }))?.block).toBe(2)
  const swap = await store.read.selectFrom('swaps').select('timestamp').where('block_number', '=', 12).executeTakeFirstOrThrow()
  await store.write((tx) => setKeptSince(tx, 'swaps', swap.timestamp))
  expect(await findHole(deps, { pool, fromBlock: 1, toBlock: 81 })).toBeUndefined()
  expect(await findHole(deps, { pool, fromBlock: 1, toBlock: 20 })).toBeUndefined()
  expect(await findHole(deps, { pool, fromBlock: 1, toBlock: 9 })).toBeUndefined()
  await store.write((tx) => tx.deleteFrom('swaps').where('block_number', '=', 15).execute())
  expect((await findHole(deps, { pool, fromBlock: 1, toBlock: 81 }))?.block).toBe(15)
  await store.close()
})
