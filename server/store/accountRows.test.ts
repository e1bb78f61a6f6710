import type { Address } from '@chainboard/core'
import { describe, expect, it } from 'vitest'
import { createTempStores, engines } from '../testing/tempStores.ts'
import { changeTotals, readTotals } from './accountTotals.ts'
import { addCredits, findCredits } from './credits.ts'
import { deleteDevicesOf, isDeviceOf, keepDevice, listBrowserOwners } from './devices.ts'
import { changeFavoriteCounts, listTopFavorites } from './favoriteCounts.ts'
import { findPepperMark, savePepperMark } from './pepperMark.ts'
import { claimPinCounters, deleteEmptyPinCounters, readPinCounters, savePinCounters } from './pinFailures.ts'
import { changeRegistrations, listRegistrationsFrom } from './registrationDays.ts'
import { deleteEndedSessions, deleteSession, deleteSessionsOf, findSessionUser, insertSession, trimSessions } from './sessions.ts'
import {
  deleteEndedSignInCodes,
  deleteSignInCode,
  deleteSignInCodesOf,
  isSignInCodeOf,
  replaceSignInCode,
} from './signInCodes.ts'
import { deleteUserAddress, deleteUserAddresses, insertUserAddress, listUserAddresses } from './userAddresses.ts'
import { deleteUser, findUser, hasUsers, insertUser, lockUser, type User } from './users.ts'

const stores = createTempStores()
const address = (byte: string): Address => `0x${byte.repeat(20)}`
const [a, b, c] = [address('a1'), address('a2'), address('a3')]
const ann: User = { id: 'u1', key: 'ann', username: 'Ann', pinHash: 'scrypt$1', createdAtSeconds: 100 }

describe.each(engines)('users on %s', (engine) => {
  it('have their name for themselves, in whatever case, and free it when they leave', async () => {
    const store = await stores.openNew(engine)
    expect(await hasUsers(store.read)).toBe(false)
    const insert = (user: User) => store.write((tx) => insertUser(tx, user))
    expect(await Promise.all([insert(ann), insert({ ...ann, id: 'u2', username: 'ANN' })])).toContain(false)
    const taken = await findUser(store.read, 'ann')
    expect(await findUser(store.read, 'Ann')).toBeUndefined()
    await store.write(async (tx) => {
      expect([await lockUser(tx, taken?.id ?? ''), await lockUser(tx, 'u9')]).toEqual([true, false])
      await deleteUser(tx, taken?.id ?? '')
    })
    expect(await hasUsers(store.read)).toBe(false)
    expect(await insert({ ...ann, id: 'u3' })).toBe(true)
    expect(await findUser(store.read, 'ann')).toEqual({ ...ann, id: 'u3' })
  })
})

describe.each(engines)('sessions on %s', (engine) => {
  it('are their user until they end, are signed out, or the user is gone', async () => {
    const store = await stores.openNew(engine)
    const session = (tokenHash: string, expiresAtSeconds: number, userId = 'u1') => ({
      ...{ tokenHash, userId, expiresAtSeconds, startedAtSeconds: expiresAtSeconds - 400 },
      ...{ browserName: 'Firefox on Linux', browserHash: undefined },
    })
    await store.write(async (tx) => {
      await insertUser(tx, ann)
      for (const each of [session('s1', 500), session('s2', 600), session('s3', 700), session('gone', 900, 'u9')])
        await insertSession(tx, each)
    })
    const userOf = async (tokenHash: string, nowSeconds = 1) => (await findSessionUser(store.read, tokenHash, nowSeconds))?.id
    expect(await findSessionUser(store.read, 's1', 499)).toEqual(ann)
    expect([await userOf('s1', 500), await userOf('x'), await userOf('gone')]).toEqual([undefined, undefined, undefined])
    await store.write((tx) => trimSessions(tx, 'u1', 2))
    expect([await userOf('s1'), await userOf('s2'), await userOf('s3')]).toEqual([undefined, 'u1', 'u1'])
    await store.write((tx) => deleteSession(tx, 's2'))
    await store.write((tx) => deleteEndedSessions(tx, 699))
    expect([await userOf('s2'), await userOf('s3')]).toEqual([undefined, 'u1'])
    await store.write((tx) => deleteSessionsOf(tx, 'u1'))
    const left = await store.read.selectFrom('sessions').select('token_hash').execute()
    expect(left).toEqual([{ token_hash: 'gone' }])
  })
})

