import { Failure, hourSeconds } from '@chainboard/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addEarlyUser, closed, home, stranger, tryPin } from '../testing/pinTries.ts'
import { createTempStores, engines } from '../testing/tempStores.ts'
import { at, createTestAccounts, type TestAccounts } from '../testing/testAccounts.ts'
import type { Visitor } from './visitor.ts'

const stores = createTempStores()

type Try = { readonly name: string; readonly pin: string; readonly visitor: Visitor; readonly code?: string }

/** Tries once. @returns `in`, `wrong`, or the seconds to wait */
async function tryOnce(accounts: TestAccounts, { name, pin, visitor, code }: Try): Promise<'in' | 'wrong' | number> {
  try {
    await accounts.signIn({ name, pin, visitor, code })
    return 'in'
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    if (error.code === 'pin-invalid') return 'wrong'
    return Number(error.detail['retryAfterSeconds'])
  }
}

/** Tries until the PIN is looked at, waiting as long as the server says. @returns the longest that one try took */
async function insist(accounts: TestAccounts, attempt: Try): Promise<{ end: 'in' | 'wrong'; waitedSeconds: number }> {
  let waitedSeconds = 0
  for (;;) {
    const answer = await tryOnce(accounts, attempt)
    if (typeof answer === 'string') return { end: answer, waitedSeconds }
    waitedSeconds += answer
    accounts.clock.seconds += answer
    expect(waitedSeconds).toBeLessThanOrEqual(hourSeconds)
  }
}

describe.each(engines)('who mistypes, on %s,', (engine) => {
  const open = async () => {
    const accounts = createTestAccounts(await stores.openNew(engine))
    const dora = await accounts.register({ username: 'dora', pin: '6172', visitor: home })
    for (const username of ['ann', 'bob']) await accounts.register({ username, pin: '8163', visitor: home })
    return { accounts, dora }
  }

  it('the user name once, in a new place, is let in with the next try', async () => {
    const { accounts } = await open()
    expect(await tryPin(accounts, 'dorax', '6172', stranger(1))).toBe('Invalid PIN')
    expect(await tryPin(accounts, 'dora', '6172', stranger(1))).toBe('in')
  })

  it("the user name so that it is another user's, twice, is let in with the next try", async () => {
    const { accounts } = await open()
    for (const name of ['ann', 'bob']) expect(await tryPin(accounts, name, '6172', stranger(1))).toBe('Invalid PIN')
    expect(await tryPin(accounts, 'dora', '6172', stranger(1))).toBe('in')
  })

  it("the user name so that it is another user's, eight times, waits an hour at most", async () => {
    const { accounts } = await open()
    for (let i = 0; i < 8; i += 1) {
      await accounts.register({ username: `dora${i}`, pin: '9024', visitor: home })
      expect(await insist(accounts, { name: `dora${i}`, pin: '6172', visitor: stranger(1) })).toMatchObject({ end: 'wrong' })
    }
    expect(await insist(accounts, { name: 'dora', pin: '6172', visitor: stranger(1) })).toMatchObject({ end: 'in' })
    // Nor does anybody else who has the same PIN.
    await accounts.register({ username: 'zoe', pin: '6172', visitor: home })
    expect(await tryPin(accounts, 'zoe', '6172', stranger(2))).toBe('in')
  })

  it('the PIN twice in a new place is let in with the next try', async () => {
    const { accounts } = await open()
    for (const pin of ['6127', '1672']) expect(await tryPin(accounts, 'dora', pin, stranger(1))).toBe('Invalid PIN')
    expect(await tryPin(accounts, 'dora', '6172', stranger(1))).toBe('in')
  })

  it('nothing, waits an hour at most once an attack on the PIN is over', async () => {
    const { accounts } = await open()
    for (let i = 0; i < 40; i += 1) {
      await accounts.register({ username: `own${i}`, pin: '9024', visitor: at(`198.51.101.${i}`) })
      await tryOnce(accounts, { name: `own${i}`, pin: '6172', visitor: stranger(100 + i) })
    }
    const { end, waitedSeconds } = await insist(accounts, { name: 'dora', pin: '6172', visitor: stranger(1) })
    expect([end, waitedSeconds]).toEqual(['in', hourSeconds])
  })

  it('a forgotten user name, 19 times, waits an hour at most for each try', async () => {
    const { accounts } = await open()
    for (let i = 0; i < 19; i += 1) {
      const { end } = await insist(accounts, { name: `dora${i}`, pin: '6172', visitor: stranger(1) })
      expect(end).toBe('wrong')
    }
    expect(await insist(accounts, { name: 'dora', pin: '6172', visitor: stranger(1) })).toMatchObject({ end: 'in' })
  })

  it('the PIN 19 times waits an hour at most for each try: in a new place, on a known network, in a known browser', async () => {
    const { accounts, dora } = await open()
    const places = [stranger(1), home, { ...stranger(2), browserTokens: dora.browserTokens }]
    for (const visitor of places) {
      for (let i = 0; i < 19; i += 1)
        expect(await insist(accounts, { name: 'dora', pin: `84${10 + i}`, visitor })).toMatchObject({ end: 'wrong' })
      expect(await insist(accounts, { name: 'dora', pin: '6172', visitor })).toMatchObject({ end: 'in' })
      // The new place is a known network now; what was wrong there as a stranger is forgotten with the days.
      accounts.clock.seconds += 60 * 24 * hourSeconds
    }
  })

  it('the PIN three times with a sign-in code waits no longer than a code lives', async () => {
    const { accounts, dora } = await open()
    const { code } = await accounts.makeSignInCode({ user: dora.user, pin: '6172', visitor: home })
    for (const pin of ['0001', '0002', '0003'])
      expect(await tryOnce(accounts, { name: 'dora', pin, visitor: stranger(1), code })).toBe('wrong')
    expect(await tryOnce(accounts, { name: 'dora', pin: '6172', visitor: stranger(1), code })).toBe(15 * 60)
    accounts.clock.seconds += 15 * 60
    expect(await tryOnce(accounts, { name: 'dora', pin: '6172', visitor: stranger(1), code })).toBe('in')
  })

  it('makes nobody else wait, in whatever he mistypes', async () => {
    const { accounts } = await open()
    for (let i = 0; i < 19; i += 1) await insist(accounts, { name: 'dora', pin: `84${10 + i}`, visitor: stranger(1) })
    for (const name of ['ann', 'bob', 'nobody']) await insist(accounts, { name, pin: '6172', visitor: stranger(1) })
    expect(await tryPin(accounts, 'dora', '6172', stranger(2))).toBe('in')
  })
})

