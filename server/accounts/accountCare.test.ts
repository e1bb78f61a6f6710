import { createHash } from 'node:crypto'
import { daySeconds } from '@chainboard/core'
import { describe, expect, it } from 'vitest'
import { closed, closeToStrangers, home, outcome, stranger, tryPin } from '../testing/pinTries.ts'
import { createTempStores, engines } from '../testing/tempStores.ts'
import { at, createTestAccounts } from '../testing/testAccounts.ts'
import { createAccounts, type User } from './createAccounts.ts'
import { createHashQueue, hashQueueLimits } from './createHashQueue.ts'
import type { SignedIn } from './openSession.ts'
import { signInProvenOwner } from './openSession.ts'
import type { Visitor } from './visitor.ts'

const stores = createTempStores()
const phone = at('203.0.113.7', { browserName: 'Safari on iPhone' })
const laptop: Visitor = { ...home, browserName: 'Firefox on Linux' }

/** As it was stored before the pepper was part of it. */
const plainHash = (code = '') => createHash('sha256').update(code.replaceAll('-', '')).digest('hex')

describe.each(engines)('an account on %s', (engine) => {
  const open = async () => {
    const accounts = createTestAccounts(await stores.openNew(engine))
    const owner = await accounts.register({ username: 'Dora', pin: '6172', visitor: laptop })
    return { accounts, owner, mine: withTokens(laptop, owner) }
  }
  const withTokens = (visitor: Visitor, { sessionToken, browserTokens }: SignedIn): Visitor => ({
    ...visitor,
    sessionToken,
    browserTokens,
  })

  it('takes no easy PIN at the registration, and those that have one stay', async () => {
    const { accounts } = await open()
    const join = (username: string, pin: string) => outcome(accounts.register({ username, pin, visitor: home }))
    expect(await join('ann', '1234')).toBe(
      'PIN is easy to guess: its digits are next to each other or form a pattern. Choose another one',
    )
    expect(await join('anna8068', '8068')).toBe('PIN is easy to guess: it is in your username. Choose another one')
    expect(await join('anna8068', '9024')).toBe('in')
    await accounts.parts.store.write((tx) =>
      tx.updateTable('users').set({ pin_hash: 'cheap:1234' }).where('key', '=', 'dora').execute(),
    )
    expect(await tryPin(accounts, 'dora', '1234', stranger(1))).toBe('in')
  })

  it('is asked for another PIN at each sign-in with an easy one, until it has one', async () => {
    const { accounts, owner } = await open()
    await accounts.parts.store.write((tx) =>
      tx.updateTable('users').set({ pin_hash: 'cheap:1234' }).where('key', '=', 'dora').execute(),
    )
    const visitor = withTokens(laptop, await accounts.signIn({ name: 'dora', pin: '1234', code: undefined, visitor: laptop }))
    await accounts.signIn({ name: 'dora', pin: '1234', code: undefined, visitor })
    const kinds = async () => (await accounts.readSecurity({ user: owner.user, visitor })).notices.map(({ kind }) => kind)
    expect((await kinds()).filter((kind) => kind === 'easyPin')).toHaveLength(1)
    const user = { ...owner.user, pinHash: 'cheap:1234' }
    await accounts.changePin({ user, visitor, proof: { kind: 'pin', pin: '1234' }, newPin: '9024' })
    expect(await kinds()).not.toContain('easyPin')
    await accounts.signIn({ name: 'dora', pin: '9024', code: undefined, visitor })
    expect(await kinds()).not.toContain('easyPin')
  })

  it('takes no name that looks like another one, until that is gone', async () => {
    const { accounts, owner } = await open()
    const join = (username: string) => outcome(accounts.register({ username, pin: '9024', visitor: home }))
    expect(await join('D0ra')).toBe('Username looks like one that is already taken')
    expect(await join('DORA')).toBe('Username is already taken')
    const names = await Promise.all(['aIice', 'alice', 'a1ice'].map(join))
    expect(names.filter((answer) => answer === 'in')).toHaveLength(1)
    await accounts.delete({ user: owner.user, pin: '6172', visitor: home })
    expect(await join('d0ra')).toBe('in')
  })

  it('lets nothing in by the old PIN that was on its way when the PIN was changed', async () => {
    const { accounts, owner, mine } = await open()
    const { parts } = accounts
    const thief = await accounts.signIn({ name: 'dora', pin: '6172', code: undefined, visitor: phone })
    const change = (user: User, newPin: string) => accounts.changePin({ user, visitor: mine, proof: { kind: 'proven' }, newPin })
    // Another server of the site, where the old PIN is found right, and is changed here before that counts for anything.
    const late = (meanwhile: () => Promise<void>) => {
      const verify = async (hash: string, pin: string) => {
        await meanwhile()
        return hash === `cheap:${pin}`
      }
      const hasher = { ...parts.hasher, verify }
      return createAccounts({ ...parts, hasher, queue: createHashQueue(hashQueueLimits, parts.nowSeconds) })
    }
    const signIn = late(() => change(owner.user, '9024')).signIn({ name: 'dora', pin: '6172', code: undefined, visitor: phone })
    expect(await outcome(signIn)).toBe('Invalid PIN')
    const user = await accounts.findUser(owner.sessionToken)
    if (!user) throw new Error('the owner is signed out')
    const visitor = { ...phone, sessionToken: thief.sessionToken }
    const codes = late(() => change(user, '7394')).makeRecoveryCodes({ user, pin: '9024', visitor })
    expect(await outcome(codes)).toBe('The PIN was changed in the meantime. Log in again')
    expect(await accounts.readSecurity({ user, visitor: mine })).toMatchObject({
      recoveryCodes: 0,
      places: [{ isCurrent: true }, {}],
    })
  })

  it('gets a new PIN for the old one, and everybody else is out', async () => {
    const { accounts, owner, mine } = await open()
    const other = await accounts.signIn({ name: 'dora', pin: '6172', code: undefined, visitor: phone })
    const change = (pin: string, newPin: unknown) =>
      outcome(accounts.changePin({ user: owner.user, visitor: mine, proof: { kind: 'pin', pin }, newPin }))
    expect(await change('6173', '9024')).toBe('Invalid PIN')
    expect(await change('6172', '1987')).toBe('PIN is easy to guess: it is a year. Choose another one')
    expect(await change('6172', '902')).toBe('PIN must be 4 digits')
    const { code } = await accounts.makeSignInCode({ user: owner.user, pin: '6172', visitor: mine })
    expect(await change('6172', '9024')).toBe('in')
    expect(await accounts.findUser(owner.sessionToken)).toMatchObject({ key: 'dora' })
    expect(await accounts.findUser(other.sessionToken)).toBeUndefined()
    expect(await tryPin(accounts, 'dora', '6172', stranger(1))).toBe('Invalid PIN')
    expect(await tryPin(accounts, 'dora', '9024', stranger(1))).toBe('in')
    // Of two changes at the same moment one holds.
    const { user } = await accounts.signIn({ name: 'dora', pin: '9024', code: undefined, visitor: mine })
    const proof = { kind: 'pin', pin: '9024' } as const
    const both = ['7394', '8163'].map((newPin) => outcome(accounts.changePin({ user, visitor: mine, proof, newPin })))
    expect((await Promise.all(both)).sort()).toEqual(['The PIN was changed in the meantime. Log in again', 'in'])
    await closeToStrangers(accounts, 'dora')
    for (const pin of ['7394', '8163']) expect(await tryPin(accounts, 'dora', pin, stranger(60), code)).toBe(closed)
  })

  it('counts wrong PINs of a change like all others', async () => {
    const { accounts, owner, mine } = await open()
    const proof = { kind: 'pin', pin: '0001' } as const
    const change = () => outcome(accounts.changePin({ user: owner.user, visitor: mine, proof, newPin: '9024' }))
    for (let i = 0; i < 3; i += 1) expect(await change()).toBe('Invalid PIN')
    expect(await change()).toBe('Too many attempts. Try again in 30 s.')
  })

  it('lists where it is signed in, and ends one place, or all but one', async () => {
    const { accounts, owner, mine } = await open()
    accounts.clock.seconds += 60
    const mobile = await accounts.signIn({ name: 'dora', pin: '6172', code: undefined, visitor: phone })
    accounts.clock.seconds += 60
    const old = await accounts.signIn({ name: 'dora', pin: '6172', code: undefined, visitor: at('192.0.2.4') })
    await accounts.signOut(old.sessionToken)
    const own = { user: owner.user, visitor: mine }
    const { places } = await accounts.readSecurity(own)
    const start = 1_700_000_000
    expect(places.map(({ id: _, ...place }) => place)).toEqual([
      { browserName: 'Firefox on Linux', atSeconds: start, isSignedIn: true, isCurrent: true },
      { browserName: '', atSeconds: start + 120, isSignedIn: false, isCurrent: false },
      { browserName: 'Safari on iPhone', atSeconds: start + 60, isSignedIn: true, isCurrent: false },
    ])
    const [, forgotten, lost] = places
    await accounts.endPlace(own, lost?.id ?? '')
    expect(await accounts.findUser(mobile.sessionToken)).toBeUndefined()
    await closeToStrangers(accounts, 'dora')
    // Its browser is a stranger's, too; the other one is still known.
    expect(await tryPin(accounts, 'dora', '6172', withTokens(stranger(50), mobile))).toBe(closed)
    expect(await tryPin(accounts, 'dora', '6172', withTokens(stranger(51), old))).toBe('in')
    await expect(accounts.endPlace(own, lost?.id ?? '')).rejects.toMatchObject({ code: 'not-found' })
    await accounts.endOtherPlaces(own)
    expect((await accounts.readSecurity(own)).places).toHaveLength(1)
    expect(forgotten?.isSignedIn).toBe(false)
    expect(await tryPin(accounts, 'dora', '6172', withTokens(stranger(52), old))).toBe(closed)
    expect(await tryPin(accounts, 'dora', '6172', mine)).toBe('in')
  })

  it("ends no place, and removes no notice, of anybody else's", async () => {
    const { accounts, owner, mine } = await open()
    await accounts.signIn({ name: 'dora', pin: '6172', code: undefined, visitor: phone })
    const eve = await accounts.register({ username: 'eve', pin: '9024', visitor: stranger(9) })
    const theirs = { user: eve.user, visitor: withTokens(stranger(9), eve) }
    const { places, notices } = await accounts.readSecurity({ user: owner.user, visitor: mine })
    for (const { id } of places) await expect(accounts.endPlace(theirs, id)).rejects.toMatchObject({ code: 'not-found' })
    for (const { id } of notices) await expect(accounts.dismissNotice(theirs, id)).rejects.toMatchObject({ code: 'not-found' })
    expect(await accounts.readSecurity({ user: owner.user, visitor: mine })).toMatchObject({ places, notices })
    expect(notices).toHaveLength(1)
  })

  it('is recovered with a code, once, whatever strangers do to the PIN', async () => {
    const { accounts, owner, mine } = await open()
    const first = await accounts.makeRecoveryCodes({ user: owner.user, pin: '6172', visitor: mine })
    const codes = await accounts.makeRecoveryCodes({ user: owner.user, pin: '6172', visitor: mine })
    expect(codes).toHaveLength(8)
    expect(codes[0]).toMatch(/^([2-9A-HJ-NP-Z]{4}-){2}[2-9A-HJ-NP-Z]{4}$/)
    const stored = await accounts.parts.store.read.selectFrom('recovery_codes').selectAll().execute()
    expect(JSON.stringify(stored)).not.toContain(codes[0]?.replaceAll('-', ''))
    expect(JSON.stringify(stored)).not.toContain(plainHash(codes[0]))
    await closeToStrangers(accounts, 'dora')
    expect(await tryPin(accounts, 'dora', '6172', stranger(50))).toBe(closed)
    const recover = (name: string, code: unknown, newPin = '9024', visitor = stranger(50)) =>
      outcome(accounts.recover({ name, code, newPin, visitor }))
    const [one = '', two = ''] = codes
    expect(await recover('dora', first[0])).toBe('Invalid username or recovery code')
    expect(await recover('nobody', one)).toBe('Invalid username or recovery code')
    await accounts.register({ username: 'eve', pin: '8163', visitor: stranger(51) })
    expect(await recover('eve', one)).toBe('Invalid username or recovery code')
    expect(await recover('dora', '')).toBe('Code: expected a recovery code, like 7KQ2-XW4P-R9HM')
    expect(await recover('dora', one, '1234')).toMatch(/^PIN is easy to guess/)
    expect(await recover('dora', one.toLowerCase().replaceAll('-', ' '))).toBe('in')
    expect(await recover('dora', one)).toBe('Invalid username or recovery code')
    expect(await accounts.findUser(owner.sessionToken)).toBeUndefined()
    expect(await tryPin(accounts, 'dora', '9024', stranger(50))).toBe('in')
    // Used twice at the same moment, it works once.
    const twice = await Promise.all([recover('dora', two, '7394'), recover('dora', two, '7394')])
    expect(twice.sort()).toEqual(['Invalid username or recovery code', 'in'])
    const user = (await accounts.signIn({ name: 'dora', pin: '7394', code: undefined, visitor: stranger(50) })).user
    expect((await accounts.readSecurity({ user, visitor: stranger(50) })).recoveryCodes).toBe(6)
  })

  it('is recovered with a code that an earlier version stored, before and after its hash is replaced', async () => {
    const { accounts, owner } = await open()
    const { store } = accounts.parts
    const codes = ['7KQ2-XW4P-R9HM', '7KQ2-XW4P-R9HN']
    const rows = codes.map((code) => ({ code_hash: plainHash(code), user_id: owner.user.id }))
    await store.write((tx) => tx.insertInto('recovery_codes').values(rows).execute())
    const recover = (code = '') => outcome(accounts.recover({ name: 'dora', code, newPin: '9024', visitor: stranger(50) }))
    expect(await recover(codes[0])).toBe('in')
    const { sweepAccounts } = await import('./sweepAccounts.ts')
    await sweepAccounts(accounts.parts)
    const stored = await store.read.selectFrom('recovery_codes').selectAll().execute()
    expect(stored).toEqual([{ code_hash: expect.stringMatching(/^keyed:[0-9a-f]{64}$/), user_id: owner.user.id }])
    expect(stored[0]?.code_hash).not.toContain(plainHash(codes[1]))
    await sweepAccounts(accounts.parts)
    expect(await recover(codes[1])).toBe('in')
    expect(await recover(codes[1])).toBe('Invalid username or recovery code')
  })

  it('lets a proven owner in, whatever strangers do to the PIN', async () => {
    const { accounts, owner } = await open()
    await closeToStrangers(accounts, 'dora')
    expect(await tryPin(accounts, 'dora', '6172', stranger(50))).toBe(closed)
    const { sessionToken } = await signInProvenOwner(accounts.parts, { user: owner.user, visitor: stranger(50) })
    expect(await accounts.findUser(sessionToken)).toMatchObject({ key: 'dora' })
    const proven = {
      user: owner.user,
      visitor: { ...stranger(50), sessionToken },
      proof: { kind: 'proven' },
      newPin: '9024',
    } as const
    expect(await outcome(accounts.changePin(proven))).toBe('in')
    await accounts.delete({ user: { ...owner.user, pinHash: 'cheap:9024' }, pin: '9024', visitor: home })
    await expect(signInProvenOwner(accounts.parts, { user: owner.user, visitor: stranger(50) })).rejects.toThrow('Please log in')
  })

  it('tells of a thief with several sessions, none of which takes the notice of another away for a week', async () => {
    const { accounts, owner, mine } = await open()
    const own = { user: owner.user, visitor: mine }
    accounts.clock.seconds += 1
    const comeIn = async (visitor: Visitor) => {
      const session = await accounts.signIn({ name: 'dora', pin: '6172', code: undefined, visitor })
      return { user: owner.user, visitor: withTokens(visitor, session) }
    }
    const first = await comeIn(stranger(70))
    const second = await comeIn(stranger(71))
    const [notice] = (await accounts.readSecurity(second)).notices
    const later = 'This device logged in too recently: remove the notice on an older one, or in a week'
    expect(await outcome(accounts.dismissNotice(second, notice?.id ?? ''))).toBe(later)
    expect((await accounts.readSecurity(own)).notices).toHaveLength(2)
    // Nor do many newer ones push it out.
    for (let i = 0; i < 120; i += 1) {
      accounts.clock.seconds += 60
      await accounts.makeRecoveryCodes({ user: owner.user, pin: '6172', visitor: first.visitor })
    }
    const byFirst = (await accounts.readSecurity(second)).notices
    // It logged in before the codes were made, but its own login is not confirmed.
    for (const { id } of byFirst) expect(await outcome(accounts.dismissNotice(second, id))).toBe(later)
    const kinds = (await accounts.readSecurity(own)).notices.map(({ kind }) => kind)
    expect(kinds.filter((kind) => kind === 'codesMade')).toHaveLength(100)
    expect(kinds.filter((kind) => kind !== 'codesMade')).toEqual(['signIn', 'signIn'])
    expect(await outcome(accounts.dismissNotice(own, byFirst[0]?.id ?? ''))).toBe('in')
    accounts.clock.seconds += 7 * daySeconds
    expect(await outcome(accounts.dismissNotice(second, notice?.id ?? ''))).toBe('in')
  })

  it('lets the session of the registration remove a notice of its second, also where a second began before it was written', async () => {
    const store = await stores.openNew(engine)
    let waitSeconds = 1
    const write: typeof store.write = (work, options) => {
      accounts.clock.seconds += waitSeconds
      waitSeconds = 0
      return store.write(work, options)
    }
    const accounts = createTestAccounts({ ...store, write })
    const owner = await accounts.register({ username: 'Dora', pin: '6172', visitor: laptop })
    await accounts.signIn({ name: 'dora', pin: '6172', code: undefined, visitor: phone })
    const own = { user: owner.user, visitor: withTokens(laptop, owner) }
    const [notice] = (await accounts.readSecurity(own)).notices
    expect(notice).toMatchObject({ kind: 'signIn', atSeconds: 1_700_000_001 })
    expect(await outcome(accounts.dismissNotice(own, notice?.id ?? ''))).toBe('in')
  })

  it('tells its other sessions of new browsers, and of what was changed, until they have seen it', async () => {
    const { accounts, owner, mine } = await open()
    accounts.clock.seconds += 1
    const mobile = await accounts.signIn({ name: 'dora', pin: '6172', code: undefined, visitor: phone })
    const theirs = { user: owner.user, visitor: withTokens(phone, mobile) }
    const own = { user: owner.user, visitor: mine }
    const noticesOf = async (session: typeof own) => (await accounts.readSecurity(session)).notices
    expect(await noticesOf(own)).toMatchObject([{ kind: 'signIn', browserName: 'Safari on iPhone', atSeconds: 1_700_000_001 }])
    // Who came in sees nothing of it, and cannot take it away.
    expect(await noticesOf(theirs)).toEqual([])
    const [{ id } = { id: '' }] = await noticesOf(own)
    await expect(accounts.dismissNotice(theirs, id)).rejects.toMatchObject({ code: 'not-found' })
    // A browser that is known is no news.
    const again = await accounts.signIn({ name: 'dora', pin: '6172', code: undefined, visitor: withTokens(phone, mobile) })
    expect(await noticesOf(own)).toHaveLength(1)
    accounts.clock.seconds += 1
    await accounts.makeRecoveryCodes({ user: owner.user, pin: '6172', visitor: withTokens(phone, again) })
    expect((await noticesOf(own)).map(({ kind }) => kind)).toEqual(['codesMade', 'signIn'])
    await accounts.dismissNotice(own, id)
    expect((await noticesOf(own)).map(({ kind }) => kind)).toEqual(['codesMade'])
    const { sweepAccounts } = await import('./sweepAccounts.ts')
    accounts.clock.seconds += 91 * daySeconds
    await sweepAccounts(accounts.parts)
    expect(await noticesOf(own)).toEqual([])
  })
})
