import fc from 'fast-check'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { changeApiKey } from '../store/apiKeys.ts'
import { readQuotas, readQuotaTotals } from '../store/quotas.ts'
import type { Store } from '../store/store.ts'
import { createTempStores, engines } from '../testing/tempStores.ts'
import { createTestKeys } from '../testing/testKeys.ts'

const stores = createTempStores()
/** 2026-11-21 in days since 1970. */
const today = 20_778
const client = '198.51.100.1'

describe.each(engines)('the requests of a day on %s', (engine) => {
  const open = async () => {
    const store = await stores.openNew(engine)
    return { store, keys: createTestKeys(store) }
  }
  type Keys = ReturnType<typeof createTestKeys>
  const ask = async (keys: Keys, key: string | undefined, from = client) => {
    const spent = await keys.gate.spend(key, from)
    return spent.ok ? 'ok' : spent.refusal.code
  }
  const count = (answers: readonly string[]) => answers.filter((answer) => answer === 'ok').length
  const takenOf = async (store: Store, id: string, day = today) => (await readQuotas(store.read, day, [id])).get(id)

  it('are answered exactly as often as the limit says, with 200 clients at once, and refused from then on', async () => {
    const { keys, store } = await open()
    const { key, record } = await keys.add({ requestsPerDay: 1_000 })
    const clients = Array.from({ length: 200 }, async () => {
      const answers: string[] = []
      for (let i = 0; i < 8; i += 1) answers.push(await ask(keys, key))
      return answers
    })
    const answers = (await Promise.all(clients)).flat()
    expect(count(answers)).toBe(1_000)
    expect(answers.filter((answer) => answer === 'RATE_LIMIT_EXCEEDED')).toHaveLength(600)
    expect(await takenOf(store, record.id)).toBe(1_000)
    expect(await keys.gate.spend(key, client)).toEqual({
      ok: false,
      refusal: { code: 'RATE_LIMIT_EXCEEDED', limit: 1_000, remaining: 0, resetSeconds: 43_200 },
    })
  })

  it('say what remains after each, down to none', async () => {
    const { keys } = await open()
    const { key } = await keys.add({ requestsPerDay: 12, tier: 'custom' })
    const remaining: number[] = []
    for (let i = 0; i < 12; i += 1) {
      const spent = await keys.gate.spend(key, client)
      if (!spent.ok) throw new Error(spent.refusal.code)
      expect(spent.allowance).toMatchObject({ tier: 'custom', limit: 12, resetSeconds: 43_200 })
      remaining.push(spent.allowance.remaining)
    }
    expect(remaining).toEqual([11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0])
    expect(await ask(keys, key)).toBe('RATE_LIMIT_EXCEEDED')
  })

  it('start over at midnight UTC, under load, with a lease of yesterday in hand', async () => {
    const { keys, store } = await open()
    const { key, record } = await keys.add({ requestsPerDay: 300 })
    keys.clock.ms = Date.UTC(2026, 10, 21, 23, 59, 59)
    const before = await Promise.all(Array.from({ length: 100 }, () => ask(keys, key)))
    const underWay = Array.from({ length: 50 }, () => ask(keys, key))
    keys.clock.ms = Date.UTC(2026, 10, 22)
    const after = await Promise.all(Array.from({ length: 400 }, () => ask(keys, key)))
    expect(count(before)).toBe(100)
    // Those that were waiting at midnight have a permit of either day.
    const crossed = count(await Promise.all(underWay))
    expect(crossed).toBe(50)
    expect(count(after)).toBeGreaterThanOrEqual(250)
    expect(count(after)).toBeLessThanOrEqual(300)
    expect(await takenOf(store, record.id)).toBeLessThan(300)
    expect(await takenOf(store, record.id, today + 1)).toBe(300)
    expect(await ask(keys, key)).toBe('RATE_LIMIT_EXCEEDED')
  })

  it('are persisted before they are spent: at any moment, a server that is killed has given out no more than it wrote down', async () => {
    const { keys, store } = await open()
    const { key, record } = await keys.add({ requestsPerDay: 700 })
    let spent = 0
    while (spent < 700) {
      const wave = await Promise.all(Array.from({ length: 35 }, () => ask(keys, key)))
      spent += count(wave)
      const taken = (await takenOf(store, record.id)) ?? 0
      expect(taken).toBeGreaterThanOrEqual(spent)
      // A lease at most is lost: 500, or a quarter of what was left when it was taken.
      expect(taken - spent).toBeLessThanOrEqual(Math.ceil((700 - spent + 175) / 4))
    }
    // Another server on the same database, as after a kill.
    const next = createTestKeys(store)
    expect(await ask(next, key)).toBe('RATE_LIMIT_EXCEEDED')
  })

  it('are taken 500 at a time at most, and by the thousandth of a day that has more than half a million', async () => {
    const { keys } = await open()
    const unspentOf = async (requestsPerDay: number) => {
      const { key, record } = await keys.add({ requestsPerDay })
      let most = 0
      for (let spent = 0; spent < 12_000; spent += 1) {
        await ask(keys, key)
        most = Math.max(most, keys.ledger.unspentOf(record.id))
      }
      return most
    }
    // Less by what was spent while more was being taken: a quarter at most.
    const [many, millions] = [await unspentOf(500_000), await unspentOf(2_000_000)]
    expect(many).toBeGreaterThan(300)
    expect(many).toBeLessThanOrEqual(500)
    expect(millions).toBeGreaterThan(1_200)
    expect(millions).toBeLessThanOrEqual(2_000)
  })

  it('are exact with three servers on one database, too', async () => {
    const { keys, store } = await open()
    const { key } = await keys.add({ requestsPerDay: 500 })
    const servers = [keys, createTestKeys(store), createTestKeys(store)]
    const answers = await Promise.all(
      servers.flatMap((server) =>
        Array.from({ length: 20 }, async () => {
          const each: string[] = []
          for (let i = 0; i < 15; i += 1) each.push(await ask(server, key))
          return each
        }),
      ),
    )
    const answered = count(answers.flat())
    expect(answered).toBeLessThanOrEqual(500)
    await Promise.all(servers.map((server) => server.stop()))
    // What one of them held unspent is there for the next.
    const last = createTestKeys(store)
    const rest = await Promise.all(Array.from({ length: 500 }, () => ask(last, key)))
    expect(answered + count(rest)).toBe(500)
  })

  it('that a server did not spend are given back when it stops', async () => {
    const { keys, store } = await open()
    const { key, record } = await keys.add()
    await ask(keys, key)
    expect(await takenOf(store, record.id)).toBe(5)
    await keys.stop()
    expect(await takenOf(store, record.id)).toBe(1)
    expect(await readQuotaTotals(store.read, today)).toEqual({
      key: { taken: 1, principals: 1 },
      shared: { taken: 0, principals: 0 },
    })
  })

  it('follow a limit that is changed in the middle of the day', async () => {
    const { keys, store } = await open()
    const { key, record } = await keys.add({ requestsPerDay: 40 })
    expect(count(await Promise.all(Array.from({ length: 30 }, () => ask(keys, key))))).toBe(30)
    const limit = async (requestsPerDay: number) => {
      await store.write((tx) => changeApiKey(tx, record.id, { requestsPerDay }))
      keys.index.forget([record.hash])
    }
    await limit(20)
    expect(await ask(keys, key)).toBe('RATE_LIMIT_EXCEEDED')
    await limit(45)
    expect(count(await Promise.all(Array.from({ length: 30 }, () => ask(keys, key))))).toBe(15)
    expect(await takenOf(store, record.id)).toBe(45)
  })

  it('without a key are 10,000 for each client, whose address is not in the database', async () => {
    const { keys, store } = await open()
    const answers: Awaited<ReturnType<typeof ask>>[] = []
    for (let wave = 0; wave < 11; wave += 1)
      answers.push(...(await Promise.all(Array.from({ length: 950 }, () => ask(keys, undefined)))))
    expect(count(answers)).toBe(10_000)
    expect(await ask(keys, undefined, '2001:db8:0:1::/64')).toBe('ok')
    expect(await readQuotaTotals(store.read, today)).toMatchObject({ shared: { taken: 10_005, principals: 2 } })
    const rows = await store.read.selectFrom('quota_days').selectAll().execute()
    expect(rows.map(({ principal }) => principal)).toEqual([
      expect.stringMatching(/^client:[0-9a-f]{1,6}$/),
      expect.stringMatching(/^client:[0-9a-f]{1,6}$/),
    ])
    expect(keys.ledger.unspentOfAll('shared')).toBe(4)
  })

  it('have 1,000 who wait for one client, so that many of its requests keep nobody else waiting', async () => {
    const { keys } = await open()
    const crowd = Promise.allSettled(Array.from({ length: 1_100 }, () => ask(keys, undefined)))
    expect(await ask(keys, undefined, '2001:db8:0:1::/64')).toBe('ok')
    const refused = (await crowd).filter(({ status }) => status === 'rejected')
    expect(refused).toHaveLength(100)
    expect(refused[0]).toMatchObject({ reason: { code: 'busy', message: 'Too many requests at once. Try again' } })
  })

  it('of a key are refused while the store does not answer, and counted on when it does again', async () => {
    const { keys, store } = await open()
    const { key, record } = await keys.add()
    expect(await ask(keys, key)).toBe('ok')
    await store.write((tx) => tx.schema.alterTable('quota_days').renameTo('quota_gone').execute())
    // Permits in hand are spent, then no request is served that is not counted.
    expect(count(await Promise.all(Array.from({ length: 4 }, () => ask(keys, key))))).toBe(4)
    await expect(ask(keys, key)).rejects.toThrow('Requests cannot be counted right now. Try again')
    await store.write((tx) => tx.schema.alterTable('quota_gone').renameTo('quota_days').execute())
    expect(await ask(keys, key)).toBe('ok')
    await keys.stop()
    expect(await takenOf(store, record.id)).toBe(6)
  })

  it('of a client without a key are lent meanwhile, one lease at most, and counted later', async () => {
    const { keys, store } = await open()
    await store.write((tx) => tx.schema.alterTable('quota_days').renameTo('quota_gone').execute())
    const answers = await Promise.allSettled(Array.from({ length: 600 }, () => ask(keys, undefined)))
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(500)
    await store.write((tx) => tx.schema.alterTable('quota_gone').renameTo('quota_days').execute())
    expect(await ask(keys, undefined)).toBe('ok')
    await keys.stop()
    const rows = await store.read.selectFrom('quota_days').select('taken').execute()
    expect(rows.map(({ taken }) => taken)).toEqual([501])
  })

  it('of a client without a key are lent while the store hangs, one lease at most, and counted when it answers', async () => {
    const { keys, store } = await open()
    const { key, record } = await keys.add()
    const [locked, answering] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const hanging = store.write(async (tx) => {
      if (engine === 'postgres') await sql`lock table quota_days in access exclusive mode`.execute(tx)
      locked.resolve()
      await answering.promise
    })
    await locked.promise
    let [lent, exact] = [0, 0]
    const ofKey = ask(keys, key).then(() => (exact += 1))
    const asked = Array.from({ length: 600 }, () => ask(keys, undefined).then(() => (lent += 1)))
    await expect.poll(() => lent, { timeout: 5_000 }).toBe(500)
    expect(exact).toBe(0)
    answering.resolve()
    await Promise.all([hanging, ofKey, ...asked])
    await keys.stop()
    const rows = await store.read.selectFrom('quota_days').select('taken').where('principal', '<>', record.id).execute()
    expect(rows.map(({ taken }) => taken)).toEqual([600])
  })

  it('of days that are over are forgotten, yesterday apart', async () => {
    const { keys, store } = await open()
    const { key, record } = await keys.add()
    keys.clock.ms += 0.5
    for (let day = 0; day < 3; day += 1) {
      await ask(keys, key)
      keys.clock.ms += 86_400_000
    }
    await keys.sweep()
    const left = await store.read.selectFrom('quota_days').select(['principal', 'day']).orderBy('day').execute()
    expect(left).toEqual([{ principal: record.id, day: today + 2 }])
  })

  it('whatever is spent, edited, stopped and killed, never exceed the limit, and the sums are those of the rows', async () => {
    const act = fc.oneof(
      { weight: 6, arbitrary: fc.record({ kind: fc.constant('spend' as const), server: fc.nat(1), times: fc.nat(40) }) },
      { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('stop', 'kill'), server: fc.nat(1), times: fc.nat(0) }) },
    )
    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 3, maxLength: 25 }), fc.integer({ min: 1, max: 120 }), async (acts, limit) => {
        const { keys, store } = await open()
        const { key, record } = await keys.add({ requestsPerDay: limit })
        const servers = [keys, createTestKeys(store)]
        let spent = 0
        for (const { kind, server, times } of acts) {
          const at = servers[server] as Keys
          if (kind === 'spend') spent += count(await Promise.all(Array.from({ length: times }, () => ask(at, key))))
          if (kind === 'stop') await at.stop()
          if (kind !== 'spend') servers[server] = createTestKeys(store)
          expect((await takenOf(store, record.id)) ?? 0).toBeGreaterThanOrEqual(spent)
          expect((await takenOf(store, record.id)) ?? 0).toBeLessThanOrEqual(limit)
        }
        await Promise.all(servers.map((server) => server.stop()))
        const taken = (await takenOf(store, record.id)) ?? 0
        expect(await readQuotaTotals(store.read, today)).toMatchObject({
          key: { taken, principals: taken > 0 ? 1 : 0 },
        })
        await store.close()
      }),
      { numRuns: engine === 'sqlite' ? 25 : 10 },
    )
  })
})

it('a client whose permits are pushed out of memory by many others loses none', async () => {
  const store = await stores.openNew('sqlite')
  const keys = createTestKeys(store)
  const spend = async (from: string) => (await keys.gate.spend(undefined, from)).ok
  expect(await spend('first')).toBe(true)
  const { principal } = await store.read.selectFrom('quota_days').select('principal').executeTakeFirstOrThrow()
  for (let wave = 0; wave < 21; wave += 1) {
    const others = Array.from({ length: 1_000 }, (_, i) => spend(`10.${wave}.${i >> 8}.${i & 255}`))
    expect((await Promise.all(others)).every(Boolean)).toBe(true)
  }
  await keys.ledger.stop()
  expect((await readQuotas(store.read, today, [principal])).get(principal)).toBe(1)
})
