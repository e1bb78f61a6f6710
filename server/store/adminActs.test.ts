import type { Address } from '@chainboard/core'
import { describe, expect, it } from 'vitest'
import { createTempStores, engines } from '../testing/tempStores.ts'
import { type AdminAct, insertAdminAct, listAdminActs, trimAdminActs } from './adminActs.ts'
import { deleteOldMessages, isMessageSpent, spendMessage } from './spentMessages.ts'

const stores = createTempStores()
const wallet: Address = `0x${'ad'.repeat(20)}`
const act = (id: string, facts: Partial<AdminAct> = {}): AdminAct => ({
  ...{ id, atSeconds: 1_000, wallet, act: 'update', keyId: 'k1', from: {}, to: {} },
  ...facts,
})

describe.each(engines)('what operators did on %s', (engine) => {
  it('is told with what it was before and after, the newest first', async () => {
    const store = await stores.openNew(engine)
    const changed = act('2', { from: { note: 'a "b"\n', expiresAt: null }, to: { note: '', expiresAt: 1_795_000_000 } })
    const login = act('1', { act: 'login', keyId: undefined })
    await store.write(async (tx) => {
      await insertAdminAct(tx, login)
      await insertAdminAct(tx, changed)
    })
    expect(await listAdminActs(store.read, 9)).toEqual([changed, login])
  })

  it('comes in pages, each of what was before the last one', async () => {
    const store = await stores.openNew(engine)
    await store.write(async (tx) => {
      for (const id of ['01', '02', '03', '04', '05']) await insertAdminAct(tx, act(id))
    })
    const idsOf = async (...asked: [number, string?]) => (await listAdminActs(store.read, ...asked)).map(({ id }) => id)
    expect(await idsOf(2)).toEqual(['05', '04'])
    expect(await idsOf(2, '04')).toEqual(['03', '02'])
    expect(await idsOf(2, '01')).toEqual([])
    await store.write((tx) => trimAdminActs(tx, 2))
    expect(await idsOf(9)).toEqual(['05', '04'])
    await store.write((tx) => trimAdminActs(tx, 2))
    expect(await idsOf(9)).toEqual(['05', '04'])
  })

  it.each(['{"from":{}}', '{"from":{},"to":[1]}', '{"from":{"a":true},"to":{}}', '{"from":{"a":{}},"to":{}}', '7'])(
    'is damaged where its changes read %s',
    async (changes) => {
      const store = await stores.openNew(engine)
      await store.write(async (tx) => {
        await insertAdminAct(tx, act('1'))
        await tx.updateTable('admin_acts').set({ changes }).execute()
      })
      await expect(listAdminActs(store.read, 9)).rejects.toMatchObject({ code: 'store-damaged', detail: { changes } })
    },
  )
})

describe.each(engines)('signed messages on %s', (engine) => {
  it('open once, whoever sends them at the same moment', async () => {
    const store = await stores.openNew(engine)
    const spend = () => store.write((tx) => spendMessage(tx, 'digest', 500.2))
    expect(await isMessageSpent(store.read, 'digest')).toBe(false)
    expect((await Promise.all([spend(), spend(), spend()])).filter(Boolean)).toHaveLength(1)
    expect(await isMessageSpent(store.read, 'digest')).toBe(true)
  })

  it('are forgotten when they are too old anyway, and no second before', async () => {
    const store = await stores.openNew(engine)
    await store.write((tx) => spendMessage(tx, 'digest', 500.2))
    await store.write((tx) => deleteOldMessages(tx, 500))
    expect(await isMessageSpent(store.read, 'digest')).toBe(true)
    await store.write((tx) => deleteOldMessages(tx, 501))
    expect(await isMessageSpent(store.read, 'digest')).toBe(false)
  })
})
