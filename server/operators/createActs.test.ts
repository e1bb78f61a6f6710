import { type Address, Failure } from '@chainboard/core'
import { describe, expect, it } from 'vitest'
import { listAdminActs } from '../store/adminActs.ts'
import type { Store, Tx } from '../store/store.ts'
import { createTempStores } from '../testing/tempStores.ts'
import { createActs, type Entry } from './createActs.ts'
import type { Operator } from './operator.ts'

const stores = createTempStores()
const wallet: Address = `0x${'ad'.repeat(20)}`
const by: Operator = { wallet, role: 'owner', pass: { kind: 'message', digest: 'd', expiresAtSeconds: 9 }, client: '192.0.2.1' }

function open(store: Pick<Store, 'write'>) {
  const entries: Entry[] = []
  const clock = { ms: Date.UTC(2026, 10, 21, 12) }
  const act = createActs({
    store,
    hashAct: (text) => `hash of ${text.length}`,
    hashClient: (client) => `hash of ${client}`,
    onEntry: (entry) => entries.push(entry),
    nowMs: () => clock.ms,
  })
  return { act, entries, clock }
}

describe('what operators do', () => {
  it('is recorded in the order in which it was done, also within a millisecond', async () => {
    const store = await stores.openNew('sqlite')
    const { act } = open(store)
    for (const keyId of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l'])
      await act(by, (_, record) => record({ act: 'update', keyId }))
    const newest = await listAdminActs(store.read, 20)
    expect(newest.map(({ keyId }) => keyId).join('')).toBe('lkjihgfedcba')
    expect(newest[0]).toMatchObject({ wallet, role: 'owner', via: 'message', from: {}, to: {} })
    // Sorted by their ids alone, they are the same.
    expect(
      newest
        .map(({ id }) => id)
        .toSorted()
        .reverse(),
    ).toEqual(newest.map(({ id }) => id))
  })

  it('gives back what the work gives back, and tells of the entry after the transaction', async () => {
    const { act, entries } = open(await stores.openNew('sqlite'))
    const seen = await act(by, async (_, record) => {
      await record({ act: 'update', keyId: 'a' })
      return entries.length
    })
    expect([seen, entries.length]).toEqual([0, 1])
    expect(entries[0]).toMatchObject({ seq: 1, alerts: ['first-use'] })
  })

  it('leaves no entry when it fails after the record', async () => {
    const store = await stores.openNew('sqlite')
    const { act, entries } = open(store)
    const failing = act(by, async (_, record) => {
      await record({ act: 'delete', keyId: 'a' })
      throw new Failure('conflict', 'Another one was first')
    })
    await expect(failing).rejects.toThrow('Another one was first')
    expect([entries, await listAdminActs(store.read, 5)]).toEqual([[], []])
  })

  it('is told of once where the database has the transaction run again', async () => {
    const store = await stores.openNew('sqlite')
    /** The first run is rolled back, as PostgreSQL does with one of two that meet. */
    const write = async <T>(work: (tx: Tx) => Promise<T>): Promise<T> => {
      await store
        .write(async (tx) => {
          await work(tx)
          throw new Failure('busy', 'again')
        })
        .catch(() => undefined)
      return store.write(work)
    }
    const { act, entries } = open({ write })
    await act(by, (_, record) => record({ act: 'update', keyId: 'a' }))
    expect(entries.map(({ seq }) => seq)).toEqual([1])
  })
})
