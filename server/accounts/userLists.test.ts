import type { Address } from '@chainboard/core'
import fc from 'fast-check'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { insertUserAddress } from '../store/userAddresses.ts'
import { readKeptSums, recountAccounts } from '../testing/recountAccounts.ts'
import { createTempStores, engines } from '../testing/tempStores.ts'
import { at, createTestAccounts } from '../testing/testAccounts.ts'

const stores = createTempStores()
const visitor = at('198.51.100.1')
const address = (i: number) => `0x${i.toString(16).padStart(40, '0')}` as Address
const pin = '8163'

describe.each(engines)('lists of users on %s', (engine) => {
  const open = async () => {
    const accounts = createTestAccounts(await stores.openNew(engine))
    const join = async (username: string) => (await accounts.register({ username, pin, visitor })).user
    return { accounts, join, store: accounts.parts.store }
  }

  it('keep the order, take nothing twice, and are full with 50 wallets and 500 favourites', async () => {
    const { accounts, join, store } = await open()
    const user = await join('ann')
    await accounts.addFavorite(user, address(2))
    expect(await accounts.addFavorite(user, address(1))).toEqual([address(2), address(1)])
    await expect(accounts.addFavorite(user, address(2))).rejects.toThrow('Token is already in your favorites')
    expect(await accounts.removeFavorite(user, address(2))).toEqual([address(1)])
    expect(await accounts.removeFavorite(user, address(2))).toEqual([address(1)])
    await store.write(async (tx) => {
      for (let i = 2; i <= 500; i += 1) await insertUserAddress(tx, 'favorites', user.id, address(i))
      for (let i = 1; i <= 49; i += 1) await insertUserAddress(tx, 'user_wallets', user.id, address(i))
    })
    await expect(accounts.addFavorite(user, address(501))).rejects.toThrow('You can add up to 500 tokens')
    const act = { user, pin, visitor }
    await expect(accounts.addWallet(act, address(49))).rejects.toThrow('Wallet is already added')
    await accounts.addWallet(act, address(50))
    await expect(accounts.addWallet(act, address(51))).rejects.toThrow('You can add up to 50 wallets')
    await expect(accounts.removeWallet(act, address(51))).rejects.toThrow(`Wallet ${address(51)} is not in your list`)
    expect(await accounts.listWallets(user)).toHaveLength(50)
  })

  it('are full at their limit for changes at the same moment, too', async () => {
    const { accounts, join, store } = await open()
    const user = await join('ann')
    await store.write(async (tx) => {
      for (let i = 0; i < 495; i += 1) await insertUserAddress(tx, 'favorites', user.id, address(i))
    })
    const adds = Array.from({ length: 20 }, (_, i) => accounts.addFavorite(user, address(1_000 + i)))
    const done = await Promise.allSettled(adds)
    expect(done.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
    expect(await accounts.listFavorites(user)).toHaveLength(500)
  })

  it('whatever is done at once, the sums that are kept are those of the rows', async () => {
    const act = fc.record({
      kind: fc.constantFrom('favor', 'unfavor', 'watch', 'unwatch', 'leave', 'join' as const),
      who: fc.nat(2),
      what: fc.nat(1),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(act, { maxLength: 3 }), { minLength: 1, maxLength: 15 }), async (groups) => {
        const { accounts, join, store } = await open()
        const users = await Promise.all(['ann', 'bob', 'cid'].map(join))
        const perform = ({ kind, who, what }: { kind: string; who: number; what: number }) => {
          const user = users[who] ?? fail()
          const proof = { user, pin, visitor }
          if (kind === 'favor') return accounts.addFavorite(user, address(what))
          if (kind === 'unfavor') return accounts.removeFavorite(user, address(what))
          if (kind === 'join') return join(user.username)
          if (kind === 'watch') return accounts.addWallet(proof, address(what))
          if (kind === 'unwatch') return accounts.removeWallet(proof, address(what))
          return accounts.delete(proof)
        }
        for (const group of groups) await Promise.allSettled(group.map(perform))
        expect(await readKeptSums(store.read)).toEqual(await recountAccounts(store.read))
        await store.close()
      }),
      { numRuns: engine === 'sqlite' ? 15 : 8 },
    )
  })

  it('and the dashboard reads those sums, never the rows', async () => {
    const { accounts, join, store } = await open()
    const [ann, bob] = [await join('ann'), await join('bob')]
    accounts.clock.seconds += 3 * 86_400
    await join('cid')
    await accounts.addFavorite(ann, address(1))
    await accounts.addFavorite(bob, address(1))
    await accounts.addFavorite(bob, address(2))
    await accounts.addWallet({ user: ann, pin, visitor }, address(9))
    const { totals, days, topFavorites } = await accounts.dashboard()
    expect(totals).toEqual({ users: 3, usersWithWallets: 1, usersWithFavorites: 2, wallets: 1, favorites: 3 })
    expect(topFavorites).toEqual([
      { token: address(1), users: 2 },
      { token: address(2), users: 1 },
    ])
    // 2023-11-14 is the day of second 1,700,000,000.
    expect(days).toHaveLength(30)
    expect(days.slice(-5)).toEqual([
      { day: '2023-11-13', users: 0 },
      { day: '2023-11-14', users: 2 },
      { day: '2023-11-15', users: 0 },
      { day: '2023-11-16', users: 0 },
      { day: '2023-11-17', users: 1 },
    ])
    const plan = sql<Record<string, unknown>>`explain ${sql.raw(engine === 'sqlite' ? 'query plan ' : '')}
      select * from favorite_counts order by users desc, token limit 8`
    const steps = await store.readConsistently(async (tx) => {
      if (engine === 'postgres') await sql`set local enable_seqscan = off`.execute(tx)
      return (await plan.execute(tx)).rows.flatMap((row) => Object.values(row)).join(' ')
    })
    expect(steps).toContain('favorite_counts_by_users')
    expect(steps.toLowerCase()).not.toMatch(/temp b-tree|sort/)
  })

  it('is read once for everybody until something changes', async () => {
    const { accounts, join } = await open()
    await join('ann')
    const [first, second] = [accounts.dashboard(), accounts.dashboard()]
    expect(first).toBe(second)
    expect((await first).totals.users).toBe(1)
    await join('bob')
    expect((await accounts.dashboard()).totals.users).toBe(2)
  })
})

function fail(): never {
  throw new Error('there are three users')
}
