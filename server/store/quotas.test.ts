import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createTempStores, engines } from '../testing/tempStores.ts'
import { changeQuotas, deleteQuotasBefore, type QuotaChange, readQuotas, readQuotaTotals } from './quotas.ts'
import type { Store } from './store.ts'

const stores = createTempStores()
const ask = (principal: string, want: number, facts: Partial<QuotaChange> = {}): QuotaChange => ({
  ...{ principal, want, kind: 'key', day: 20_000, limit: 100 },
  ...facts,
})
const change = (store: Store, ...changes: QuotaChange[]) => store.write((tx) => changeQuotas(tx, changes))

describe.each(engines)('permits of a day on %s', (engine) => {
  it('are granted up to the limit, in the order that they were asked for', async () => {
    const store = await stores.openNew(engine)
    expect(await change(store, ask('b', 60), ask('a', 10))).toEqual([
      { granted: 60, taken: 60 },
      { granted: 10, taken: 10 },
    ])
    expect(await change(store, ask('a', 0), ask('b', 60))).toEqual([
      { granted: 0, taken: 10 },
      { granted: 40, taken: 100 },
    ])
    expect(await change(store, ask('b', 1))).toEqual([{ granted: 0, taken: 100 }])
    expect(await readQuotas(store.read, 20_000, ['a', 'b', 'c'])).toEqual(new Map(Object.entries({ a: 10, b: 100 })))
  })

  it('that are given back may be taken again, and are never less than none', async () => {
    const store = await stores.openNew(engine)
    await change(store, ask('a', 100))
    expect(await change(store, ask('a', -30))).toEqual([{ granted: 0, taken: 70 }])
    expect(await change(store, ask('a', 50))).toEqual([{ granted: 30, taken: 100 }])
    expect(await change(store, ask('a', -500))).toEqual([{ granted: 0, taken: 0 }])
  })

  it('stay taken where the limit was lowered below them', async () => {
    const store = await stores.openNew(engine)
    await change(store, ask('a', 80))
    expect(await change(store, ask('a', 5, { limit: 50 }))).toEqual([{ granted: 0, taken: 80 }])
    expect(await change(store, ask('a', -5, { limit: 50 }))).toEqual([{ granted: 0, taken: 75 }])
  })

  it('are counted for each kind and day, with who took any', async () => {
    const store = await stores.openNew(engine)
    await change(store, ask('a', 10), ask('b', 5), ask('ip', 7, { kind: 'shared' }), ask('a', 3, { day: 20_001 }))
    await change(store, ask('b', -5), ask('c', 0))
    expect(await readQuotaTotals(store.read, 20_000)).toEqual({
      key: { taken: 10, principals: 1 },
      shared: { taken: 7, principals: 1 },
    })
    expect(await readQuotaTotals(store.read, 20_001)).toEqual({
      key: { taken: 3, principals: 1 },
      shared: { taken: 0, principals: 0 },
    })
    expect(await readQuotaTotals(store.read, 19_999)).toEqual({
      key: { taken: 0, principals: 0 },
      shared: { taken: 0, principals: 0 },
    })
  })

  it('of earlier days are forgotten, so many at a time', async () => {
    const store = await stores.openNew(engine)
    for (const day of [19_998, 19_999, 20_000]) await change(store, ask('a', 1, { day }), ask('b', 1, { day }))
    expect(await store.write((tx) => deleteQuotasBefore(tx, 20_000, 3))).toBe(3)
    expect(await store.write((tx) => deleteQuotasBefore(tx, 20_000, 3))).toBe(1)
    expect(await store.write((tx) => deleteQuotasBefore(tx, 20_000, 3))).toBe(0)
    expect(await readQuotas(store.read, 19_999, ['a', 'b'])).toEqual(new Map())
    expect((await readQuotaTotals(store.read, 19_999)).key).toEqual({ taken: 0, principals: 0 })
    expect((await readQuotaTotals(store.read, 20_000)).key).toEqual({ taken: 2, principals: 2 })
  })

  it('are never more than the limit, no matter who takes at the same moment', async () => {
    const store = await stores.openNew(engine)
    const grants = await Promise.all(Array.from({ length: 20 }, () => change(store, ask('a', 7), ask('b', 7))))
    const sumOf = (place: number) => grants.reduce((sum, each) => sum + (each[place]?.granted ?? 0), 0)
    expect([sumOf(0), sumOf(1)]).toEqual([100, 100])
    expect((await readQuotaTotals(store.read, 20_000)).key).toEqual({ taken: 200, principals: 2 })
  })
})

it('are what a ledger says that is kept by hand', async () => {
  const step = fc.record({ principal: fc.constantFrom('a', 'b', 'c'), want: fc.integer({ min: -40, max: 60 }) })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
      const store = await stores.openNew('sqlite')
      const ledger = new Map<string, number>()
      for (const { principal, want } of steps) {
        const before = ledger.get(principal) ?? 0
        const after = Math.max(0, want < 0 ? before + want : Math.max(before, Math.min(before + want, 100)))
        const [grant] = await change(store, ask(principal, want))
        expect(grant).toEqual({ granted: want < 0 ? 0 : after - before, taken: after })
        ledger.set(principal, after)
      }
      const taken = [...ledger.values()]
      expect((await readQuotaTotals(store.read, 20_000)).key).toEqual({
        taken: taken.reduce((sum, each) => sum + each, 0),
        principals: taken.filter((each) => each > 0).length,
      })
      await store.close()
    }),
    { numRuns: 15 },
  )
})
