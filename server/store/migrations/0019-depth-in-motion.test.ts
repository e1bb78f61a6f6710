import { expect, it } from 'vitest'
import { createTempStores, engines } from '../../testing/tempStores.ts'
import { listOldDollars } from '../oldDollars.ts'
import { setCursor } from '../syncCursor.ts'
import { markDepthInMotion } from './0019-depth-in-motion.ts'

const stores = createTempStores()

it.each(engines)('the dollars of an index of before are by the method before (%s)', async (engine) => {
  const store = await stores.openNew(engine)
  await store.write(async (tx) => {
    await setCursor(tx, { identity: 'mine', block: { number: 812, hash: '0xab', timestampSeconds: 9 } })
    await tx.insertInto('old_dollars').values({ from_block: 0, to_block: 99, method: 4 }).execute()
    await markDepthInMotion().up(tx as never)
  })
  expect(await listOldDollars(store.read)).toEqual([
    { fromBlock: 0, toBlock: 99, method: 4, isWrong: false },
    { fromBlock: 100, toBlock: 812, method: 5, isWrong: false },
  ])
})
