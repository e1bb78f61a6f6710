import type { Address, Hex } from '@chainboard/core'
import { describe, expect, it } from 'vitest'
import { createTempStores, engines } from '../testing/tempStores.ts'
import { findBoostCursor, setBoostCursor } from './boostCursor.ts'
import {
  type BoostPayment,
  listBoostPayments,
  listBoostPaymentsIn,
  listBoostTokens,
  replaceBoostPayments,
} from './boostPayments.ts'

const stores = createTempStores()
const address = (byte: string): Address => `0x${byte.repeat(20)}`
const [one, two] = [address('01'), address('02')]

const pay = (blockNumber: number, token: Address, logIndex = 0): BoostPayment => ({
  ...{ blockNumber, logIndex, token, payer: address('77'), paymentToken: address('05'), decimals: 6 },
  ...{ amountRaw: 2n ** 256n - 1n, expiresAtSeconds: 90_000, txHash: `0x${'f2'.repeat(32)}` as Hex, timestampSeconds: 1_000 },
})

describe.each(engines)('payments for boosts on %s', (engine) => {
  const filled = async () => {
    const store = await stores.openNew(engine)
    await store.write((tx) => replaceBoostPayments(tx, { from: 0 }, [pay(5, one), pay(5, two, 1), pay(7, one), pay(9, two)]))
    const placesOf = async (token?: Address) =>
      (await listBoostPayments(store.read, { token, offset: 0, limit: 9 })).payments.map((each) => [
        each.blockNumber,
        each.logIndex,
      ])
    return { store, placesOf }
  }

  it('are read back with every digit, the newest first, in pages with their number in all', async () => {
    const { store } = await filled()
    const { payments, total } = await listBoostPayments(store.read, { offset: 1, limit: 2 })
    expect(payments).toEqual([pay(7, one), pay(5, two, 1)])
    expect(total).toBe(4)
    expect(await listBoostPayments(store.read, { token: two, offset: 1, limit: 9 })).toEqual({
      payments: [pay(5, two, 1)],
      total: 2,
    })
    expect(await listBoostPayments(store.read, { token: address('03'), offset: 0, limit: 9 })).toEqual({ payments: [], total: 0 })
    expect(await listBoostPaymentsIn(store.read, { from: 5, to: 7 })).toEqual([pay(5, one), pay(5, two, 1), pay(7, one)])
  })

  it('of a range of blocks give way to what is read there now, and others stay', async () => {
    const { store, placesOf } = await filled()
    await store.write((tx) => replaceBoostPayments(tx, { from: 5, to: 7 }, [pay(6, two)]))
    expect(await placesOf()).toEqual([
      [9, 0],
      [6, 0],
    ])
    await store.write((tx) => replaceBoostPayments(tx, { from: 6, to: 8 }, []))
    expect(await placesOf()).toEqual([[9, 0]])
    // Without an end: a reorg took everything from there on.
    await store.write((tx) => replaceBoostPayments(tx, { from: 9 }, []))
    expect(await placesOf()).toEqual([])
  })

  it('name tokens by their newest payment, of equals the lower address first', async () => {
    const { store } = await filled()
    expect(await listBoostTokens(store.read, 9)).toEqual([two, one])
    await store.write((tx) => replaceBoostPayments(tx, { from: 9 }, [pay(9, two), pay(9, one, 1)]))
    expect(await listBoostTokens(store.read, 9)).toEqual([one, two])
    expect(await listBoostTokens(store.read, 1)).toEqual([one])
  })
})

describe.each(engines)('the cursor of the boost contract on %s', (engine) => {
  it('is read back as it was written, before the first block and after it', async () => {
    const store = await stores.openNew(engine)
    expect(await findBoostCursor(store.read)).toBeUndefined()
    const fresh = { contract: address('b0'), startBlock: 7, chain: undefined, block: undefined, decimals: new Map() }
    await store.write((tx) => setBoostCursor(tx, fresh))
    expect(await findBoostCursor(store.read)).toEqual(fresh)
    const read = {
      ...{ contract: address('b1'), startBlock: 8, chain: '1:0xabc', block: { number: 9, hash: '0xcd' as const } },
      decimals: new Map([
        [address('05'), 6],
        [address('06'), 18],
      ]),
    }
    await store.write((tx) => setBoostCursor(tx, read))
    expect(await findBoostCursor(store.read)).toEqual(read)
  })

  it.each(['{"0x05":6}', '{"usdc":6}', `{"${address('05')}":"6"}`, `{"${address('05')}":null}`])(
    'is damaged where its decimals read %s',
    async (decimals) => {
      const store = await stores.openNew(engine)
      const fresh = { contract: address('b0'), startBlock: 7, chain: undefined, block: undefined, decimals: new Map() }
      await store.write(async (tx) => {
        await setBoostCursor(tx, fresh)
        await tx.updateTable('boost_cursor').set({ decimals }).execute()
      })
      await expect(findBoostCursor(store.read)).rejects.toMatchObject({ code: 'store-damaged' })
    },
  )
})
