import { expect, it } from 'vitest'
import { createIndexSwitch, type ReadableIndex, wholeIndex } from './indexSwitch.ts'
import { toRequestIndex, toRequestStore } from './requestStore.ts'
import type { Store, StoreReader } from './store.ts'

/** A store by its name: nothing is read from it here. */
const store = (name: string, facts: object = {}) => ({ name, ...facts }) as unknown as Store
const index = (name: string, sinceSeconds?: number): ReadableIndex => ({ store: store(name), sinceSeconds })
const nameOf = ({ store: held }: { readonly store: StoreReader }) => Reflect.get(held, 'name')

it('an index stays open for those who read it, and another one answers meanwhile', async () => {
  const answering = createIndexSwitch(index('recent', 1_000))
  const reading = Promise.withResolvers<void>()
  const first = answering.use(async (held) => {
    await reading.promise
    return nameOf(held)
  })
  expect(answering.sinceSeconds()).toBe(1_000)
  let isFree = false
  const freed = answering.serve(index('whole')).then(() => {
    isFree = true
  })
  expect(answering.sinceSeconds()).toBeUndefined()
  expect(await answering.use(async (held) => nameOf(held))).toBe('whole')
  expect(isFree).toBe(false)
  reading.resolve()
  expect(await first).toBe('recent')
  await freed
  expect(isFree).toBe(true)
})

it('an index that nobody reads is free at once, and one whose reader failed as well', async () => {
  const answering = createIndexSwitch(index('a'))
  await answering.serve(index('b'))
  const failing = answering.use(async () => {
    throw new Error('no')
  })
  const freed = answering.serve(index('c'))
  await expect(failing).rejects.toThrow('no')
  await freed
})

it('several readers have to end before it is free', async () => {
  const answering = createIndexSwitch(index('a'))
  const [one, other] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const readings = [answering.use(() => one.promise), answering.use(() => other.promise)]
  let isFree = false
  const freed = answering.serve(index('b')).then(() => {
    isFree = true
  })
  one.resolve()
  await readings[0]
  await new Promise((turn) => setImmediate(turn))
  expect(isFree).toBe(false)
  other.resolve()
  await freed
})

it('requests read the same index, over connections of their own where there are any', async () => {
  const requests = store('for requests')
  const own = store('own', { forRequests: requests })
  expect([toRequestStore(own), toRequestStore(requests)]).toEqual([requests, requests])
  expect(await toRequestIndex(wholeIndex(own)).use(async (held) => nameOf(held))).toBe('for requests')
  expect(await toRequestIndex(wholeIndex(requests)).use(async (held) => nameOf(held))).toBe('for requests')
})
