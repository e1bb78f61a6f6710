import { daySeconds } from '@chainboard/core'
import { describe, expect, it } from 'vitest'
import { closeToStrangers as close, closed, closedHere, home, outcome, stranger, tryPin } from '../testing/pinTries.ts'
import { createTempStores, engines } from '../testing/tempStores.ts'
import { at, createTestAccounts } from '../testing/testAccounts.ts'
import { checkPin } from './checkPin.ts'
import type { Visitor } from './visitor.ts'

const stores = createTempStores()

describe.each(engines)('browsers of users on %s', (engine) => {
  const open = async () => {
    const accounts = createTestAccounts(await stores.openNew(engine))
    const owner = await accounts.register({ username: 'Owner', pin: '4711', visitor: home })
    return { accounts, owner }
  }

  it("a session is as good as a known browser, and nobody else's counts for the account", async () => {
    const { accounts, owner } = await open()
    const other = await accounts.register({ username: 'other', pin: '8163', visitor: stranger(50) })
    await close(accounts, 'owner')
    const { sessionToken } = owner
    expect(await tryPin(accounts, 'owner', '4711', at('203.0.113.51', { sessionToken }))).toBe('in')
    const { sessionToken: theirs, browserTokens } = other
    expect(await tryPin(accounts, 'owner', '4711', at('203.0.113.52', { sessionToken: theirs, browserTokens }))).toBe(closed)
  })

  it('who shares a browser, or a session, gains nothing by the sign-ins of its owner, who may mistype as before', async () => {
    const { accounts, owner } = await open()
    const { browserTokens } = owner
    let { sessionToken } = owner
    for (const shared of ['browser', 'session'] as const) {
      let wrong = 0
      for (let hour = 0; hour < 240; hour += 1) {
        const tokens = shared === 'browser' ? { browserTokens } : { sessionToken }
        const visitor = { ...stranger(1), ...tokens }
        const signedIn = await accounts.signIn({ name: 'owner', pin: '4711', code: undefined, visitor }).catch(() => undefined)
        if (signedIn && shared === 'session') sessionToken = signedIn.sessionToken
        const copied = { ...visitor, ...(shared === 'session' ? { sessionToken } : {}) }
        if ((await tryPin(accounts, 'owner', '0001', copied)) === 'Invalid PIN') wrong += 1
        accounts.clock.seconds += 3_600
      }
      expect([shared, wrong]).toEqual([shared, 29])
    }
    const other = await accounts.signIn({ name: 'owner', pin: '4711', code: undefined, visitor: home })
    const mine = { ...stranger(2), browserTokens: other.browserTokens }
    for (let i = 0; i < 20; i += 1) {
      expect(await tryPin(accounts, 'owner', '0001', mine)).toBe('Invalid PIN')
      expect(await tryPin(accounts, 'owner', '4711', mine)).toBe(i < 19 ? 'in' : closedHere)
    }
    accounts.clock.seconds += daySeconds
    expect(await tryPin(accounts, 'owner', '4711', mine)).toBe('in')
  })

  it("tries in the owner's browser that a server took along when it died are forgotten with the next right PIN", async () => {
    const { accounts, owner } = await open()
    const hasher = { ...accounts.parts.hasher, verify: () => Promise.reject(new Error('ended')) }
    const visitor = { ...stranger(1), browserTokens: owner.browserTokens }
    const attempt = { key: 'owner', user: owner.user, pin: '4711', visitor, code: undefined }
    for (let i = 0; i < 25; i += 1) {
      for (let dead = 0; dead < 2; dead += 1)
        await expect(checkPin({ ...accounts.parts, hasher }, attempt)).rejects.toThrow('ended')
      expect(await tryPin(accounts, 'owner', '4711', visitor)).toBe('in')
      accounts.clock.seconds += 60
    }
  })

  it('a caller who hangs up while his PIN is looked at has it counted all the same; one who did before has nothing looked at', async () => {
    const { accounts, owner } = await open()
    const hangUp = new AbortController()
    const { verify } = accounts.parts.hasher
    const hasher = {
      ...accounts.parts.hasher,
      verify: async (pinHash: string, pin: string) => {
        hangUp.abort()
        return verify(pinHash, pin)
      },
    }
    const visitor = { ...stranger(1), browserTokens: owner.browserTokens, gone: hangUp.signal }
    const attempt = { key: 'owner', user: owner.user, pin: '0001', visitor, code: undefined }
    const busy = 'Too many sign-ins at once. Try again in a moment'
    expect(await outcome(checkPin({ ...accounts.parts, hasher }, attempt))).toBe('Invalid PIN')
    expect(await outcome(checkPin({ ...accounts.parts, hasher }, attempt))).toBe(busy)
    expect(accounts.looks()).toBe(1)
    const rows = await accounts.parts.store.read.selectFrom('pin_failures').selectAll().where('empty_at', '>', 0).execute()
    const day = accounts.clock.seconds + daySeconds
    expect(rows.map(({ subject, empty_at }) => [subject.split(':')[0], empty_at]).sort()).toEqual([
      ['browser', day],
      ['browserWrong', day],
    ])
  })

  it('who copied the browser while it was his own is nobody to the user who signs in there next', async () => {
    const { accounts } = await open()
    const library = at('192.0.2.1')
    const mallory = await accounts.register({ username: 'mallory', pin: '8163', visitor: library })
    const copied = mallory.browserTokens
    const left = { ...library, browserTokens: copied, sessionToken: mallory.sessionToken }
    const ann = await accounts.register({ username: 'ann', pin: '9274', visitor: left })
    const owner = await accounts.signIn({
      name: 'owner',
      pin: '4711',
      code: undefined,
      visitor: { ...library, ...toTokens(ann) },
    })
    expect(owner.browserTokens).toHaveLength(3)
    for (const [i, name] of ['ann', 'owner'].entries()) {
      await close(accounts, name, 1_000 + 100 * i)
      // The browser's own three tokens speak for each of its users, those that were copied before for none of the later ones.
      expect(await tryPin(accounts, name, '0009', { ...stranger(50), browserTokens: copied })).toBe(closed)
      expect(await tryPin(accounts, name, '0009', { ...stranger(50), browserTokens: owner.browserTokens })).toBe('Invalid PIN')
    }
    expect(await tryPin(accounts, 'owner', '4711', { ...stranger(50), browserTokens: ann.browserTokens })).toBe(closed)
    await close(accounts, 'mallory')
    expect(await tryPin(accounts, 'mallory', '8163', { ...stranger(51), browserTokens: owner.browserTokens })).toBe('in')
  })

  it('a user keeps one token in a browser, and the browser those of the four who signed in last', async () => {
    const { accounts, owner } = await open()
    const names = ['b', 'c', 'd', 'e']
    let browserTokens = owner.browserTokens
    expect(browserTokens).toHaveLength(1)
    for (const username of names)
      ({ browserTokens } = await accounts.register({ username, pin: '9274', visitor: { ...home, browserTokens } }))
    expect(browserTokens).toHaveLength(4)
    expect(browserTokens).not.toContain(owner.browserTokens[0])
    const [e, d, c, b] = browserTokens
    const again = await accounts.signIn({ name: 'c', pin: '9274', code: undefined, visitor: { ...home, browserTokens } })
    expect(again.browserTokens).toEqual([c, e, d, b])
    // Made up, or of an account that is gone: what speaks for nobody is not kept.
    const gone = await accounts.register({ username: 'gone', pin: '9274', visitor: home })
    await accounts.delete({ user: gone.user, pin: '9274', visitor: home })
    const odd = [...gone.browserTokens, 'A'.repeat(43), ...owner.browserTokens]
    const back = await accounts.signIn({ name: 'b', pin: '9274', code: undefined, visitor: { ...home, browserTokens: odd } })
    expect(back.browserTokens).toEqual([expect.not.stringMatching(`^${b}$`), ...owner.browserTokens])
  })

  it('a sign-in without a code leaves the one that was made, and the one with it ends it', async () => {
    const { accounts, owner } = await open()
    await close(accounts, 'owner')
    const { code } = await accounts.makeSignInCode({ user: owner.user, pin: '4711', visitor: home })
    expect(await tryPin(accounts, 'owner', '4711', home)).toBe('in')
    expect(await tryPin(accounts, 'owner', '4711', home, '22222-22222')).toBe('in')
    expect(await tryPin(accounts, 'owner', '4711', stranger(60), code)).toBe('in')
    expect(await tryPin(accounts, 'owner', '4711', stranger(61), code)).toBe(closed)
  })
})

const toTokens = ({ sessionToken, browserTokens }: Pick<Visitor, 'sessionToken' | 'browserTokens'>) => ({
  sessionToken,
  browserTokens,
})
