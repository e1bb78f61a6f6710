import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { FakeChain } from '../chain/fakeChain.ts'
import { type Server, startServer } from '../startServer.ts'
import { type AccountClient, createAccountClient } from '../testing/accountClient.ts'
import { alpha, beta } from '../testing/market.ts'
import { createTempStores, engines } from '../testing/tempStores.ts'
import { testConfig } from '../testing/testConfig.ts'

const stores = createTempStores()
const wallet = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const other = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const pin = '4711'
const item = '0'.repeat(32)

/** Every route of a user, with what the user would send: `{u}` stands for a name. */
const routes: readonly ['GET' | 'POST' | 'DELETE', string, object?][] = [
  ['GET', '/api/users/{u}'],
  ['DELETE', '/api/users/{u}', { pin }],
  ['POST', '/api/users/{u}/wallets', { address: other, pin }],
  ['DELETE', `/api/users/{u}/wallets/${wallet}`, { pin }],
  ['POST', '/api/users/{u}/sign-in-code', { pin }],
  ['GET', '/api/users/{u}/security'],
  ['POST', '/api/users/{u}/pin', { pin, newPin: '9024' }],
  ['POST', '/api/users/{u}/recovery-codes', { pin }],
  ['DELETE', '/api/users/{u}/devices'],
  ['DELETE', `/api/users/{u}/devices/${item}`],
  ['DELETE', `/api/users/{u}/notices/${item}`],
  ['GET', '/api/users/{u}/sign-in-methods'],
  ['POST', '/api/users/{u}/confirm/passkey', { purpose: 'confirm-pin' }],
  ['POST', '/api/users/{u}/confirm/wallet', { purpose: 'confirm-pin', walletAddress: wallet }],
  ['POST', '/api/users/{u}/passkeys/challenge', { proof: { pin } }],
  ['POST', '/api/users/{u}/passkeys', { response: {} }],
  ['DELETE', '/api/users/{u}/passkeys/no-such-id', { proof: { pin } }],
  ['POST', '/api/users/{u}/sign-in-wallets/challenge', { walletAddress: wallet, proof: { pin } }],
  ['POST', '/api/users/{u}/sign-in-wallets', { message: 'x', signature: '0x11' }],
  ['DELETE', `/api/users/{u}/sign-in-wallets/${wallet}`, { proof: { pin } }],
  ['POST', '/api/users/{u}/reset-pin', { pin: '8642', proof: {} }],
  ['GET', '/api/favorites/{u}'],
  ['POST', '/api/favorites/{u}', { tokenAddress: beta }],
  ['DELETE', `/api/favorites/{u}/${alpha}`],
]

