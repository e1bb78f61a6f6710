import { describe, expect, it } from 'vitest'
import { changeApiKey, deleteApiKey, findApiKey } from '../store/apiKeys.ts'
import { isMessageSpent, spendMessage } from '../store/spentMessages.ts'
import type { Store } from '../store/store.ts'
import { createTempStores, engines } from '../testing/tempStores.ts'
import { createTestKeys, type TestKeys } from '../testing/testKeys.ts'
import { hashApiKey, makeApiKey } from './keyFormat.ts'
import { createKeyIndex } from './keyIndex.ts'

const stores = createTempStores()

describe.each(engines)('the gate of the price API on %s', (engine) => {
  const open = async () => {
    const store = await stores.openNew(engine)
    return { store, keys: createTestKeys(store) }
  }
  const ask = async (keys: TestKeys, key: string) => {
    const spent = await keys.gate.spend(key, '')
    return spent.ok ? 'ok' : spent.refusal.code
  }

  it('answers at once when a permit is at hand, and refuses at once what is no key or no more', async () => {
    const { keys } = await open()
    const { key } = await keys.add()
    expect(keys.gate.spend(key, '')).toBeInstanceOf(Promise)
    expect(await ask(keys, key)).toBe('ok')
    expect(keys.gate.spend(key, '')).toMatchObject({
      ok: true,
      principal: { tier: 'basic', limit: 1_000 },
      allowance: { tier: 'basic', limit: 1_000, remaining: 997, resetSeconds: 43_200 },
    })
    for (const garbage of ['', 'x', `${key}0`, 'undefined', 'x'.repeat(10_000)])
      expect(keys.gate.spend(garbage, '')).toEqual({ ok: false, refusal: { code: 'INVALID_API_KEY' } })
    const unknown = makeApiKey()
    expect(await ask(keys, unknown)).toBe('INVALID_API_KEY')
    expect(keys.gate.spend(unknown, '')).toEqual({ ok: false, refusal: { code: 'INVALID_API_KEY' } })
  })

  it('refuses a key from the second on in which it expires, paused or not', async () => {
    const { keys } = await open()
    const end = keys.clock.ms / 1000 + 100
    const { key } = await keys.add({ expiresAtSeconds: end })
    const { key: paused } = await keys.add({ expiresAtSeconds: end, status: 'paused' })
    keys.clock.ms = end * 1000 - 1
    expect([await ask(keys, key), await ask(keys, paused)]).toEqual(['ok', 'KEY_INACTIVE'])
    keys.clock.ms = end * 1000
    expect([await ask(keys, key), await ask(keys, paused)]).toEqual(['KEY_EXPIRED', 'KEY_EXPIRED'])
  })

  it('notices within a second what another server changes, also where something is open', async () => {
    const { store, keys } = await open()
    const other = createTestKeys(store)
    const made = [await keys.add(), await keys.add(), await keys.add(), await keys.add()] as const
    const [paused, deleted, rotated, kept] = made
    const told: string[] = []
    for (const [i, { key, record }] of made.entries()) {
      expect(await ask(other, key)).toBe('ok')
      other.gate.onEnded(record, (why) => told.push(`${i} ${why}`))
    }
    await other.tick()
    const next = makeApiKey()
    expect(await ask(other, next)).toBe('INVALID_API_KEY')
    await store.write(async (tx) => {
      await changeApiKey(tx, paused.record.id, { status: 'paused' })
      await deleteApiKey(tx, deleted.record.id)
      await changeApiKey(tx, rotated.record.id, { hash: hashApiKey(next) })
      await changeApiKey(tx, kept.record.id, { note: 'x' })
    })
    expect(told).toEqual([])
    await other.tick()
    expect(told).toEqual(['0 KEY_INACTIVE', '1 INVALID_API_KEY', '2 INVALID_API_KEY'])
    expect(await Promise.all(made.map(({ key }) => ask(other, key)))).toEqual([
      'KEY_INACTIVE',
      'INVALID_API_KEY',
      'INVALID_API_KEY',
      'ok',
    ])
    expect(await ask(other, next)).toBe('ok')
  })

  it('ends what a rotated key opened before, during and after the change, on every server, and nothing of its successor', async () => {
    const { store, keys } = await open()
    const other = createTestKeys(store)
    const wallet = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'
    const { key, record } = await keys.add({ tier: 'free', wallet })
    const told: string[] = []
    const listen = async (server: TestKeys, text: string, name: string) => {
      const spent = await server.gate.spend(text, '')
      if (!spent.ok) throw new Error(spent.refusal.code)
      server.gate.onEnded(spent.principal, (why) => told.push(`${name} ${why}`))
    }
    await listen(keys, key, 'here, before')
    await listen(other, key, 'there, before')
    // Paid for with the old key while it was good; they listen when it is rotated already.
    const [here, there] = [await keys.gate.spend(key, ''), await other.gate.spend(key, '')]
    const next = makeApiKey()
    await store.write((tx) => changeApiKey(tx, record.id, { hash: hashApiKey(next) }))
    keys.index.forget([record.hash, hashApiKey(next)])
    await listen(keys, next, 'the next, here')
    await listen(other, next, 'the next, there')
    keys.endings.end(record.id, 'INVALID_API_KEY', record.hash)
    expect(told).toContain('here, before INVALID_API_KEY')
    for (const [server, spent, name] of [
      [keys, here, 'here, late'],
      [other, there, 'there, late'],
    ] as const) {
      if (!spent.ok) throw new Error(spent.refusal.code)
      await new Promise<void>((done) => {
        server.gate.onEnded(spent.principal, (why) => done(void told.push(`${name} ${why}`)))
      })
    }
    await Promise.all([keys.tick(), other.tick()])
    expect(told.toSorted()).toEqual([
      'here, before INVALID_API_KEY',
      'here, late INVALID_API_KEY',
      'there, before INVALID_API_KEY',
      'there, late INVALID_API_KEY',
    ])
    // The successor's own lines are there, and end when it ends.
    await store.write((tx) => deleteApiKey(tx, record.id))
    await Promise.all([keys.tick(), other.tick()])
    expect(told.slice(4).toSorted()).toEqual(['the next, here INVALID_API_KEY', 'the next, there INVALID_API_KEY'])
  })

  it('tells of a key that expires, once and nobody who has gone', async () => {
    const { keys } = await open()
    const { record } = await keys.add({ expiresAtSeconds: keys.clock.ms / 1000 + 10 })
    const told: string[] = []
    keys.gate.onEnded(record, (why) => told.push(why))
    keys.gate.onEnded(record, () => told.push('gone'))()
    await keys.endings.check(record.id)
    keys.clock.ms += 9_999
    await keys.tick()
    expect(told).toEqual([])
    keys.clock.ms += 1
    await keys.tick()
    await keys.tick()
    expect(told).toEqual(['KEY_EXPIRED'])
  })

  it('writes down when keys were last used, once a minute and at the end', async () => {
    const { store, keys } = await open()
    const { key, record } = await keys.add()
    const saved = async (of: Store = store) => (await findApiKey(of.read, { id: record.id }))?.lastUsedAtSeconds
    await ask(keys, key)
    const first = keys.clock.ms / 1000
    await keys.tick()
    expect([await saved(), keys.lastUse(record.id)]).toEqual([undefined, first])
    keys.clock.ms += 60_000
    await keys.tick()
    expect(await saved()).toBe(first)
    await ask(keys, key)
    await keys.stop()
    expect(await saved()).toBe(first + 60)
  })

  it('forgets messages that are too old by now', async () => {
    const { store, keys } = await open()
    const now = Math.floor(keys.clock.ms / 1000)
    await store.write(async (tx) => {
      expect(await spendMessage(tx, 'old', now)).toBe(true)
      expect(await spendMessage(tx, 'new', now + 1)).toBe(true)
      expect(await spendMessage(tx, 'new', now + 1)).toBe(false)
    })
    await keys.sweep()
    expect([await isMessageSpent(store.read, 'old'), await isMessageSpent(store.read, 'new')]).toEqual([false, true])
  })
})

it('a key that is changed while it is looked up is not remembered as it was', async () => {
  const store = await stores.openNew('sqlite')
  const { record } = await createTestKeys(store).add()
  const first = Promise.withResolvers<void>()
  let reads = 0
  const index = createKeyIndex(async () => {
    reads += 1
    if (reads > 1) return { ...record, status: 'paused' }
    await first.promise
    return record
  })
  const looking = index.find(record.hash)
  index.forget([record.hash])
  first.resolve()
  expect((await looking)?.status).toBe('paused')
  expect(index.find(record.hash)).toMatchObject({ status: 'paused' })
  expect(reads).toBe(2)
})

it('a key is looked up once for all who ask at the same moment', async () => {
  const store = await stores.openNew('sqlite')
  const { record } = await createTestKeys(store).add()
  let reads = 0
  const index = createKeyIndex(async () => {
    reads += 1
    return record
  })
  await Promise.all(Array.from({ length: 100 }, () => index.find(record.hash)))
  expect(reads).toBe(1)
})
