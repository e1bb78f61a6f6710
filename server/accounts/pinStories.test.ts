import { daySeconds } from '@chainboard/core'
import { describe, expect, it } from 'vitest'
import { changeTotals } from '../store/accountTotals.ts'
import { addEarlyUser, closed, closeToStrangers, home, outcome, stranger, tryPin, wait30 } from '../testing/pinTries.ts'
import { createTempStores, engines } from '../testing/tempStores.ts'
import { at, createTestAccounts, type TestAccounts } from '../testing/testAccounts.ts'

const stores = createTempStores()

describe.each(engines)('PINs on %s', (engine) => {
  const open = async () => {
    const accounts = createTestAccounts(await stores.openNew(engine))
    const owner = await accounts.register({ username: 'Owner', pin: '4711', visitor: home })
    return { accounts, owner }
  }

  const attack = closeToStrangers

  it('strangers may be wrong 21 times from however many addresses; then the right PIN is not looked at either', async () => {
    const { accounts } = await open()
    expect(await attack(accounts)).toEqual([...Array(21).fill('Invalid PIN'), closed])
    const looks = accounts.looks()
    expect(await tryPin(accounts, 'owner', '4711', stranger(99))).toBe(closed)
    expect(accounts.looks()).toBe(looks)
    accounts.clock.seconds += 2.5 * daySeconds
    expect(await tryPin(accounts, 'owner', '4711', stranger(99))).toBe('in')
  })

  it('meanwhile the owner is let in: in the browser, from the network, and with a code from anywhere', async () => {
    const { accounts, owner } = await open()
    await attack(accounts)
    const elsewhere = (i: number, tokens = {}) => ({ ...stranger(200 + i), ...tokens })
    expect(await tryPin(accounts, 'owner', '4711', elsewhere(1, { browserTokens: owner.browserTokens }))).toBe('in')
    expect(await tryPin(accounts, 'owner', '4711', home)).toBe('in')
    const act = { user: owner.user, pin: '4711', visitor: { ...home, sessionToken: owner.sessionToken } }
    const { code } = await accounts.makeSignInCode(act)
    expect(await tryPin(accounts, 'owner', '4712', elsewhere(2), code)).toBe('Invalid PIN')
    expect(await tryPin(accounts, 'owner', '4711', elsewhere(2), code.toLowerCase().replace('-', ' '))).toBe('in')
    // It is used up; the network is known now.
    expect(await tryPin(accounts, 'owner', '4711', elsewhere(3), code)).toBe(closed)
    expect(await tryPin(accounts, 'owner', '4711', elsewhere(2))).toBe('in')
  })

  it('a code opens one session, also when it is used twice at the same moment', async () => {
    const { accounts, owner } = await open()
    // Without the code, nobody new is let in: one that comes late finds it used.
    await attack(accounts)
    const { code } = await accounts.makeSignInCode({ user: owner.user, pin: '4711', visitor: home })
    const answers = await Promise.all([60, 61, 62].map((i) => tryPin(accounts, 'owner', '4711', stranger(i), code)))
    expect(answers.filter((answer) => answer === 'in')).toHaveLength(1)
    for (const answer of answers) expect(['in', 'Invalid PIN', closed]).toContain(answer)
  })

  it('a code ends after 15 minutes, with the next one, and after three wrong PINs', async () => {
    const { accounts, owner } = await open()
    await attack(accounts)
    const act = { user: owner.user, pin: '4711', visitor: home }
    const { code: first } = await accounts.makeSignInCode(act)
    accounts.clock.seconds += 15 * 60
    expect(await tryPin(accounts, 'owner', '4711', stranger(60), first)).toBe(closed)
    const { code: second } = await accounts.makeSignInCode(act)
    const { code: third } = await accounts.makeSignInCode(act)
    expect(await tryPin(accounts, 'owner', '4711', stranger(60), second)).toBe(closed)
    for (const pin of ['0001', '0002', '0003'])
      expect(await tryPin(accounts, 'owner', pin, stranger(60), third)).toBe('Invalid PIN')
    expect(await tryPin(accounts, 'owner', '4711', stranger(60), third)).toBe('Too many attempts. Try again in 15 min.')
  })

  it('names that nobody has answer alike, cost the same looks, and can be registered afterwards', async () => {
    const { accounts } = await open()
    const known = await attack(accounts, 'owner')
    const looks = accounts.looks()
    expect(await attack(accounts, 'nobody', 1_000)).toEqual(known)
    expect(accounts.looks()).toBe(2 * looks)
    // Not even a name that cannot be one is another case.
    expect(await tryPin(accounts, "'; drop table users; --", '1234', stranger(70))).toBe('Invalid PIN')
    expect(await outcome(accounts.register({ username: 'nobody', pin: '8163', visitor: home }))).toBe('in')
  })

  it('a hundred tries at the same moment are as many as one after the other', async () => {
    const { accounts } = await open()
    // One more is let in; the next has to wait for it.
    for (let i = 0; i < 20; i += 1) await tryPin(accounts, 'owner', `${2000 + i}`, stranger(200 + i))
    const tries = Array.from({ length: 100 }, (_, i) => tryPin(accounts, 'owner', `${1000 + i}`, stranger(i + 1)))
    const answers = await Promise.all(tries)
    expect(answers.filter((answer) => answer === 'Invalid PIN')).toHaveLength(1)
    expect(accounts.looks()).toBe(21)
  })

  it('who knows a PIN has it looked at 60 times at once and once a minute then, in however many places', async () => {
    const { accounts, owner } = await open()
    const { browserTokens } = owner
    const mine = (i: number) => tryPin(accounts, 'owner', '4711', { ...stranger(i), browserTokens })
    for (let i = 0; i < 60; i += 1) expect(await mine(i)).toBe('in')
    expect(await mine(70)).toBe('Too many attempts. Try again in 60 s.')
    accounts.clock.seconds += 60
    expect([await mine(70), await mine(71)]).toEqual(['in', 'Too many attempts. Try again in 60 s.'])
    accounts.clock.seconds += 3_600
    for (let i = 0; i < 60; i += 1) expect(await mine(i)).toBe('in')
    expect(await mine(70)).toBe('Too many attempts. Try again in 60 s.')
  })

  it('a user adds as many wallets as there may be, one after the other, and removes one', async () => {
    const { accounts, owner } = await open()
    const { sessionToken, browserTokens } = await accounts.signIn({ name: 'owner', pin: '4711', code: undefined, visitor: home })
    const act = { user: owner.user, pin: '4711', visitor: { ...home, sessionToken, browserTokens } }
    const wallet = (i: number) => `0x${String(i).padStart(40, '0')}` as const
    for (let i = 0; i < 50; i += 1) expect(await outcome(accounts.addWallet(act, wallet(i)))).toBe('in')
    expect(await outcome(accounts.removeWallet(act, wallet(0)))).toBe('in')
  })

  it('from one address 60 PINs are looked at, and ten a minute then; whom something speaks for is let in there ten times in any case', async () => {
    const { accounts, owner } = await open()
    const crowd = at('198.51.100.9')
    for (let i = 0; i < 200; i += 1) accounts.parts.quota.countLook(crowd.client, accounts.clock.seconds)
    const wait6 = 'Too many attempts. Try again in 6 s.'
    for (const name of ['owner', 'nobody']) expect(await tryPin(accounts, name, '4711', crowd)).toBe(wait6)
    accounts.clock.seconds += 6
    expect(await tryPin(accounts, 'nobody', '4711', crowd)).toBe('Invalid PIN')
    const mine = { ...crowd, browserTokens: owner.browserTokens }
    for (let i = 0; i < 10; i += 1) expect(await tryPin(accounts, 'owner', '4711', mine)).toBe('in')
    expect(await tryPin(accounts, 'owner', '4711', mine)).toBe(wait6)
    expect(await tryPin(accounts, 'owner', '4711', { ...stranger(1), browserTokens: owner.browserTokens })).toBe('in')
  })

  /** Users who have signed in from home only. */
  const addUsers = async (accounts: TestAccounts, count: number) => {
    for (let i = 0; i < count; i += 1) await accounts.register({ username: `name${i}`, pin: '7394', visitor: home })
  }

  it('one address waits for its failures on all accounts together, and has an easy PIN looked at for one of them; known users behind it do not wait', async () => {
    const { accounts } = await open()
    await addUsers(accounts, 4)
    const answers: string[] = []
    for (let i = 0; i < 4; i += 1) answers.push(await tryPin(accounts, `name${i}`, '0000', stranger(1)))
    expect(answers).toEqual(['Invalid PIN', closed, closed, closed])
    const others: string[] = []
    for (let i = 0; i < 7; i += 1) others.push(await tryPin(accounts, `nobody${i}`, `700${i}`, stranger(2)))
    expect(others).toEqual([...Array(6).fill('Invalid PIN'), wait30])
    const { browserTokens } = await accounts.signIn({ name: 'owner', pin: '4711', code: undefined, visitor: home })
    expect(await tryPin(accounts, 'owner', '4711', { ...stranger(2), browserTokens })).toBe('in')
  })

  it('a PIN that fails on many accounts is looked at once more an hour for all strangers together', async () => {
    const { accounts } = await open()
    await addUsers(accounts, 17)
    // Somebody who insists is wrong with it once.
    for (let i = 0; i < 3; i += 1) expect(await tryPin(accounts, 'name0', '4711', stranger(i))).toBe('Invalid PIN')
    // Four more that are the PIN's, and twelve of the reserve.
    for (let i = 1; i < 17; i += 1) expect(await tryPin(accounts, `name${i}`, '4711', stranger(i + 10))).toBe('Invalid PIN')
    for (const name of ['owner', 'nobody'])
      expect(await tryPin(accounts, name, '4711', stranger(30))).toBe('Too many attempts. Try again in 60 min.')
    expect(await tryPin(accounts, 'owner', '4712', stranger(31))).toBe('Invalid PIN')
    expect(await tryPin(accounts, 'owner', '4711', home)).toBe('in')
    accounts.clock.seconds += 3_600
    expect(await tryPin(accounts, 'owner', '4711', stranger(30))).toBe('in')
  })

  it('an easy PIN that fails on many accounts is not looked at for strangers, no matter who they are', async () => {
    const { accounts } = await open()
    await addUsers(accounts, 2)
    await addEarlyUser(accounts, 'early', '1234')
    for (let i = 0; i < 2; i += 1) expect(await tryPin(accounts, `name${i}`, '1234', stranger(i))).toBe('Invalid PIN')
    for (const name of ['early', 'nobody']) expect(await tryPin(accounts, name, '1234', stranger(30))).toBe(closed)
  })

  it('easy PINs are wrong for strangers forty times, all of them together, and nobody else waits for them', async () => {
    const { accounts } = await open()
    await addUsers(accounts, 4)
    await addEarlyUser(accounts, 'early', '1987')
    // Years: ten on each account, which more of them would close.
    for (let i = 0; i < 40; i += 1) {
      expect(await tryPin(accounts, `name${i % 4}`, `${1940 + i}`, stranger(i))).toBe('Invalid PIN')
      accounts.clock.seconds += 61
    }
    expect(await tryPin(accounts, 'early', '1987', stranger(60))).toBe(closed)
    expect(await tryPin(accounts, 'owner', '4711', stranger(60))).toBe('in')
    accounts.clock.seconds += 18 * 3_600
    expect(await tryPin(accounts, 'early', '1987', stranger(60))).toBe('in')
  })

  it('one address alone closes easy PINs to nobody else', async () => {
    const { accounts } = await open()
    await addUsers(accounts, 6)
    await addEarlyUser(accounts, 'early', '1987')
    for (let i = 0; i < 60; i += 1) {
      await tryPin(accounts, `name${i % 6}`, `${1930 + i}`, stranger(1))
      accounts.clock.seconds += 3_600
    }
    expect(await tryPin(accounts, 'early', '1987', stranger(60))).toBe('in')
  })

  it('PINs that are in the names are looked at for two of them, whatever they are', async () => {
    const { accounts } = await open()
    const born = ['1974', '8068', '9024', '7394', '6183', '5306']
    for (const pin of born) await accounts.register({ username: `anna${pin}`, pin: '4711', visitor: home })
    await addEarlyUser(accounts, 'zoe5802', '5802')
    const answers: string[] = []
    for (const [i, pin] of born.entries()) answers.push(await tryPin(accounts, `anna${pin}`, pin, stranger(i)))
    expect(answers).toEqual([...Array(2).fill('Invalid PIN'), ...Array(4).fill(closed)])
    expect(await tryPin(accounts, 'zoe5802', '5802', stranger(30))).toBe(closed)
    expect(await tryPin(accounts, 'anna1974', '5802', stranger(31))).toBe('Invalid PIN')
  })

  it('names that nobody has close a PIN to nobody', async () => {
    const { accounts } = await open()
    for (let i = 0; i < 20; i += 1) expect(await tryPin(accounts, `made-up${i}`, '4711', stranger(i))).toBe('Invalid PIN')
    expect(await tryPin(accounts, 'owner', '4711', stranger(30))).toBe('in')
  })

  it('a wrong PIN writes as much for a name that nobody has as for a user', async () => {
    const { accounts } = await open()
    const { read } = accounts.parts.store
    const rows = async () => (await read.selectFrom('pin_failures').select(['subject', 'empty_at']).execute()).length
    const used = async () => (await read.selectFrom('pin_failures').select('subject').where('empty_at', '>', 0).execute()).length
    expect(await tryPin(accounts, 'owner', '8401', stranger(1))).toBe('Invalid PIN')
    expect([await rows(), await used()]).toEqual([8, 6])
    expect(await tryPin(accounts, 'nobody', '8402', stranger(2))).toBe('Invalid PIN')
    expect([await rows(), await used()]).toEqual([16, 12])
  })

  it('one address alone closes neither a PIN nor an account, however long it continues', async () => {
    const { accounts } = await open()
    await addUsers(accounts, 12)
    for (let day = 0; day < 40; day += 1) {
      for (let i = 0; i < 12; i += 1) await tryPin(accounts, `name${i}`, '4711', stranger(1))
      for (let i = 0; i < 6; i += 1) {
        await tryPin(accounts, 'owner', `0${day}${i}`.padStart(4, '8'), stranger(2))
        accounts.clock.seconds += 600
      }
      accounts.clock.seconds += daySeconds
    }
    expect(await tryPin(accounts, 'owner', '4711', stranger(30))).toBe('in')
  })

  it('on a site of a million users an easy PIN may be wrong no more often', async () => {
    const { accounts } = await open()
    await accounts.parts.store.write((tx) => changeTotals(tx, { users: 1_000_000 }))
    accounts.clock.seconds += 40 * daySeconds
    await addUsers(accounts, 2)
    await addEarlyUser(accounts, 'early', '1234')
    for (let i = 0; i < 2; i += 1) expect(await tryPin(accounts, `name${i}`, '1234', stranger(i))).toBe('Invalid PIN')
    expect(await tryPin(accounts, 'early', '1234', stranger(30))).toBe(closed)
  })

  it('behind a proxy that nobody told of, no network is known', async () => {
    const { accounts } = await open()
    const relayed = { ...at('192.0.2.9'), isRelayed: true }
    await accounts.register({ username: 'ann', pin: '4711', visitor: relayed })
    await attack(accounts, 'ann', 2_000)
    expect(await tryPin(accounts, 'ann', '4711', relayed)).toBe(closed)
    expect(await tryPin(accounts, 'ann', '4711', at('192.0.2.9'))).toBe(closed)
    await attack(accounts, 'owner')
    expect(await tryPin(accounts, 'owner', '4711', { ...home, isRelayed: true })).toBe(closed)
  })

  it('what is kept of a right PIN is like nothing that a stranger can bring about himself', async () => {
    const { accounts } = await open()
    const subjects = async () => {
      const rows = await accounts.parts.store.read.selectFrom('pin_failures').select('subject').execute()
      return rows.map(({ subject }) => subject).filter((subject) => subject.startsWith('pair:'))
    }
    expect(await tryPin(accounts, 'owner', '4711', stranger(1))).toBe('in')
    const ofOwner = await subjects()
    expect(ofOwner).toHaveLength(1)
    expect(await tryPin(accounts, 'mallory', '4711', stranger(2))).toBe('Invalid PIN')
    const parts = (await subjects()).flatMap((subject) => subject.split(':').slice(1))
    expect(new Set(parts).size).toBe(2)
  })

  it('failures are those of an account, whatever the PIN was wanted for, and a restart forgets none', async () => {
    const { accounts, owner } = await open()
    const visitor = { ...stranger(80), browserTokens: owner.browserTokens }
    const act = (pin: string) => ({ user: owner.user, pin, visitor })
    const wallet = '0x00000000000000000000000000000000000000aa'
    expect(await outcome(accounts.addWallet(act('0001'), wallet))).toBe('Invalid PIN')
    expect(await outcome(accounts.removeWallet(act('0002'), wallet))).toBe('Invalid PIN')
    expect(await outcome(accounts.delete(act('0003')))).toBe('Invalid PIN')
    expect(await tryPin(accounts, 'owner', '4711', visitor)).toBe(wait30)
    const restarted = createTestAccounts(accounts.parts.store, accounts.clock.seconds + 29)
    expect(await tryPin(restarted, 'owner', '4711', visitor)).toBe('Too many attempts. Try again in 1 s.')
    restarted.clock.seconds += 1
    expect(await tryPin(restarted, 'owner', '4711', visitor)).toBe('in')
    // The right PIN ended the wait.
    for (let i = 0; i < 3; i += 1) expect(await tryPin(restarted, 'owner', `000${i}`, visitor)).toBe('Invalid PIN')
  })

  it('a try that ends before its PIN was compared counts as a wrong one', async () => {
    const { accounts } = await open()
    const hasher = { ...accounts.parts.hasher, verify: () => Promise.reject(new Error('ended')) }
    const broken = { ...accounts, ...createTestAccounts(accounts.parts.store) }
    const { checkPin } = await import('./checkPin.ts')
    const attempt = { key: 'nobody', user: undefined, pin: '1234', visitor: stranger(1), code: undefined }
    for (let i = 0; i < 3; i += 1) await expect(checkPin({ ...accounts.parts, hasher }, attempt)).rejects.toThrow('ended')
    expect(await tryPin(broken, 'nobody', '1234', stranger(1))).toBe(wait30)
  })

  it('a deleted account takes its sessions, browsers and codes along, and leaves its failures with the name', async () => {
    const { accounts, owner } = await open()
    await attack(accounts)
    const { code } = await accounts.makeSignInCode({ user: owner.user, pin: '4711', visitor: home })
    await accounts.delete({ user: owner.user, pin: '4711', visitor: home })
    expect(await accounts.findUser(owner.sessionToken)).toBeUndefined()
    const next = await accounts.register({ username: 'OWNER', pin: '8163', visitor: stranger(90) })
    expect(next.user.username).toBe('OWNER')
    for (const table of ['sessions', 'devices', 'sign_in_codes'] as const) {
      const left = accounts.parts.store.read.selectFrom(table).selectAll().where('user_id', '=', owner.user.id)
      expect(await left.execute(), table).toEqual([])
    }
    expect(await accounts.findUser(owner.sessionToken)).toBeUndefined()
    const old = at('203.0.113.91', { browserTokens: owner.browserTokens, sessionToken: owner.sessionToken })
    expect(await tryPin(accounts, 'owner', '8163', old, code)).toBe(closed)
    expect(await tryPin(accounts, 'owner', '8163', home)).toBe(closed)
  })

  it('what has ended is swept away, and nothing else', async () => {
    const { accounts, owner } = await open()
    const { sweepAccounts } = await import('./sweepAccounts.ts')
    await attack(accounts)
    const count = async () =>
      Number(
        (
          await accounts.parts.store.read
            .selectFrom('pin_failures')
            .select((e) => e.fn.countAll().as('n'))
            .executeTakeFirstOrThrow()
        ).n,
      )
    // The account, 21 addresses, 21 PINs, the account with each PIN and each address, and each address with its PIN;
    // and twice 21 that made-up names would have used.
    expect(await count()).toBe(148)
    accounts.clock.seconds += daySeconds
    await sweepAccounts(accounts.parts)
    expect(await count()).toBe(85)
    expect(await accounts.findUser(owner.sessionToken)).toBeDefined()
    accounts.clock.seconds += 60 * daySeconds
    await sweepAccounts(accounts.parts)
    expect(await count()).toBe(0)
    expect(await accounts.parts.store.read.selectFrom('sessions').selectAll().execute()).toEqual([])
    expect(await accounts.findUser(owner.sessionToken)).toBeUndefined()
  })
})