describe('an owner in a new place who slips twice', () => {
  const slips = {
    'the PIN': { name: 'dora', pin: '6127' },
    'the PIN otherwise': { name: 'dora', pin: '1672' },
    'a name that nobody has': { name: 'dorax', pin: '6172' },
    'the name of another user': { name: 'ann', pin: '6172' },
    'the name of a third user': { name: 'bob', pin: '6172' },
  } as const
  const kinds = Object.keys(slips) as (keyof typeof slips)[]
  const open = async () => {
    const accounts = createTestAccounts(await stores.openNew('sqlite'))
    await accounts.register({ username: 'dora', pin: '6172', visitor: home })
    for (const username of ['ann', 'bob']) await accounts.register({ username, pin: '8163', visitor: home })
    return accounts
  }
  const slipTwice = async (accounts: TestAccounts, kindsOfSlips: readonly (keyof typeof slips)[], visitor: Visitor) => {
    let waitedSeconds = 0
    for (const attempt of [...kindsOfSlips.map((kind) => slips[kind]), { name: 'dora', pin: '6172' }])
      waitedSeconds += (await insist(accounts, { ...attempt, visitor })).waitedSeconds
    return waitedSeconds
  }

  it('does not wait at all, whatever the two slips are', async () => {
    const accounts = await open()
    for (const [i, first] of kinds.entries())
      for (const [j, second] of kinds.entries()) {
        // Time enough to forget the pair before.
        accounts.clock.seconds += 120 * 24 * hourSeconds
        expect([first, second, await slipTwice(accounts, [first, second], stranger(10 * i + j))]).toEqual([first, second, 0])
      }
  })

  it('waits an hour in all once an attack on the PIN is over', async () => {
    const accounts = await open()
    for (let i = 0; i < 40; i += 1) {
      await accounts.register({ username: `own${i}`, pin: '9024', visitor: at(`198.51.101.${i}`) })
      await tryOnce(accounts, { name: `own${i}`, pin: '6172', visitor: stranger(100 + i) })
    }
    expect(await slipTwice(accounts, ['the PIN', 'a name that nobody has'], stranger(1))).toBe(hourSeconds)
  })

  it('does not wait with an easy PIN from before either, unless the name was that of another user', async () => {
    const accounts = await open()
    await addEarlyUser(accounts, 'early', '1234')
    const place = stranger(1)
    for (const pin of ['1243', '1324']) expect(await tryOnce(accounts, { name: 'early', pin, visitor: place })).toBe('wrong')
    expect(await tryOnce(accounts, { name: 'early', pin: '1234', visitor: place })).toBe('in')
    const other = stranger(2)
    for (const name of ['earlyy', 'erly']) expect(await tryOnce(accounts, { name, pin: '1234', visitor: other })).toBe('wrong')
    expect(await tryOnce(accounts, { name: 'early', pin: '1234', visitor: other })).toBe('in')
    // The server cannot tell this slip from a guess at the most popular PIN of all.
    const third = stranger(3)
    expect(await tryOnce(accounts, { name: 'ann', pin: '1234', visitor: third })).toBe('wrong')
    expect(await tryPin(accounts, 'early', '1234', third)).toBe(closed)
    accounts.clock.seconds += 30 * 24 * hourSeconds
    expect(await tryPin(accounts, 'early', '1234', third)).toBe('in')
  })

  it('waits an hour at most with an easy PIN from before where the browser or the network is known', async () => {
    const accounts = await open()
    await addEarlyUser(accounts, 'early', '1234')
    const { browserTokens } = await accounts.signIn({ name: 'early', pin: '1234', code: undefined, visitor: home })
    for (const visitor of [home, { ...stranger(4), browserTokens }]) {
      for (const [name, pin] of [
        ['ann', '1234'],
        ['early', '1243'],
      ] as const)
        await tryOnce(accounts, { name, pin, visitor })
      expect(await insist(accounts, { name: 'early', pin: '1234', visitor })).toEqual({ end: 'in', waitedSeconds: 0 })
    }
  })
})

