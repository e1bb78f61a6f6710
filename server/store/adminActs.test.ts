import type { Address } from '@chainboard/core'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { createTempStores, engines } from '../testing/tempStores.ts'
import { appendAdminAct, findChainEnd, listAdminActs, type NewAdminAct, trimAdminActs } from './adminActs.ts'
import { deleteOldMessages, isMessageSpent, spendMessage } from './spentMessages.ts'
import type { Tx } from './store.ts'

const stores = createTempStores()
const wallet: Address = `0x${'ad'.repeat(20)}`
const act = (id: string, facts: Partial<NewAdminAct> = {}): NewAdminAct => ({
  ...{ id, atSeconds: 1_000, wallet, role: 'owner', via: 'session', act: 'update', keyId: 'k1', from: {}, to: {}, alerts: [] },
  ...facts,
})
let hashes = 0
const append = (tx: Tx, entry: NewAdminAct) => {
  hashes += 1
  return appendAdminAct(tx, entry, () => `hash ${hashes}`)
}

describe.each(engines)('what operators did on %s', (engine) => {
  it('is shown with what it was before and after, the newest first', async () => {
    const store = await stores.openNew(engine)
    const changed = act('2', { from: { note: 'a "b"\n', expiresAt: null }, to: { note: '', expiresAt: 1_795_000_000 } })
    const login = act('1', { act: 'login', keyId: undefined, alerts: ['first-use', 'new-address'] })
    const chained = await store.write(async (tx) => [await append(tx, login), await append(tx, changed)])
    expect(chained.map(({ seq }) => seq)).toEqual([1, 2])
    expect(await listAdminActs(store.read, 9)).toEqual([
      { ...changed, chain: chained[1] },
      { ...login, chain: chained[0] },
    ])
  })

  it('comes in pages, each of what was before the last one', async () => {
    const store = await stores.openNew(engine)
    await store.write(async (tx) => {
      for (const id of ['01', '02', '03', '04', '05']) await append(tx, act(id))
    })
    const idsOf = async (...asked: [number, string?]) => (await listAdminActs(store.read, ...asked)).map(({ id }) => id)
    expect(await idsOf(2)).toEqual(['05', '04'])
    expect(await idsOf(2, '04')).toEqual(['03', '02'])
    expect(await idsOf(2, '01')).toEqual([])
  })

  it('is one chain, also when several write at once', async () => {
    const store = await stores.openNew(engine)
    const ids = Array.from({ length: 20 }, (_, place) => `${place}`)
    await Promise.all(ids.map((id) => store.write((tx) => append(tx, act(id)))))
    const rows = await store.read.selectFrom('admin_acts').selectAll().orderBy('seq').execute()
    expect(rows.map(({ seq }) => seq)).toEqual(ids.map((_, place) => place + 1))
    expect(rows.map(({ previous }) => previous)).toEqual(['0'.repeat(64), ...rows.slice(0, -1).map(({ hash }) => hash)])
    expect(await findChainEnd(store.read)).toEqual({ seq: 20, hash: rows.at(-1)?.hash })
  })

  it('cannot be changed or removed, by no statement of ours; only what is older than the newest 100,000 can', async () => {
    const store = await stores.openNew(engine)
    await store.write(async (tx) => {
      await append(tx, act('old'))
      await append(tx, act('1'))
      await tx.updateTable('admin_chain').set({ seq: 100_000 }).execute()
      await append(tx, act('2'))
    })
    const attempts: ((tx: Tx) => Promise<unknown>)[] = [
      (tx) =>
        tx
          .updateTable('admin_acts')
          .set({ wallet: `0x${'00'.repeat(20)}` })
          .execute(),
      (tx) => tx.updateTable('admin_acts').set({ seq: 7 }).where('id', '=', '2').execute(),
      (tx) => tx.deleteFrom('admin_acts').where('id', '=', '2').execute(),
      (tx) => tx.deleteFrom('admin_acts').execute(),
      (tx) => trimAdminActs(tx, 99_999),
      ...(engine === 'postgres' ? [(tx: Tx) => sql`truncate admin_acts`.execute(tx)] : []),
    ]
    for (const attempt of attempts)
      await expect(store.write(attempt), String(attempt)).rejects.toThrow('admin_acts is append-only')
    await store.write((tx) => trimAdminActs(tx, 100_000))
    expect((await listAdminActs(store.read, 9)).map(({ id }) => id)).toEqual(['2', '1'])
  })

  it.each(['{"from":{}}', '{"from":{},"to":[1]}', '{"from":{"a":true},"to":{}}', '{"from":{"a":{}},"to":{}}', '7'])(
    'is damaged where its changes read %s',
    async (changes) => {
      const store = await stores.openNew(engine)
      await store.write(async (tx) => {
        await tx.insertInto('admin_acts').values({ id: '1', at: 1, wallet, act: 'update', changes }).execute()
      })
      await expect(listAdminActs(store.read, 9)).rejects.toMatchObject({ code: 'store-damaged', detail: { changes } })
    },
  )
})

describe.each(engines)('signed messages on %s', (engine) => {
  it('open once, no matter who sends them at the same moment', async () => {
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
