import type { WireRecoveryCodes, WireSecurity } from '@chainboard/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { FakeChain } from '../chain/fakeChain.ts'
import { type Server, startServer } from '../startServer.ts'
import { createAccountClient } from '../testing/accountClient.ts'
import { createTempStores } from '../testing/tempStores.ts'
import { testConfig } from '../testing/testConfig.ts'

const stores = createTempStores()
const pin = '4711'
const firefox = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' }
let server: Server

beforeAll(async () => {
  server = await startServer(testConfig({ store: await stores.locate('sqlite'), proxies: 1 }), new FakeChain())
})
afterAll(() => server.close())

it('names the browser of a session, and signs in with a recovery code whose cookies are a login like any other', async () => {
  const ann = createAccountClient(server.app, '198.51.100.1')
  await ann.call('POST', '/api/users', { username: 'ann', pin }, firefox)
  const { devices } = (await ann.call('GET', '/api/users/ann/security')).body as WireSecurity
  expect(devices).toMatchObject([{ browser: 'Firefox on Linux', isSignedIn: true, isCurrent: true }])
  const { codes } = (await ann.call('POST', '/api/users/ann/recovery-codes', { pin })).body as WireRecoveryCodes
  const elsewhere = createAccountClient(server.app, '198.51.100.2')
  const { status, headers } = await elsewhere.call('POST', '/api/users/ANN/recover', { code: codes[3], newPin: '9024' })
  expect([status, headers['set-cookie']]).toEqual([
    200,
    [expect.stringMatching(/^__Host-session=.*HttpOnly/), expect.stringMatching(/^__Host-browser=.*HttpOnly/)],
  ])
  expect(await elsewhere.call('GET', '/api/users/ann/security')).toMatchObject({ status: 200, body: { recoveryCodes: 7 } })
  expect((await ann.call('GET', '/api/users/ann/security')).status).toBe(401)
})

it('answers an easy PIN and a name like another one with the reason', async () => {
  const bob = createAccountClient(server.app, '198.51.100.3')
  expect(await bob.call('POST', '/api/users', { username: 'bob', pin: '1987' })).toMatchObject({
    status: 400,
    body: { error: 'PIN is easy to guess: it is a year. Choose another one' },
  })
  expect((await bob.call('POST', '/api/users', { username: 'bob', pin })).status).toBe(201)
  expect(await bob.call('POST', '/api/users', { username: 'b0b', pin })).toMatchObject({
    status: 409,
    body: { error: 'Username looks like one that is already taken' },
  })
})

it('lets one address try 30 recovery codes a minute', async () => {
  const eve = createAccountClient(server.app, '198.51.100.9')
  const statuses: number[] = []
  for (let i = 0; i <= 30; i += 1)
    statuses.push((await eve.call('POST', '/api/users/bob/recover', { code: `7KQ2-XW4P-R9H${i}`, newPin: '9024' })).status)
  expect(statuses).toEqual([...Array(30).fill(401), 429])
})

it.each([
  ['POST', '/api/sign-in/passkey/challenge', 'challenges-address";q=600'],
  ['POST', '/api/sign-in/passkey', 'passkeyAnswers-address";q=300'],
  ['POST', '/api/sign-in/wallet/challenge', 'challenges-address";q=600'],
  ['POST', '/api/sign-in/wallet', 'walletAnswers-address";q=60'],
  ['POST', '/api/users/bob/confirm/passkey', 'challenges-address";q=600'],
  ['POST', '/api/users/bob/confirm/wallet', 'challenges-address";q=600'],
  ['POST', '/api/users/bob/passkeys/challenge', 'walletAnswers-address";q=60'],
  ['POST', '/api/users/bob/passkeys', 'passkeyAnswers-address";q=300'],
  ['POST', '/api/users/bob/sign-in-wallets/challenge', 'walletAnswers-address";q=60'],
  ['POST', '/api/users/bob/sign-in-wallets', 'walletAnswers-address";q=60'],
  ['DELETE', '/api/users/bob/passkeys/1', 'walletAnswers-address";q=60'],
  ['DELETE', '/api/users/bob/sign-in-wallets/0x00000000000000000000000000000000000000aa', 'walletAnswers-address";q=60'],
  ['POST', '/api/users/bob/reset-pin', 'walletAnswers-address";q=60'],
] as const)('counts %s %s against a budget', async (method, url, policy) => {
  const { headers } = await createAccountClient(server.app, '198.51.100.10').call(method, url, {})
  expect(headers['ratelimit-policy']).toBe(`"${policy};w=60`)
})
