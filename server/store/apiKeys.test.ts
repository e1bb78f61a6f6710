import type { Address } from '@chainboard/core'
import { describe, expect, it } from 'vitest'
import { createTempStores, engines } from '../testing/tempStores.ts'
import {
  type ApiKey,
  changeApiKey,
  countApiKeys,
  deleteApiKey,
  findApiKey,
  insertApiKey,
  listApiKeys,
  lockApiKey,
  readKeyChanges,
  saveLastUsed,
} from './apiKeys.ts'

const stores = createTempStores()
const wallet: Address = `0x${'77'.repeat(20)}`

const key = (id: string, facts: Partial<ApiKey> = {}): ApiKey => ({
  ...{ id, hash: `hash of ${id}`, last4: 'wXyZ', tier: 'basic', status: 'active', email: 'dev@example.org', note: '' },
  ...{ requestsPerDay: 1_000, createdAtSeconds: 100, expiresAtSeconds: undefined, lastUsedAtSeconds: undefined },
  ...{ txHash: undefined, payment: undefined, wallet: undefined },
  ...facts,
})

describe.each(engines)('API keys on %s', (engine) => {
  it('are read back as they were written, by their id and by their hash', async () => {
    const store = await stores.openNew(engine)
    const paid = key('paid', {
      ...{ tier: 'custom', status: 'paused', note: "it's", requestsPerDay: Number.MAX_SAFE_INTEGER },
      ...{ expiresAtSeconds: 200, lastUsedAtSeconds: 150, txHash: '0xf1', payment: '{"amount":"1"}' },
    })
    const free = key('free', { tier: 'free', email: '', wallet })
    await store.write(async (tx) => {
      expect(await insertApiKey(tx, paid)).toBe(true)
      expect(await insertApiKey(tx, free)).toBe(true)
    })
    expect(await findApiKey(store.read, { id: 'paid' })).toEqual(paid)
    expect(await findApiKey(store.read, { hash: 'hash of free' })).toEqual(free)
    expect(await findApiKey(store.read, { id: 'hash of free' })).toBeUndefined()
  })

  it('are one for each wallet, and as many as there are without', async () => {
    const store = await stores.openNew(engine)
    const insert = (each: ApiKey) => store.write((tx) => insertApiKey(tx, each))
    expect(await insert(key('a', { wallet }))).toBe(true)
    expect(await insert(key('b', { wallet }))).toBe(false)
    expect(await insert(key('c'))).toBe(true)
    expect(await insert(key('d'))).toBe(true)
    expect((await listApiKeys(store.read, 9)).map(({ id }) => id)).toEqual(['d', 'c', 'a'])
    // The refused one is no change that other servers would look for.
    expect(await readKeyChanges(store.read)).toBe(3)
  })

  it('are held by whichever they are known by, and not there otherwise', async () => {
    const store = await stores.openNew(engine)
    await store.write((tx) => insertApiKey(tx, key('a', { wallet })))
    await store.write((tx) => insertApiKey(tx, key('b')))
    await store.write(async (tx) => {
      for (const by of [{ id: 'a' }, { hash: 'hash of a' }, { wallet }]) expect((await lockApiKey(tx, by))?.id).toBe('a')
      for (const by of [{ id: 'x' }, { hash: 'a' }, { wallet: `0x${'78'.repeat(20)}` as const }])
        expect(await lockApiKey(tx, by)).toBeUndefined()
    })
    // Holding one changes nothing.
    expect(await findApiKey(store.read, { id: 'b' })).toEqual(key('b'))
    expect(await readKeyChanges(store.read)).toBe(2)
  })

  it('change in what is named alone, and end never where that is said', async () => {
    const store = await stores.openNew(engine)
    await store.write((tx) => insertApiKey(tx, key('a', { expiresAtSeconds: 500 })))
    await store.write((tx) => insertApiKey(tx, key('b', { expiresAtSeconds: 500 })))
    await store.write((tx) => changeApiKey(tx, 'a', { note: 'new', requestsPerDay: 5 }))
    expect(await findApiKey(store.read, { id: 'a' })).toEqual(key('a', { expiresAtSeconds: 500, note: 'new', requestsPerDay: 5 }))
    await store.write((tx) => changeApiKey(tx, 'a', { status: 'paused', expiresAtSeconds: undefined, hash: 'h', last4: '0000' }))
    expect(await findApiKey(store.read, { hash: 'h' })).toEqual(
      key('a', { hash: 'h', last4: '0000', status: 'paused', note: 'new', requestsPerDay: 5 }),
    )
    expect(await findApiKey(store.read, { id: 'b' })).toEqual(key('b', { expiresAtSeconds: 500 }))
    expect(await readKeyChanges(store.read)).toBe(4)
  })

  it('are counted: all, those that may be used now, and of these the basic ones', async () => {
    const store = await stores.openNew(engine)
    await store.write(async (tx) => {
      await insertApiKey(tx, key('basic'))
      await insertApiKey(tx, key('later', { expiresAtSeconds: 1_001 }))
      await insertApiKey(tx, key('expired', { expiresAtSeconds: 1_000 }))
      await insertApiKey(tx, key('paused', { status: 'paused' }))
      await insertApiKey(tx, key('free', { tier: 'free' }))
    })
    expect(await countApiKeys(store.read, 1_000)).toEqual({ total: 5, active: 3, activeBasic: 2 })
    await store.write((tx) => deleteApiKey(tx, 'basic'))
    expect(await countApiKeys(store.read, 1_000)).toEqual({ total: 4, active: 2, activeBasic: 1 })
  })

  it('were last used when the newest server says so, which is no change of theirs', async () => {
    const store = await stores.openNew(engine)
    await store.write((tx) => insertApiKey(tx, key('a')))
    await store.write((tx) => insertApiKey(tx, key('b', { lastUsedAtSeconds: 900 })))
    const before = await readKeyChanges(store.read)
    await store.write((tx) => saveLastUsed(tx, new Map(Object.entries({ b: 800, a: 700, gone: 1 }))))
    const lastUsed = async () => (await listApiKeys(store.read, 9)).map(({ id, lastUsedAtSeconds }) => [id, lastUsedAtSeconds])
    expect(await lastUsed()).toEqual([
      ['b', 900],
      ['a', 700],
    ])
    await store.write((tx) => saveLastUsed(tx, new Map([['b', 901]])))
    expect((await lastUsed())[0]).toEqual(['b', 901])
    expect(await readKeyChanges(store.read)).toBe(before)
  })
})