describe.each(engines)('two users on %s', (engine) => {
  let server: Server
  let ann: AccountClient
  let bob: AccountClient
  beforeAll(async () => {
    const config = testConfig({ store: await stores.locate(engine), proxies: 1 })
    server = await startServer(config, new FakeChain())
    ann = createAccountClient(server.app, '198.51.100.1')
    bob = createAccountClient(server.app, '198.51.100.2')
    await ann.call('POST', '/api/users', { username: 'Ann', pin })
    await bob.call('POST', '/api/users', { username: 'Bob', pin })
    await ann.call('POST', '/api/users/ann/wallets', { address: wallet, pin })
    await ann.call('POST', '/api/favorites/ann', { tokenAddress: alpha })
  })
  afterAll(() => server.close())

  const expectUntouched = async () => {
    expect(await ann.call('GET', '/api/users/ann')).toMatchObject({ status: 200, body: { username: 'Ann', wallets: [wallet] } })
    expect(await ann.call('GET', '/api/favorites/ann')).toMatchObject({ status: 200, body: [alpha] })
  }

  it('are asked about every route that names a user, signing in apart', () => {
    const toPattern = (path: string) =>
      path
        .replace('{u}', ':username')
        .replace(item, ':id')
        .replace('no-such-id', ':id')
        .replace(wallet, ':address')
        .replace(alpha, ':tokenAddress')
    const asked = routes.map(([method, path]) => `${method} ${toPattern(path)}`)
    const heads = asked.filter((route) => route.startsWith('GET')).map((route) => route.replace('GET', 'HEAD'))
    const found = listRoutes(server.app.printRoutes({ commonPrefix: false })).filter((route) => route.includes(':username'))
    expect(found.sort()).toEqual(
      [...asked, ...heads, 'POST /api/users/:username/verify-pin', 'POST /api/users/:username/recover'].sort(),
    )
  })

  it.each(routes)(
    '%s %s is refused to everybody but its user, with the same words for a name that nobody has',
    async (method, path, body) => {
      const loggedOut = createAccountClient(server.app, '198.51.100.3')
      await loggedOut.call('POST', '/api/users', { username: `gone${method}${path.length}`, pin })
      const session = loggedOut.cookies.get('__Host-session') ?? ''
      await loggedOut.call('POST', '/api/session/logout')
      const nobody = createAccountClient(server.app, '198.51.100.4')
      const flipped = (ann.cookies.get('__Host-session') ?? '').replace(/^./, (first) => (first === 'A' ? 'B' : 'A'))
      const strangers: [string, AccountClient, Record<string, string>][] = [
        ['no cookie', nobody, {}],
        ['a made-up cookie', nobody, { cookie: `__Host-session=${'A'.repeat(43)}` }],
        ['a cookie of one letter changed', nobody, { cookie: `__Host-session=${flipped}` }],
        ['a cookie that is none', nobody, { cookie: "__Host-session=' or 1=1; --" }],
        ['a cookie of before the logout', nobody, { cookie: `__Host-session=${session}` }],
        ['a cookie of before the prefix', nobody, { cookie: `session=${ann.cookies.get('__Host-session')}` }],
        ['the browser cookie alone', nobody, { cookie: `__Host-browser=${ann.cookies.get('__Host-browser')}` }],
      ]
      for (const [what, client, headers] of strangers) {
        for (const name of ['ann', 'nobody-at-all']) {
          const answer = await client.call(method, path.replace('{u}', name), body, headers)
          expect([what, answer.status, answer.body]).toEqual([what, 401, { error: 'Please log in' }])
        }
      }
      for (const name of ['ann', 'ANN', 'nobody-at-all', 'b%20b']) {
        const answer = await bob.call(method, path.replace('{u}', name), body)
        expect([name, answer.status, answer.body]).toEqual([name, 403, { error: 'You are logged in as another user' }])
      }
      if (method !== 'GET') {
        const lies: Record<string, string>[] = [
          { origin: 'https://evil.example' },
          { origin: 'null' },
          { 'sec-fetch-site': 'cross-site' },
        ]
        for (const headers of lies) {
          const answer = await ann.call(method, path.replace('{u}', 'ann'), body, headers)
          expect([headers, answer.status, answer.body]).toEqual([
            headers,
            403,
            { error: 'Requests from other sites are refused' },
          ])
        }
      }
      await expectUntouched()
    },
  )

  it('another site can neither register, nor sign in, nor log out', async () => {
    const headers = { origin: 'https://evil.example' }
    for (const [path, body] of [
      ['/api/users', { username: 'eve', pin }],
      ['/api/users/ann/verify-pin', { pin }],
      ['/api/users/ann/recover', { code: 'x', newPin: '9024' }],
      ['/api/session/logout', {}],
    ] as const) {
      expect((await ann.call('POST', path, body, headers)).status, path).toBe(403)
      // A name of theirs that leads to this server.
      expect((await ann.call('POST', path, body, { ...headers, host: 'evil.example' })).status, path).toBe(403)
    }
    await expectUntouched()
  })

  it('a session ends after 30 days, for every route', async () => {
    const cid = createAccountClient(server.app, '198.51.100.5')
    await cid.call('POST', '/api/users', { username: 'Cid', pin })
    expect((await cid.call('GET', '/api/users/cid')).status).toBe(200)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 30 * 86_400_000 })
    onTestFinished(() => void vi.useRealTimers())
    for (const [method, path, body] of routes)
      for (const name of ['cid', 'ann', 'nobody-at-all']) {
        const { status, body: told } = await cid.call(method, path.replace('{u}', name), body)
        expect([method, path, name, status, told]).toEqual([method, path, name, 401, { error: 'Please log in' }])
      }
  })

  it('do with their own what they like, from their own site', async () => {
    const origin = { origin: 'https://board.example' }
    expect((await ann.call('POST', '/api/favorites/ann', { tokenAddress: beta }, origin)).body).toEqual([alpha, beta])
    expect((await ann.call('DELETE', `/api/favorites/ann/${beta}`, undefined, { 'sec-fetch-site': 'same-origin' })).body).toEqual(
      [alpha],
    )
    await expectUntouched()
  })
})

/** `GET /a/:b` for each route of Fastify's tree, in which a line stands four columns right of the one it goes on from. */
function listRoutes(tree: string): string[] {
  const above: string[] = []
  return tree.split('\n').flatMap((line) => {
    const [, indent = '', part = '', methods = ''] = /^([│├└─\s]*)(\S+) \((.*)\)$/.exec(line) ?? []
    const depth = indent.length / 4
    above.splice(depth - 1, above.length, part)
    return methods.split(', ').map((method) => `${method} ${above.join('')}`)
  })
}
