import type { Address } from '@chainboard/core'
import { beforeAll, describe, expect, it } from 'vitest'
import { createTempStores, engines } from '../testing/tempStores.ts'
import {
  deletePasskey,
  deletePasskeysOf,
  findPasskey,
  insertPasskey,
  listPasskeys,
  type Passkey,
  usePasskey,
} from './passkeys.ts'
import {
  countRecoveryCodes,
  deleteRecoveryCodesOf,
  isRecoveryCodeOf,
  replaceRecoveryCodes,
  useRecoveryCode,
} from './recoveryCodes.ts'
import {
  deleteSignInWallet,
  deleteSignInWalletsOf,
  findWalletOwner,
  insertSignInWallet,
  listSignInWallets,
  useSignInWallet,
} from './signInWallets.ts'
import type { Store } from './store.ts'

const stores = createTempStores()
const address = (byte: string): Address => `0x${byte.repeat(20)}`
const [a, b, c] = [address('a1'), address('a2'), address('a3')]

describe.each(engines)('ways to sign in on %s', (engine) => {
  let store: Store
  beforeAll(async () => {
    store = await stores.openNew(engine)
  })

  describe('a passkey', () => {
    const passkey = (id: string, userId: string, facts: Partial<Passkey> = {}): Passkey => ({
      ...{ id, userId, credentialId: `credential ${id}`, publicKey: 'key', signCount: 0, transports: ['usb', 'hybrid'] },
      ...{ name: `Key ${id}`, createdAtSeconds: 100, lastUsedAtSeconds: undefined },
      ...facts,
    })
    const insert = (each: Passkey) => store.write((tx) => insertPasskey(tx, each))
    const use = (id: string, signCount: number, seconds = 200) => store.write((tx) => usePasskey(tx, id, { signCount, seconds }))

    it('is found as it was linked, also without ways to reach it', async () => {
      const [full, bare] = [passkey('p1', 'read', { lastUsedAtSeconds: 150 }), passkey('p2', 'read', { transports: [] })]
      expect([await insert(full), await insert(bare)]).toEqual([true, true])
      expect(await findPasskey(store.read, 'credential p1')).toEqual(full)
      expect(await findPasskey(store.read, 'credential p2')).toEqual(bare)
      expect(await findPasskey(store.read, 'p1')).toBeUndefined()
    })

    it('belongs to the first who linked it, and stays as it is when another one tries', async () => {
      const first = passkey('f1', 'first', { credentialId: 'shared' })
      expect(await insert(first)).toBe(true)
      expect(await insert(passkey('f2', 'second', { credentialId: 'shared' }))).toBe(false)
      expect(await insert(passkey('f3', 'first', { credentialId: 'shared' }))).toBe(false)
      expect(await findPasskey(store.read, 'shared')).toEqual(first)
      expect(await listPasskeys(store.read, 'second')).toEqual([])
    })

    it('is used only with a count that grew: the same one twice is a copy', async () => {
      await insert(passkey('u1', 'user', { signCount: 5 }))
      expect([await use('u1', 5), await use('u1', 4), await use('u1', 0)]).toEqual([false, false, false])
      expect(await use('u1', 6, 300)).toBe(true)
      expect(await findPasskey(store.read, 'credential u1')).toMatchObject({ signCount: 6, lastUsedAtSeconds: 300 })
      expect(await use('gone', 9)).toBe(false)
    })

    it('that does not count is used with 0 each time, and may begin to count', async () => {
      await insert(passkey('z1', 'zero'))
      expect([await use('z1', 0), await use('z1', 0), await use('z1', 1), await use('z1', 0)]).toEqual([true, true, true, false])
    })

    it('is listed in the order of linking, and taken away by its own user alone', async () => {
      for (const each of [passkey('o3', 'own', { createdAtSeconds: 90 }), passkey('o2', 'own'), passkey('o1', 'own')])
        await insert(each)
      await insert(passkey('x1', 'else'))
      const idsOf = async (userId: string) => (await listPasskeys(store.read, userId)).map(({ id }) => id).join(' ')
      expect(await idsOf('own')).toBe('o3 o1 o2')
      const remove = (userId: string, id: string) => store.write((tx) => deletePasskey(tx, userId, id))
      expect([await remove('else', 'o2'), await remove('own', 'o2'), await remove('own', 'o2')]).toEqual([false, true, false])
      await store.write((tx) => deletePasskeysOf(tx, 'own'))
      expect([await idsOf('own'), await idsOf('else')]).toEqual(['', 'x1'])
    })
  })

  describe('a wallet', () => {
    const link = (own: Address, userId: string, createdAtSeconds = 100) =>
      store.write((tx) =>
        insertSignInWallet(tx, { address: own, userId, name: 'W', createdAtSeconds, lastUsedAtSeconds: undefined }),
      )
    const use = (userId: string, own: Address) => store.write((tx) => useSignInWallet(tx, { userId, address: own, seconds: 300 }))

    it('signs in one user: the first who linked it', async () => {
      const linked = await Promise.all([link(a, 'ann'), link(a, 'bob')])
      expect(linked.toSorted()).toEqual([false, true])
      const owner = linked[0] ? 'ann' : 'bob'
      expect([await findWalletOwner(store.read, a), await findWalletOwner(store.read, b)]).toEqual([owner, undefined])
      await store.write((tx) => deleteSignInWalletsOf(tx, owner))
      // Nobody's again.
      expect([await findWalletOwner(store.read, a), await link(a, 'eve')]).toEqual([undefined, true])
    })

    it('notes its use for the user who has it, and for nobody else', async () => {
      await link(c, 'cat', 200)
      await link(b, 'cat', 100)
      expect([await use('dog', b), await use('cat', b), await use('cat', address('ff'))]).toEqual([false, true, false])
      expect((await listSignInWallets(store.read, 'cat')).map((each) => [each.address, each.lastUsedAtSeconds])).toEqual([
        [b, 300],
        [c, undefined],
      ])
    })

    it('is taken away by its own user alone', async () => {
      const own = address('d1')
      await link(own, 'dan')
      const remove = (userId: string) => store.write((tx) => deleteSignInWallet(tx, userId, own))
      expect([await remove('eve'), await remove('dan'), await remove('dan')]).toEqual([false, true, false])
    })
  })

  describe('a recovery code', () => {
    it('is good once, for its own user', async () => {
      await store.write((tx) => replaceRecoveryCodes(tx, 'ann', ['h1', 'h2', 'h3']))
      const isGood = (userId: string, hash: string) => isRecoveryCodeOf(store.read, userId, [hash])
      const use = (userId: string, hash: string) => store.write((tx) => useRecoveryCode(tx, userId, [hash]))
      expect([await isGood('ann', 'h2'), await isGood('bob', 'h2'), await use('bob', 'h2')]).toEqual([true, false, false])
      expect((await Promise.all([use('ann', 'h2'), use('ann', 'h2')])).toSorted()).toEqual([false, true])
      expect([await isGood('ann', 'h2'), await countRecoveryCodes(store.read, 'ann')]).toEqual([false, 2])
    })

    it('ends with the next ones of its user, whose others keep theirs', async () => {
      await store.write((tx) => replaceRecoveryCodes(tx, 'cat', ['c1', 'c2']))
      await store.write((tx) => replaceRecoveryCodes(tx, 'dog', ['d1']))
      await store.write((tx) => replaceRecoveryCodes(tx, 'cat', ['c3']))
      const counts = async () => [await countRecoveryCodes(store.read, 'cat'), await countRecoveryCodes(store.read, 'dog')]
      expect([await isRecoveryCodeOf(store.read, 'cat', ['c1']), ...(await counts())]).toEqual([false, 1, 1])
      await store.write((tx) => deleteRecoveryCodesOf(tx, 'cat'))
      expect(await counts()).toEqual([0, 1])
    })
  })
})
