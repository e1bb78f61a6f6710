import { expect, it } from 'vitest'
import { createTempStores, engines } from '../../testing/tempStores.ts'
import { listOldDollars } from '../oldDollars.ts'
import { setCursor } from '../syncCursor.ts'
import { markDepthInMotion } from './0019-depth-in-motion.ts'
import { markAgreeingDepth } from './0020-depth-that-agrees.ts'

const stores = createTempStores()

const marks = [
  [markDepthInMotion, 5],
  [markAgreeingDepth, 6],
] as const
const cases = marks.flatMap(([mark, method]) => engines.map((engine) => ({ mark, method, engine })))

it.each(cases)(
  'the dollars of an index of before are by the method before, $method ($engine)',
  async ({ mark, method, engine }) => {
    const store = await stores.openNew(engine)
    await store.write(async (tx) => {
      await setCursor(tx, { identity: 'mine', block: { number: 812, hash: '0xab', timestampSeconds: 9 } })
      await tx.insertInto('old_dollars').values({ from_block: 0, to_block: 99, method: 4 }).execute()
      await mark().up(tx as never)
    })
    expect(await listOldDollars(store.read)).toEqual([
      { fromBlock: 0, toBlock: 99, method: 4, isWrong: false },
      { fromBlock: 100, toBlock: 812, method, isWrong: false },
    ])
  },
)
