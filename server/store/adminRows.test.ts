import type { Address } from '@chainboard/core'
import { beforeAll, describe, expect, it } from 'vitest'
import { createTempStores, engines } from '../testing/tempStores.ts'
import {
  type AccountNotice,
  deleteAccountNotice,
  deleteAccountNoticesOf,
  deleteOldAccountNotices,
  insertAccountNotice,
  listAccountNotices,
} from './accountNotices.ts'
import { type AdminPlace, countAdminPlaces, deleteOldNetworks, keepAdminPlace } from './adminPlaces.ts'
import {
  type AdminSession,
  deleteAdminSession,
  deleteEndedAdminSessions,
  findAdminSession,
  insertAdminSession,
  listAdminSessions,
  touchAdminSession,
  trimAdminSessions,
} from './adminSessions.ts'
import { deleteKeyDeletion, deleteOldKeyDeletions, putKeyDeletion, readKeyDeletions } from './keyDeletions.ts'
import { changeNameSkeleton } from './nameSkeletons.ts'
import type { Store } from './store.ts'

const stores = createTempStores()
const address = (byte: string): Address => `0x${byte.repeat(20)}`
const [ann, bob, cat, dan] = [address('a1'), address('b1'), address('c1'), address('d1')]

describe.each(engines)('rows about operators and accounts on %s', (engine) => {
  let store: Store
  beforeAll(async () => {
    store = await stores.openNew(engine)
  })

  describe('sessions of operators', () => {
    const session = (id: string, wallet: Address, createdAtSeconds: number, usedAtSeconds = createdAtSeconds): AdminSession => ({
      ...{ id, wallet, agent: 'Firefox', createdAtSeconds, usedAtSeconds },
    })
    const begin = (each: AdminSession) => store.write((tx) => insertAdminSession(tx, `hash ${each.id}`, each))
    const idsOf = async (wallet: Address | undefined, lively = { createdAfter: 0, usedAfter: 0 }) =>
      (await listAdminSessions(store.read, wallet, lively)).map(({ id }) => id).join(' ')

    it('are found by what the cookie holds under its own id, as long as they neither lasted nor rested too long', async () => {
      const one = session('s1', ann, 100, 150)
      await begin(one)
      const find = (id: string, tokenHash: string, createdAfter = 99, usedAfter = 149) =>
        findAdminSession(store.read, { id, tokenHash }, { createdAfter, usedAfter })
      expect(await find('s1', 'hash s1')).toEqual(one)
      expect([await find('s2', 'hash s1'), await find('s1', 'hash s2')]).toEqual([undefined, undefined])
      expect([await find('s1', 'hash s1', 100), await find('s1', 'hash s1', 99, 150)]).toEqual([undefined, undefined])
      await store.write((tx) => touchAdminSession(tx, 's1', 151))
      expect(await find('s1', 'hash s1', 99, 150)).toEqual({ ...one, usedAtSeconds: 151 })
    })

    it('never share a token', async () => {
      await begin(session('t1', dan, 1))
      await expect(store.write((tx) => insertAdminSession(tx, 'hash t1', session('t2', dan, 2)))).rejects.toThrow()
      await store.write((tx) => deleteAdminSession(tx, 't1'))
    })

    it('are cut to the youngest of one operator, and leave those of others alone', async () => {
      for (const each of [session('b1', bob, 10), session('b3', bob, 30), session('b2', bob, 20), session('c1', cat, 1)])
        await begin(each)
      await store.write((tx) => trimAdminSessions(tx, bob, 2))
      expect([await idsOf(bob), await idsOf(cat)]).toEqual(['b3 b2', 'c1'])
      expect(await idsOf(undefined, { createdAfter: 5, usedAfter: 25 })).toBe('s1 b3')
    })

    it('end once, and go when they lasted or rested too long', async () => {
      const end = (id: string) => store.write((tx) => deleteAdminSession(tx, id))
      expect([(await end('b3'))?.wallet, await end('b3')]).toEqual([bob, undefined])
      await begin(session('b4', bob, 5, 90))
      await store.write((tx) => deleteEndedAdminSessions(tx, { createdAfter: 5, usedAfter: 0 }))
      expect(await idsOf(undefined)).toBe('s1 b2')
      await store.write((tx) => deleteEndedAdminSessions(tx, { createdAfter: 0, usedAfter: 20 }))
      expect(await idsOf(undefined)).toBe('s1')
    })
  })

  describe('places of operators', () => {
    const keep = (wallet: Address, value: string, atSeconds: number, kind: AdminPlace['kind'] = 'network') =>
      store.write((tx) => keepAdminPlace(tx, { wallet, kind, value }, { atSeconds, keep: 2 }))
    const count = (wallet: Address, kind: AdminPlace['kind'] = 'network') => countAdminPlaces(store.read, { wallet, kind })

    it('are known from the second time on, of each kind and operator apart, the last seen few', async () => {
      expect([await keep(ann, 'n1', 10), await keep(ann, 'n2', 20), await keep(ann, 'n1', 30)]).toEqual([false, false, true])
      expect([await keep(bob, 'n9', 10), await keep(ann, 'owner', 10, 'role')]).toEqual([false, false])
      // The third pushes out the one that was not seen for longest, which is not the first.
      expect(await keep(ann, 'n3', 40)).toBe(false)
      expect([await keep(ann, 'n1', 50), await keep(ann, 'n2', 60)]).toEqual([true, false])
      expect([await count(ann), await count(ann, 'role'), await count(bob), await count(cat)]).toEqual([2, 1, 1, 0])
    })

    it('are forgotten by age where addresses go to other people, and roles are not', async () => {
      await store.write((tx) => deleteOldNetworks(tx, 60))
      expect([await count(ann), await count(bob), await count(ann, 'role')]).toEqual([1, 0, 1])
      expect(await keep(ann, 'n2', 70)).toBe(true)
    })
  })

  describe('wishes to delete a key', () => {
    const day = 86_400
    it('wait a day for a second owner, and are replaced by a newer one of the same key', async () => {
      const ask = (keyId: string, wallet: Address, askedAtSeconds: number) =>
        store.write((tx) => putKeyDeletion(tx, { keyId, wallet, askedAtSeconds }))
      await ask('k1', ann, 1_000)
      await ask('k1', bob, 2_000)
      await ask('k2', ann, 500)
      const wish = { keyId: 'k1', wallet: bob, askedAtSeconds: 2_000 }
      expect(await readKeyDeletions(store.read, day + 500)).toEqual(new Map([['k1', wish]]))
      expect((await readKeyDeletions(store.read, day + 499)).size).toBe(2)
      expect((await readKeyDeletions(store.read, day + 2_000)).size).toBe(0)
      // What is ignored is what goes.
      await store.write((tx) => deleteOldKeyDeletions(tx, day + 500))
      expect([...(await readKeyDeletions(store.read, 0)).keys()]).toEqual(['k1'])
      const remove = () => store.write((tx) => deleteKeyDeletion(tx, 'k1'))
      expect([await remove(), await remove()]).toEqual([true, false])
    })
  })

  describe('users whose names look alike', () => {
    it('are counted, whoever comes and goes at the same moment, and nothing is left of none', async () => {
      const change = (by: 1 | -1) => store.write((tx) => changeNameSkeleton(tx, 'ann', by))
      const counts = await Promise.all([change(1), change(1), change(1)])
      expect(counts.toSorted()).toEqual([1, 2, 3])
      expect(await store.write((tx) => changeNameSkeleton(tx, 'bob', 1))).toBe(1)
      expect([await change(-1), await change(-1), await change(-1)]).toEqual([2, 1, 0])
      expect(await store.read.selectFrom('name_skeletons').selectAll().execute()).toEqual([{ skeleton: 'bob', users: 1 }])
    })
  })

  describe('notices of an account', () => {
    const notice = (id: string, userId: string, atSeconds: number, facts: Partial<AccountNotice> = {}): AccountNotice => ({
      ...{ id, userId, atSeconds, kind: 'signIn', browserName: 'Firefox on Linux', sessionHash: 'other' },
      ...facts,
    })
    const note = (...each: readonly AccountNotice[]) =>
      store.write(async (tx) => {
        for (const one of each) await insertAccountNotice(tx, one, 2)
      })
    const idsOf = async (userId: string, sessionHash = 'own') =>
      (await listAccountNotices(store.read, userId, sessionHash)).map(({ id }) => id).join(' ')

    it('are told to every session but the one that did it, the newest first', async () => {
      const [first, second] = [notice('a1', 'ann', 10), notice('a2', 'ann', 20, { sessionHash: 'own' })]
      await note(first, second, notice('b1', 'bob', 30))
      expect([await idsOf('ann'), await idsOf('ann', 'other'), await idsOf('ann', 'third')]).toEqual(['a1', 'a2', 'a2 a1'])
      expect(await listAccountNotices(store.read, 'ann', 'own')).toEqual([first])
    })

    it('keep the oldest and the newest of each kind: nobody hides what he did first, or otherwise, behind many new ones', async () => {
      const logins = [1, 2, 3, 4, 5, 6].map((n) => notice(`c${n}`, 'cat', n))
      await note(notice('p', 'cat', 3, { kind: 'passkeyAdded' }), ...logins)
      expect(await idsOf('cat')).toBe('c6 c5 p c2 c1')
    })

    it('go one by one, by kind, with their account, and with age', async () => {
      const kind = 'pinChanged'
      await note(notice('d1', 'dan', 50), notice('d2', 'dan', 60, { kind }), notice('e1', 'eve', 60, { kind }))
      await store.write((tx) => deleteAccountNoticesOf(tx, 'dan', kind))
      expect([await idsOf('dan'), await idsOf('eve')]).toEqual(['d1', 'e1'])
      await store.write((tx) => deleteAccountNotice(tx, 'c6'))
      await store.write((tx) => deleteOldAccountNotices(tx, 5))
      expect([await idsOf('cat'), await idsOf('dan')]).toEqual(['c5', 'd1'])
      await store.write((tx) => deleteAccountNoticesOf(tx, 'dan'))
      expect([await idsOf('dan'), await idsOf('eve')]).toEqual(['', 'e1'])
    })
  })
})
