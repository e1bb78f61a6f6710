import { describe, expect, it } from 'vitest'
import { createTempStores, engines } from '../../testing/tempStores.ts'
import { putScope } from '../indexScope.ts'
import { listOldDollars } from '../oldDollars.ts'
import type { Store } from '../store.ts'
import { setCursor } from '../syncCursor.ts'
import { addStableWorth } from './0016-stable-worth.ts'

const stores = createTempStores()
const [usdc, usdt, native, quote] = ['aa', 'bb', 'cc', 'dd'].map((byte) => `0x${byte.repeat(20)}`)

/** A store of before, with an index whose settings of dollars are these. */
async function upgrade(engine: Store['engine'], dollars: string) {
  const store = await stores.openNew(engine)
  await store.write(async (tx) => {
    await setCursor(tx, { identity: 'mine', block: { number: 812, hash: '0xab', timestampSeconds: 9 } })
    await putScope(tx, { dollars, tokens: undefined })
    await tx.insertInto('old_dollars').values({ from_block: 0, to_block: 99, method: 2 }).execute()
    await addStableWorth().up(tx as never)
  })
  return listOldDollars(store.read)
}

describe.each(engines)('the dollars of an index of before (%s)', (engine) => {
  it('are of an older method where it has several stable coins', async () => {
    expect(await upgrade(engine, `${usdc}+${usdt}/${native}/50000000000000000000`)).toEqual([
      { fromBlock: 0, toBlock: 99, method: 2, isWrong: false },
      { fromBlock: 100, toBlock: 812, method: 3, isWrong: false },
    ])
  })

  it('are what they were where it has one, whatever other quotes', async () => {
    expect(await upgrade(engine, `${usdc}/${native}/50000000000000000000/600/${native}+${quote}`)).toEqual([
      { fromBlock: 0, toBlock: 99, method: 2, isWrong: false },
    ])
  })
})
