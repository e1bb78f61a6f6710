import { describe, expect, it } from 'vitest'
import { addEarlyUser, closedHere, home, tryPin } from '../testing/pinTries.ts'
import { createTempStores, engines } from '../testing/tempStores.ts'
import { at, createTestAccounts, type TestAccounts } from '../testing/testAccounts.ts'
import type { Visitor } from './visitor.ts'

const stores = createTempStores()

describe.each(engines)('PINs on a network that is shared, on %s', (engine) => {
  const open = async () => {
    const accounts = createTestAccounts(await stores.openNew(engine))
    const owner = await accounts.register({ username: 'Owner', pin: '4711', visitor: home })
    return { accounts, owner }
  }

  /** Users who have all signed in from one network, with a PIN that is nobody's guess. */
  const share = async (accounts: TestAccounts, visitor: Visitor, count: number) => {
    for (let i = 0; i < count; i += 1) await accounts.register({ username: `shared${i}`, pin: '4711', visitor })
  }

  it('on a network that many owners share, an easy PIN is wrong five times, on each account once, and nobody elsewhere can use that up', async () => {
    const { accounts } = await open()
    const [campus, other] = [at('192.0.2.1'), at('192.0.2.2')]
    await share(accounts, campus, 8)
    for (let i = 0; i < 8; i += 1) expect(await tryPin(accounts, `shared${i}`, '4711', other)).toBe('in')
    await addEarlyUser(accounts, 'likes1234', '1234')
    for (const visitor of [campus, other]) expect(await tryPin(accounts, 'likes1234', '1234', visitor)).toBe('in')
    expect(await tryPin(accounts, 'shared0', '1234', campus)).toBe('Invalid PIN')
    for (let i = 0; i < 5; i += 1) expect(await tryPin(accounts, `shared${i}`, '1234', campus)).toBe('Invalid PIN')
    expect(await tryPin(accounts, 'shared7', '1234', campus)).toBe(closedHere)
    expect(await tryPin(accounts, 'likes1234', '1234', other)).toBe('in')
    expect(await tryPin(accounts, 'shared7', '4711', campus)).toBe('in')
  })

  it('on a network that many owners share, nobody closes a PIN that is not easy, however often it is wrong', async () => {
    const { accounts } = await open()
    const campus = at('192.0.2.1')
    await share(accounts, campus, 12)
    await accounts.register({ username: 'mine', pin: '6183', visitor: campus })
    for (let i = 0; i < 12; i += 1) expect(await tryPin(accounts, `shared${i}`, '6183', campus)).toBe('Invalid PIN')
    expect(await tryPin(accounts, 'mine', '6183', campus)).toBe('in')
  })

  it('on a network that many owners share, 100 wrong PINs are all there are at once, no matter who signs in meanwhile', async () => {
    const { accounts } = await open()
    const campus = at('192.0.2.1')
    await share(accounts, campus, 26)
    let wrong = 0
    for (let i = 0; i < 6; i += 1) {
      for (let user = 0; user < 25; user += 1) {
        const pin = `${1000 + 150 * i + user}`
        if ((await tryPin(accounts, `shared${user}`, pin, campus)) === 'Invalid PIN') wrong += 1
      }
      if (i < 3) expect(await tryPin(accounts, 'shared25', '4711', campus)).toBe('in')
      accounts.clock.seconds += 120
    }
    expect(wrong).toBe(100)
  })

  it("an owner's sign-ins give nobody else on the network new tries", async () => {
    const { accounts } = await open()
    const answers: string[] = []
    for (let i = 0; i < 21; i += 1) {
      answers.push(await tryPin(accounts, 'owner', `10${10 + i}`, home))
      accounts.clock.seconds += 3_600
      if (i < 19) expect(await tryPin(accounts, 'owner', '4711', home)).toBe('in')
    }
    expect(answers).toEqual([...Array(20).fill('Invalid PIN'), closedHere])
  })
})