describe.each(engines)('codes to sign in with on %s', (engine) => {
  it('are one for a user, good until they end, and used up by that user alone', async () => {
    const store = await stores.openNew(engine)
    const isGood = (codeHash: string, userId = 'u1', nowSeconds = 1) =>
      isSignInCodeOf(store.read, { codeHash, userId }, nowSeconds)
    await store.write((tx) => replaceSignInCode(tx, { codeHash: 'c1', userId: 'u1', expiresAtSeconds: 500 }))
    await store.write((tx) => replaceSignInCode(tx, { codeHash: 'c2', userId: 'u1', expiresAtSeconds: 500 }))
    expect([await isGood('c1'), await isGood('c2'), await isGood('c2', 'u2'), await isGood('c2', 'u1', 500)]).toEqual([
      ...[false, true, false, false],
    ])
    await store.write((tx) => deleteSignInCode(tx, { codeHash: 'c2', userId: 'u2' }))
    expect(await isGood('c2')).toBe(true)
    await store.write((tx) => deleteSignInCode(tx, { codeHash: 'c2', userId: 'u1' }))
    expect(await isGood('c2')).toBe(false)
    await store.write(async (tx) => {
      for (const [codeHash, userId] of [['c3', 'u1'] as const, ['c4', 'u2'] as const])
        await replaceSignInCode(tx, { codeHash, userId, expiresAtSeconds: 500 })
      await deleteSignInCodesOf(tx, 'u1')
    })
    expect([await isGood('c3'), await isGood('c4', 'u2')]).toEqual([false, true])
    await store.write((tx) => deleteEndedSignInCodes(tx, 500))
    expect(await isGood('c4', 'u2')).toBe(false)
  })
})

describe.each(engines)('devices on %s', (engine) => {
  it('are known to their user from a time on, of each kind the last few', async () => {
    const store = await stores.openNew(engine)
    const keep = (hash: string, seconds: number, kind: 'browser' | 'network' = 'browser', userId = 'u1') =>
      store.write((tx) => keepDevice(tx, { userId, kind, hash }, { seconds, keep: 2 }))
    await keep('h1', 10)
    await keep('h2', 20)
    await keep('n1', 5, 'network')
    // Seen again: the other one is the older now.
    await keep('h1', 30)
    await keep('h3', 40)
    const known = async (hash: string, afterSeconds = 0, userId = 'u1') =>
      isDeviceOf(store.read, { userId, kind: 'browser', hash }, afterSeconds)
    expect([await known('h1'), await known('h2'), await known('h3')]).toEqual([true, false, true])
    expect([await known('h1', 29), await known('h1', 30), await known('h1', 0, 'u2'), await known('n1')]).toEqual([
      ...[true, false, false, false],
    ])
    expect(await isDeviceOf(store.read, { userId: 'u1', kind: 'network', hash: 'n1' }, 0)).toBe(true)
    await keep('h9', 50, 'browser', 'u2')
    expect(await listBrowserOwners(store.read, ['h1', 'h3', 'h9', 'n1', 'x'], 30)).toEqual(
      new Map([
        ['h3', 'u1'],
        ['h9', 'u2'],
      ]),
    )
    expect(await listBrowserOwners(store.read, [], 0)).toEqual(new Map())
    await store.write((tx) => deleteDevicesOf(tx, 'u1'))
    expect([await known('h1'), await known('h9', 0, 'u2')]).toEqual([false, true])
  })
})

describe.each(engines)('addresses of users on %s', (engine) => {
  it('stay in the order in which they were added, in each list and for each user', async () => {
    const store = await stores.openNew(engine)
    await store.write(async (tx) => {
      for (const each of [c, a, b]) await insertUserAddress(tx, 'user_wallets', 'u1', each)
      await insertUserAddress(tx, 'favorites', 'u1', a)
      await insertUserAddress(tx, 'user_wallets', 'u2', a)
    })
    const list = (table: 'user_wallets' | 'favorites', userId = 'u1') => listUserAddresses(store.read, table, userId)
    expect([await list('user_wallets'), await list('favorites'), await list('user_wallets', 'u2')]).toEqual([[c, a, b], [a], [a]])
    await store.write(async (tx) => {
      expect(await deleteUserAddress(tx, 'user_wallets', 'u1', b)).toBe(true)
      expect(await deleteUserAddress(tx, 'user_wallets', 'u1', b)).toBe(false)
      await insertUserAddress(tx, 'user_wallets', 'u1', b)
      await deleteUserAddress(tx, 'user_wallets', 'u1', c)
      await insertUserAddress(tx, 'user_wallets', 'u1', c)
    })
    expect(await list('user_wallets')).toEqual([a, b, c])
    await store.write((tx) => deleteUserAddresses(tx, 'user_wallets', 'u1'))
    expect([await list('user_wallets'), await list('favorites'), await list('user_wallets', 'u2')]).toEqual([[], [a], [a]])
  })
})