it('no mix of 19 slips, with names and PINs of any kind and pauses of any length, costs more than an hour for one try', async () => {
  const easyPins = ['0000', '1234']
  const slip = fc.record({
    name: fc.constantFrom('dora', 'dorax', 'dor', 'doraa', 'ann', 'bob'),
    pin: fc.constantFrom('6172', '6127', '1672', ...easyPins),
    place: fc.constantFrom(stranger(1), stranger(2), home),
    pauseSeconds: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 3 * hourSeconds })),
  })
  const accounts = createTestAccounts(await stores.openNew('sqlite'))
  let story = 0
  await fc.assert(
    fc.asyncProperty(fc.array(slip, { minLength: 1, maxLength: 19 }), async (slips) => {
      // Users of its own for each story, and time enough to forget what the one before counted for PINs and addresses.
      story += 1
      accounts.clock.seconds += 120 * 24 * hourSeconds
      await accounts.register({ username: `dora${story}`, pin: '6172', visitor: home })
      for (const username of ['ann', 'bob'])
        await accounts.register({ username: `${username}${story}`, pin: '8163', visitor: home })
      for (const { name, pin, place, pauseSeconds } of slips) {
        accounts.clock.seconds += pauseSeconds
        const attempt = { name: `${name}${story}`, pin, visitor: place }
        // Nobody who registers has an easy PIN: that one of these is not looked at costs nobody anything.
        if (easyPins.includes(pin)) await tryOnce(accounts, attempt)
        else await insist(accounts, attempt)
      }
      expect(await insist(accounts, { name: `dora${story}`, pin: '6172', visitor: stranger(1) })).toMatchObject({ end: 'in' })
    }),
    { numRuns: 60 },
  )
})

describe('an account that strangers guess at from ever new addresses', () => {
  /** As fast as they are let, until a try is refused that no hour ends. @returns the tries, and every wait that was handed out */
  const guess = async (accounts: TestAccounts, name: string, first: number, days: number) => {
    const waits: number[] = []
    let tries = 0
    const end = accounts.clock.seconds + days * 24 * hourSeconds
    for (let i = 0; accounts.clock.seconds < end; i += 1) {
      const pin = String(8_400 + tries)
      const answer = await tryOnce(accounts, { name, pin, visitor: stranger(first + i) })
      if (answer === 'wrong') tries += 1
      else if (typeof answer === 'number') waits.push(answer)
      if (typeof answer === 'number') accounts.clock.seconds += answer
    }
    return { tries, longest: Math.max(...waits) }
  }

  it('is tried 21 times at first and 32 in a month, hands out no wait above an hour, and names the other ways in', async () => {
    const accounts = createTestAccounts(await stores.openNew('sqlite'))
    const dora = await accounts.register({ username: 'dora', pin: '6172', visitor: home })
    expect(await guess(accounts, 'dora', 1_000, 0.75)).toEqual({ tries: 21, longest: hourSeconds })
    expect(await tryPin(accounts, 'dora', '6172', stranger(1))).toBe(closed)
    expect(await guess(accounts, 'dora', 10_000, 29.25)).toEqual({ tries: 11, longest: hourSeconds })
    expect(await tryPin(accounts, 'dora', '6172', { ...stranger(2), browserTokens: dora.browserTokens })).toBe('in')
    expect(await tryPin(accounts, 'dora', '6172', home)).toBe('in')
    const { code } = await accounts.makeSignInCode({ user: dora.user, pin: '6172', visitor: home })
    expect(await tryPin(accounts, 'dora', '6172', stranger(3), code)).toBe('in')
  })

  it('answers like a name that nobody has', async () => {
    const accounts = createTestAccounts(await stores.openNew('sqlite'))
    await accounts.register({ username: 'dora', pin: '6172', visitor: home })
    const known = await guess(accounts, 'dora', 1_000, 0.75)
    expect(await guess(accounts, 'nobody', 20_000, 0.75)).toEqual(known)
    expect(await tryPin(accounts, 'nobody', '6172', stranger(1))).toBe(closed)
    accounts.clock.seconds += 24 * hourSeconds
    expect(await tryPin(accounts, 'dora', '6172', stranger(1))).toBe('in')
  })
})
