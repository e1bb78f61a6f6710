import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { FakeChain } from '../chain/fakeChain.ts'
import { type Server, startServer } from '../startServer.ts'
import { createAccountClient } from '../testing/accountClient.ts'
import { alpha, beta } from '../testing/market.ts'
import { createTempStores, engines } from '../testing/tempStores.ts'
import { testConfig } from '../testing/testConfig.ts'

const stores = createTempStores()
const wallet = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const user = (username: string, ...wallets: string[]) => ({ status: 200, body: { username, wallets } })

describe.each(engines)('accounts over HTTP on %s', (engine) => {
  let server: Server
  beforeAll(async () => {
    const config = testConfig({ store: await stores.locate(engine), proxies: 1 })
    server = await startServer(config, new FakeChain())
  })
  afterAll(() => server.close())

  let addresses = 0
  const newClient = () => {
    addresses += 1
    return createAccountClient(server.app, `198.51.100.${addresses}`)
  }
  const join = async (username: string, pin = '4711') => {
    const client = newClient()
    expect(await client.call('POST', '/api/users', { username, pin })).toMatchObject({
      status: 201,
      body: { username, wallets: [] },
    })
    return client
  }

  it('a user registers, comes back, keeps wallets and favourites, and logs out', async () => {
    const ann = await join('Ann')
    expect(await ann.call('GET', '/api/users/ann?_=1')).toMatchObject(user('Ann'))
    const path = '/api/users/ANN/wallets'
    expect(await ann.call('POST', path, { address: wallet.toLowerCase(), pin: '4711' })).toMatchObject(user('Ann', wallet))
    expect(await ann.call('POST', path, { address: `0x${wallet.slice(2).toUpperCase()}`, pin: '4711' })).toMatchObject({
      status: 409,
      body: { error: 'Wallet is already added' },
    })
    const upper = `0x${alpha.slice(2).toUpperCase()}`
    expect(await ann.call('POST', '/api/favorites/ann', { tokenAddress: beta })).toMatchObject({ status: 200, body: [beta] })
    expect(await ann.call('POST', '/api/favorites/ann', { tokenAddress: upper })).toMatchObject({
      status: 200,
      body: [beta, alpha],
    })
    expect(await ann.call('POST', '/api/favorites/ann', { tokenAddress: alpha })).toMatchObject({
      status: 409,
      body: { error: 'Token is already in your favorites' },
    })
    expect(await ann.call('DELETE', `/api/favorites/ann/${beta.toUpperCase().replace('X', 'x')}`)).toMatchObject({
      body: [alpha],
    })
    expect(await ann.call('GET', '/api/favorites/ann')).toMatchObject({ status: 200, body: [alpha] })

    const { status } = await ann.call('POST', '/api/session/logout')
    expect(status).toBe(204)
    expect(await ann.call('GET', '/api/users/ann')).toMatchObject({ status: 401, body: { error: 'Please log in' } })
    const back = newClient()
    expect(await back.call('POST', '/api/users/aNN/verify-pin', { pin: '4711' })).toMatchObject({
      status: 200,
      body: { success: true },
    })
    expect(await back.call('GET', '/api/users/ann')).toMatchObject(user('Ann', wallet))
    expect(await back.call('DELETE', `/api/users/ann/wallets/${wallet}`, { pin: '4711' })).toMatchObject(user('Ann'))
    expect(await back.call('DELETE', `/api/users/ann/wallets/${wallet}`, { pin: '4711' })).toMatchObject({ status: 404 })
  })

  it('says what is wrong with what was typed, and never repeats a PIN', async () => {
    const cid = await join('Cid')
    const post = async (url: string, body: object) => (await cid.call('POST', url, body)).body
    expect(await post('/api/users', { pin: '8163' })).toEqual({ error: 'Username is required' })
    expect(await post('/api/users', { username: 'x y', pin: '8163' })).toEqual({
      error: 'Username: found "x y", expected 1 to 32 letters (A-Z), digits, underscores, dots or dashes',
    })
    expect(await post('/api/users', { username: 'new' })).toEqual({ error: 'PIN is required' })
    for (const pin of ['123', '12345', 1234, '12 4', { a: '8027' }]) {
      expect(await cid.call('POST', '/api/users', { username: 'new', pin })).toMatchObject({
        status: 400,
        body: { error: 'PIN must be 4 digits' },
      })
    }
    expect(await post('/api/users', { username: 'cID', pin: '8163' })).toEqual({ error: 'Username is already taken' })
    expect(await post('/api/users', { username: 'new', pin: '8027', more: 1 })).toEqual({
      error: 'body: expected a JSON object with only these fields: username, pin',
    })
    expect(await post('/api/users/cid/verify-pin', {})).toEqual({ error: 'PIN is required' })
    expect(await post('/api/users/cid/wallets', { address: '0x12', pin: '4711' })).toEqual({
      error: 'address: found "0x12", expected an address: 0x and 40 hexadecimal digits',
    })
    expect(await post('/api/users/cid/wallets', { address: wallet })).toEqual({ error: 'PIN required' })
    expect(await post('/api/users/cid/wallets', { address: wallet, pin: '0000' })).toEqual({ error: 'Invalid PIN' })
    expect(await post('/api/favorites/cid', { tokenAddress: wallet })).toEqual({
      error: `Token ${wallet.toLowerCase()} is not on this site's list`,
    })
    expect(await post('/api/favorites/cid', {})).toEqual({
      error: 'tokenAddress: found nothing, expected an address: 0x and 40 hexadecimal digits',
    })
    expect(await cid.call('GET', '/api/favorites/cid')).toMatchObject({ body: [] })
  })

  it('hands out cookies that no script reads and no other site sends along', async () => {
    const answer = await newClient().call('POST', '/api/users', { username: 'Eve', pin: '8163' })
    expect(answer.headers['set-cookie']).toEqual([
      expect.stringMatching(/^__Host-session=[A-Za-z0-9_-]{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Lax; Secure$/),
      expect.stringMatching(/^__Host-browser=[A-Za-z0-9_-]{43}; Path=\/; Max-Age=31536000; HttpOnly; SameSite=Lax; Secure$/),
    ])
    expect(answer.headers['cache-control']).toBe('no-store')
  })

  it('asks who is wrong too often to wait, for known and unknown names alike', async () => {
    await join('Finn')
    const answersFor = async (name: string) => {
      const stranger = newClient()
      const answers: unknown[] = []
      for (let i = 0; i < 4; i += 1) {
        const { status, body, headers } = await stranger.call('POST', `/api/users/${name}/verify-pin`, { pin: `000${i}` })
        answers.push([status, body, headers['retry-after'], headers['set-cookie']])
      }
      return answers
    }
    const wrong = [401, { error: 'Invalid PIN' }, undefined, undefined]
    vi.useFakeTimers({ toFake: ['Date'] })
    const known = await answersFor('finn')
    expect(known).toEqual([wrong, wrong, wrong, [429, { error: 'Too many attempts. Try again in 30 s.' }, '30', undefined]])
    expect(await answersFor('nobody')).toEqual(known)
    expect(await answersFor('%E2%80%8Bfinn')).toEqual(known)
    vi.useRealTimers()
  })

  it('lets an owner in from anywhere with a code that a signed-in browser makes', async () => {
    const gus = await join('Gus')
    const stranger = newClient()
    for (let i = 0; i < 3; i += 1) await stranger.call('POST', '/api/users/gus/verify-pin', { pin: `100${i}` })
    expect((await stranger.call('POST', '/api/users/gus/verify-pin', { pin: '4711' })).status).toBe(429)
    const made = await gus.call('POST', '/api/users/gus/sign-in-code', { pin: '4711' })
    expect(made).toMatchObject({ status: 201, body: { code: expect.stringMatching(/^[2-9A-Z]{5}-[2-9A-Z]{5}$/) } })
    const { code } = made.body as { code: string }
    expect((await stranger.call('POST', '/api/users/gus/verify-pin', { pin: '4711', code })).status).toBe(200)
    expect(await stranger.call('GET', '/api/users/gus')).toMatchObject(user('Gus'))
    expect(await stranger.call('POST', '/api/users/gus/verify-pin', { pin: '4711', code: 1 })).toMatchObject({ status: 400 })
  })

  it('one account that signs in again and again, all at once, keeps no owner waiting', async () => {
    const mallory = await join('Mallory')
    const owner = await join('Olga')
    const stranger = newClient()
    const signIn = { pin: '4711' }
    const flood = Array.from({ length: 80 }, () => mallory.call('POST', '/api/users/mallory/verify-pin', signIn))
    const atOnce = [owner, stranger].map((client) => client.call('POST', '/api/users/olga/verify-pin', signIn))
    expect((await Promise.all(atOnce)).map(({ status }) => status)).toEqual([200, 200])
    const answers = await Promise.all(flood)
    expect([...new Set(answers.map(({ status }) => status))].sort()).toEqual([200, 503])
    expect(answers.find(({ status }) => status === 503)?.headers['retry-after']).toBe('5')
  })

  it('forgets an account with its PIN, and frees the name', async () => {
    const hal = await join('Hal')
    expect(await hal.call('DELETE', '/api/users/hal', { pin: '0000' })).toMatchObject({ status: 401 })
    expect((await hal.call('DELETE', '/api/users/hal', { pin: '4711' })).status).toBe(204)
    expect(hal.cookies.has('__Host-session')).toBe(false)
    expect(await newClient().call('POST', '/api/users/hal/verify-pin', { pin: '4711' })).toMatchObject({ status: 401 })
    await join('hAL', '8163')
  })

  it('tells figures of all users, never a name', async () => {
    const { body } = await newClient().call('GET', '/api/stats/dashboard')
    const before = body as { totalUsers: number; userRegistrationChart: { date: string; users: number }[] }
    const ida = await join('Ida')
    await ida.call('POST', '/api/favorites/ida', { tokenAddress: alpha })
    const after = await newClient().call('GET', '/api/stats/dashboard?_=2')
    expect(after.body).toMatchObject({
      totalUsers: before.totalUsers + 1,
      usersToday: before.totalUsers + 1,
      usersWithFavorites: 2,
      totalFavorites: 2,
      usersWithWallets: 0,
      avgWalletsPerUser: 0,
      mostFavoritedTokens: [
        {
          tokenAddress: alpha,
          count: 2,
          token: { name: 'Alpha', symbol: 'ALPHA', address: alpha, logo: '/logos/test/alpha.svg' },
        },
      ],
    })
    expect(before.userRegistrationChart).toHaveLength(30)
    expect(before.userRegistrationChart.at(-1)).toEqual({ date: new Date().toISOString().slice(0, 10), users: before.totalUsers })
    expect(await newClient().call('GET', '/api/stats/users')).toMatchObject({ body: { totalUsers: before.totalUsers + 1 } })
    expect(JSON.stringify(after.body).toLowerCase()).not.toContain('ida')
  })
})

it('a site without https has cookies all the same', async () => {
  const config = testConfig({ store: await stores.locate('sqlite'), origin: 'http://board.example:3000' })
  const server = await startServer(config, new FakeChain())
  const answer = await server.app.inject({ method: 'POST', url: '/api/users', payload: { username: 'Ann', pin: '8163' } })
  for (const line of answer.headers['set-cookie'] as string[]) expect(line).toMatch(/; HttpOnly; SameSite=Lax$/)
  await server.close()
})