describe.each(engines)('sums of all accounts on %s', (engine) => {
  it('begin with zeros, and add up whoever changes them at the same moment', async () => {
    const store = await stores.openNew(engine)
    const none = { users: 0, usersWithWallets: 0, usersWithFavorites: 0, wallets: 0, favorites: 0 }
    expect(await readTotals(store.read)).toEqual(none)
    const changes = [{ users: 1, wallets: 2 }, { users: 1, favorites: 3 }, { users: -1, wallets: -1 }, {}]
    await Promise.all(changes.map((each) => store.write((tx) => changeTotals(tx, each))))
    expect(await readTotals(store.read)).toEqual({ ...none, users: 1, wallets: 1, favorites: 3 })
  })

  it('count favourites of tokens, of equals the lower address first, and none that nobody has', async () => {
    const store = await stores.openNew(engine)
    await Promise.all([
      store.write((tx) => changeFavoriteCounts(tx, [c, b], 1)),
      store.write((tx) => changeFavoriteCounts(tx, [b, a, c], 1)),
      store.write((tx) => changeFavoriteCounts(tx, [c], 1)),
    ])
    expect(await listTopFavorites(store.read, 9)).toEqual([
      { token: c, users: 3 },
      { token: b, users: 2 },
      { token: a, users: 1 },
    ])
    await store.write((tx) => changeFavoriteCounts(tx, [a, c], -1))
    expect(await listTopFavorites(store.read, 9)).toEqual([
      { token: b, users: 2 },
      { token: c, users: 2 },
    ])
    expect(await listTopFavorites(store.read, 1)).toEqual([{ token: b, users: 2 }])
  })

  it('count registrations by day', async () => {
    const store = await stores.openNew(engine)
    const change = (day: string, by: 1 | -1) => store.write((tx) => changeRegistrations(tx, day, by))
    for (const day of ['2026-11-21', '2026-12-01', '2026-11-21', '2026-11-20']) await change(day, 1)
    await change('2026-12-01', -1)
    expect(await listRegistrationsFrom(store.read, '2026-11-21')).toEqual([
      { day: '2026-11-21', users: 2 },
      { day: '2026-12-01', users: 0 },
    ])
  })

  it('count credits of a month in one statement each, no matter who spends at the same moment', async () => {
    const store = await stores.openNew(engine)
    const november = { service: 'cmc', month: '2026-11' }
    const spend = (credits: number) => store.write((tx) => addCredits(tx, november, credits))
    const sums = await Promise.all([spend(1), spend(2), spend(4)])
    expect(Math.max(...sums)).toBe(7)
    expect(await findCredits(store.read, november)).toBe(7)
    expect(await findCredits(store.read, { ...november, month: '2026-12' })).toBe(0)
    expect(await findCredits(store.read, { ...november, service: 'other' })).toBe(0)
  })
})

describe.each(engines)('failed PINs on %s', (engine) => {
  it('are counted one transaction after the other, and forgotten when they are as if they had never been', async () => {
    const store = await stores.openNew(engine)
    const none = { emptyAtSeconds: 0, blockedUntilSeconds: 0 }
    const fail = () =>
      store.write(async (tx) => {
        const counters = await claimPinCounters(tx, ['b', 'a'])
        const next = [...counters].map(
          ([subject, counter]) => [subject, { ...counter, emptyAtSeconds: counter.emptyAtSeconds + 10 }] as const,
        )
        await savePinCounters(tx, new Map(next))
      })
    await Promise.all([fail(), fail(), fail()])
    const thrice = { emptyAtSeconds: 30, blockedUntilSeconds: 0 }
    expect(await readPinCounters(store.read, ['a', 'b', 'c'])).toEqual(
      new Map([
        ['a', thrice],
        ['b', thrice],
      ]),
    )
    await store.write((tx) => savePinCounters(tx, new Map([['b', { emptyAtSeconds: 30, blockedUntilSeconds: 90 }]])))
    await store.write((tx) => claimPinCounters(tx, ['c']))
    expect((await readPinCounters(store.read, ['c'])).get('c')).toEqual(none)
    expect(await store.write((tx) => deleteEmptyPinCounters(tx, 29, 9))).toBe(1)
    expect(await store.write((tx) => deleteEmptyPinCounters(tx, 30, 9))).toBe(1)
    expect([...(await readPinCounters(store.read, ['a', 'b', 'c'])).keys()]).toEqual(['b'])
    expect(await store.write((tx) => deleteEmptyPinCounters(tx, 90, 9))).toBe(1)
  })

  it('are of the pepper that the mark is of', async () => {
    const store = await stores.openNew(engine)
    expect(await findPepperMark(store.read)).toBeUndefined()
    await store.write((tx) => savePepperMark(tx, 'first'))
    await store.write((tx) => savePepperMark(tx, 'second'))
    expect(await findPepperMark(store.read)).toBe('second')
  })
})
