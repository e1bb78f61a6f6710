import { Failure } from '@chainboard/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FakeChain } from '../chain/fakeChain.ts'
import { hashApiKey } from '../keys/keyFormat.ts'
import { type Server, startServer } from '../startServer.ts'
import { type AccountClient, createAccountClient } from '../testing/accountClient.ts'
import { usdc } from '../testing/market.ts'
import { demoUser, operator, type SignedProof, signProof, stranger, withRole } from '../testing/signProof.ts'
import { createTempStores, engines } from '../testing/tempStores.ts'
import { testConfig } from '../testing/testConfig.ts'

const stores = createTempStores()
const hour = 3_600_000
const missingId = '00000000-0000-4000-8000-000000000000'
/** Every route of the panel, with a body that it takes. */
const routes: [string, object][] = [
  ['verify', {}],
  ['keys/list', {}],
  ['stats', {}],
  ['keys', { email: 'dev@example.org' }],
  [`keys/${missingId}/update`, { note: 'x' }],
  [`keys/${missingId}/delete`, {}],
  ['acts', {}],
  ['logout', {}],
]

type Listed = { id: string; fullId: string; status: string; usageToday: number; note: string; lastUsed: string | null }

describe.each(engines)("the operators' panel on %s", (engine) => {
  const chain = new FakeChain()
  let server: Server
  let boss: (path: string, body?: object) => ReturnType<AccountClient['call']>
  let addresses = 0
  const call = (path: string, body: object) => {
    addresses += 1
    const client = createAccountClient(server.app, `198.51.${addresses >> 8}.${addresses & 255}`)
    return client.call('POST', `/api/admin/${path}`, body)
  }
  const logIn = (account = operator, words: Parameters<typeof signProof>[1] = {}) =>
    signProof(account, { purpose: 'Admin Login', ...words })
  beforeAll(async () => {
    chain.methods.set('eth_call', () => '0x')
    const adminWallets = withRole('owner', operator, demoUser)
    const config = testConfig({ store: await stores.locate(engine), proxies: 1, adminWallets })
    server = await startServer(config, chain)
    const proof = await logIn()
    boss = (path, body = {}) => call(path, { ...proof, ...body })
  })
  afterAll(() => server.close())

  const make = async (form: object = {}) => {
    const { status, body } = await boss('keys', { email: 'dev@example.org', ...form })
    expect(status, JSON.stringify(body)).toBe(201)
    return (body as { key: Listed & Record<string, unknown> }).key
  }
  const list = async () => ((await boss('keys/list')).body as { keys: Listed[] }).keys
  const find = async (fullId: string) => (await list()).find((key) => key.fullId === fullId)
  const use = async (key: string) => {
    const spent = await server.keyGate.spend(key, '')
    return spent.ok ? spent.allowance.remaining : spent.refusal.code
  }

  it('answers operators on every route, and nobody else', async () => {
    const proofs: [string, SignedProof | object, number, string][] = [
      ['no proof', {}, 400, 'walletAddress: expected an address, 0x and 40 hexadecimal digits'],
      ["a stranger's", await logIn(stranger), 403, 'This wallet is not authorized'],
      [
        "a stranger's signature for an operator",
        { ...(await logIn(stranger, { wallet: operator.address })), walletAddress: operator.address },
        401,
        'The signature does not match this wallet and message',
      ],
      [
        'a free key',
        await signProof(operator),
        401,
        'This message was signed for something else: expected "Testboard Admin Login"',
      ],
      [
        'another site',
        await logIn(operator, { domain: 'evil.example' }),
        401,
        'This message was signed for another site: expected board.example',
      ],
      ['of yesterday', await logIn(operator, { atMs: Date.now() - 24 * hour }), 401, 'The message is too old: log in again'],
      [
        'of tomorrow',
        await logIn(operator, { atMs: Date.now() + 24 * hour }),
        401,
        'The message is dated in the future: check your clock',
      ],
      [
        'of in a minute',
        await logIn(operator, { atMs: Date.now() + 60_000 }),
        401,
        'The message is dated in the future: check your clock',
      ],
    ]
    const before = await list()
    for (const [name, proof, status, error] of proofs) {
      for (const [path, body] of routes)
        expect(await call(path, { ...proof, ...body }), `${name} at ${path}`).toMatchObject({ status, body: { error } })
    }
    expect(await list()).toEqual(before)
    // Either operator, also 23 hours later; the other one's logout below ends nobody else's login.
    for (const account of [operator, demoUser]) {
      const proof = await logIn(account, { atMs: Date.now() - 23 * hour })
      const statuses: number[] = []
      for (const [path, body] of routes) statuses.push((await call(path, { ...proof, ...body })).status)
      expect(statuses).toEqual([200, 200, 200, 201, 404, 404, 200, 200])
    }
    expect((await boss('stats')).status).toBe(200)
  })

  it('knows a login no more after its logout', async () => {
    const [first, second] = [await logIn(demoUser), await logIn(demoUser, { atMs: Date.now() - 1_000 })]
    expect(await call('logout', first)).toMatchObject({ status: 200, body: { success: true } })
    for (const [path, body] of routes)
      expect(await call(path, { ...first, ...body })).toMatchObject({
        status: 401,
        body: { error: 'You are logged out. Log in again' },
      })
    expect((await call('stats', second)).status).toBe(200)
  })

  it('makes a key that is shown once, works, and is listed by its mask', async () => {
    const made = await make({ email: ' dev@example.org ', requestsPerDay: 3, note: 'for the app' })
    expect(made).toMatchObject({ tier: 'basic', status: 'active', email: 'dev@example.org', note: 'for the app', usageToday: 0 })
    expect(made.id).toMatch(/^cb_[0-9A-Za-z]{38}$/)
    const days = (Date.parse(made['expiresAt'] as string) - Date.now()) / 86_400_000
    expect(days).toBeGreaterThan(29.99)
    expect(days).toBeLessThan(30.01)
    expect([await use(made.id), await use(made.id)]).toEqual([2, 1])
    const listed = await find(made.fullId)
    expect(listed).toEqual({
      ...made,
      id: `cb_••••${made.id.slice(-4)}`,
      usageToday: 2,
      lastUsed: expect.stringMatching(/^20\d\d-.*Z$/),
    })
    expect(JSON.stringify(await list())).not.toContain(made.id)
  })

  it('gives each tier its limit and its end', async () => {
    expect(await make({ tier: 'forever', expiresAt: '2099-01-01', requestsPerDay: 50 })).toMatchObject({
      tier: 'forever',
      expiresAt: null,
      requestsPerDay: 50,
    })
    expect(await make({ tier: 'custom', expiresAt: '', requestsPerDay: null })).toMatchObject({
      tier: 'custom',
      expiresAt: null,
      requestsPerDay: 10_000,
    })
    expect(await make({ expiresAt: '2099-01-31' })).toMatchObject({ expiresAt: '2099-01-31T00:00:00.000Z' })
    expect(await make({ expiresAt: '2099-01-31T10:00:00+02:00' })).toMatchObject({ expiresAt: '2099-01-31T08:00:00.000Z' })
  })

  it('pauses, resumes, limits, expires and deletes a key, by record id or by the key, with effect at once', async () => {
    const { id, fullId } = await make({ requestsPerDay: 100 })
    expect(await use(id)).toBe(99)
    expect(await boss(`keys/${fullId}/update`, { status: 'paused' })).toMatchObject({
      status: 200,
      body: { success: true, key: { status: 'paused', fullId } },
    })
    expect(await use(id)).toBe('KEY_INACTIVE')
    expect((await boss(`keys/${id}/update`, { status: 'active', requestsPerDay: 2, note: 'less' })).status).toBe(200)
    expect(await use(id)).toBe(0)
    expect(await use(id)).toBe('RATE_LIMIT_EXCEEDED')
    const soon = new Date(Math.ceil(Date.now() / 1000) * 1000 + 3_000)
    expect(await boss(`keys/${fullId}/update`, { expiresAt: soon.toISOString(), requestsPerDay: 100 })).toMatchObject({
      body: { key: { status: 'active', expiresAt: soon.toISOString() } },
    })
    await expect.poll(() => use(id)).toBe('KEY_EXPIRED')
    expect(await find(fullId)).toMatchObject({ status: 'expired', note: 'less' })
    const expired = { status: 409, body: { error: 'The key has expired: set a later expiry date' } }
    expect(await boss(`keys/${fullId}/update`, { status: 'active' })).toMatchObject(expired)
    expect(await boss(`keys/${fullId}/update`, { status: 'paused' })).toMatchObject({ body: { key: { status: 'expired' } } })
    expect(await boss(`keys/${fullId}/update`, { status: 'active' })).toMatchObject(expired)
    // A form gives the day back that it was shown, and says nothing by it.
    expect((await boss(`keys/${fullId}/update`, { expiresAt: soon.toISOString().slice(0, 10), note: 'same day' })).status).toBe(
      200,
    )
    expect(await use(id)).toBe('KEY_EXPIRED')
    expect(await boss(`keys/${fullId}/update`, { status: 'active', expiresAt: null })).toMatchObject({
      status: 200,
      body: { key: { status: 'active', expiresAt: null } },
    })
    expect(await use(id)).not.toBe('KEY_EXPIRED')
    expect(await boss(`keys/${id}/delete`)).toMatchObject({ status: 200, body: { success: true } })
    expect(await use(id)).toBe('INVALID_API_KEY')
    expect(await find(fullId)).toBeUndefined()
    const gone = { status: 404, body: { error: 'Key not found' } }
    for (const name of [fullId, id, 'cb_x', `${id}x`]) expect(await boss(`keys/${name}/delete`)).toMatchObject(gone)
  })

  it('ends what is open with a key when it is paused, deleted or expires', async () => {
    const told: string[] = []
    const open = async (name: string, form = {}) => {
      const key = await make(form)
      server.keyGate.onEnded({ id: key.fullId, hash: hashApiKey(key['id']) }, (why) => told.push(`${name} ${why}`))
      return key
    }
    const [paused, deleted, noted] = [await open('paused'), await open('deleted'), await open('noted')]
    await boss(`keys/${noted.fullId}/update`, { note: 'nothing ends by this', requestsPerDay: 5 })
    // Not later: whoever is told of the act knows that it has had its effect.
    await boss(`keys/${paused.fullId}/update`, { status: 'paused' })
    expect(told).toEqual(['paused KEY_INACTIVE'])
    await boss(`keys/${deleted.fullId}/delete`)
    expect(told).toEqual(['paused KEY_INACTIVE', 'deleted INVALID_API_KEY'])
    await open('expiring', { expiresAt: new Date(Date.now() + 4_000).toISOString() })
    await expect.poll(() => told[2]).toBe('expiring KEY_EXPIRED')
    expect(told).toHaveLength(3)
    // Whoever opens something with a key that has just ended is told, too.
    const late = Promise.withResolvers<string>()
    server.keyGate.onEnded({ id: paused.fullId, hash: hashApiKey(paused.id) }, late.resolve)
    expect(await late.promise).toBe('KEY_INACTIVE')
  })

  it.each([
    ['keys', { email: '' }, 'Email is required'],
    ['keys', { email: 'dev@example' }, 'email: expected an address like name@example.org'],
    ['keys', { tier: 'free' }, 'tier: expected one of basic, custom, forever'],
    ['keys', { requestsPerDay: 0 }, 'requestsPerDay: expected a whole number from 1 to 10,000,000'],
    ['keys', { requestsPerDay: 10_000_001 }, 'requestsPerDay: expected a whole number from 1 to 10,000,000'],
    ['keys', { requestsPerDay: '12' }, 'requestsPerDay: expected a whole number from 1 to 10,000,000'],
    ['keys', { requestsPerDay: 1.5 }, 'requestsPerDay: expected a whole number from 1 to 10,000,000'],
    ['keys', { expiresAt: '2020-01-01' }, 'expiresAt: expected a date in the future'],
    ['keys', { expiresAt: '2099-02-31T25:00:00Z' }, 'expiresAt: expected a date like 2027-01-31 or 2027-01-31T12:00:00Z'],
    ['keys', { expiresAt: '2027-02-30' }, 'expiresAt: expected a date like 2027-01-31 or 2027-01-31T12:00:00Z'],
    ['keys', { expiresAt: 'soon' }, 'expiresAt: expected a date like 2027-01-31 or 2027-01-31T12:00:00Z'],
    ['keys', { note: 'x'.repeat(501) }, 'note: found 501 characters, expected 500 at most'],
    ['keys', { note: 'paid\u0000' }, 'note: found the control character U+0000, expected text and line breaks'],
    ['keys', { email: 'dev\u0000@example.org' }, 'email: expected an address like name@example.org'],
    ['keys', { txHash: '0x12' }, 'txHash: expected a transaction, 0x and 64 hexadecimal digits'],
    ['update', {}, 'Nothing to change: expected status, requestsPerDay, expiresAt or note'],
    ['update', { status: 'expired' }, 'status: expected active or paused'],
    ['update', { requestsPerDay: null }, 'requestsPerDay: expected a whole number from 1 to 10,000,000'],
    ['update', { note: '\u009b2Jgone' }, 'note: found the control character U+009B, expected text and line breaks'],
    ['update', { expiresAt: '2020-01-01' }, 'expiresAt: expected a date in the future'],
  ])('%s refuses %o', async (path, form, error) => {
    const target = path === 'keys' ? 'keys' : `keys/${(await make()).fullId}/update`
    const body = path === 'keys' ? { email: 'dev@example.org', ...form } : form
    expect(await boss(target, body)).toMatchObject({ status: 400, body: { error } })
  })

  it('shows what a transaction paid, and makes the key whatever the chain says', async () => {
    const [payer, recipient] = ['11', '22'].map((byte) => `0x${byte.repeat(20)}`)
    const word = (hex = '') => `0x${hex.replace('0x', '').padStart(64, '0')}`
    const transfer = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
    const log = { address: usdc, topics: [transfer, word(payer), word(recipient)], data: word((15_000_000).toString(16)) }
    const receipts: Record<string, unknown> = {
      aa: { status: '0x1', logs: [log, { ...log, address: recipient }, { ...log, topics: [word('1')] }] },
      bb: { status: '0x0', logs: [] },
    }
    chain.methods.set('eth_getTransactionReceipt', (params) => receipts[(params as string[])[0]?.slice(2, 4) ?? ''] ?? null)
    const txOf = (byte: string) => `0x${byte.repeat(32)}`
    const paid = await make({ txHash: txOf('AA') })
    const payment = { status: 'found', transfers: [{ amount: '15', payer, recipient }] }
    expect(paid).toMatchObject({ txHash: txOf('aa'), payment })
    expect(await find(paid.fullId)).toMatchObject({ payment })
    expect(await make({ txHash: txOf('bb') })).toMatchObject({ payment: { status: 'failed', transfers: [] } })
    expect(await make({ txHash: txOf('cc') })).toMatchObject({ payment: { status: 'missing', transfers: [] } })
    chain.methods.set('eth_getTransactionReceipt', () => {
      throw new Failure('rpc-unavailable', 'The node is not responding', { retryable: true })
    })
    expect(await make({ txHash: txOf('dd') })).toMatchObject({ payment: { status: 'unknown', transfers: [] } })
    expect(await make()).toMatchObject({ payment: null, txHash: null })
  })

  it('keeps every act, with what was changed from what, in pages', async () => {
    const made = await make({ note: 'first', requestsPerDay: 100, email: 'acts@example.org' })
    await boss(`keys/${made.fullId}/update`, { note: 'second', requestsPerDay: 100 })
    await boss(`keys/${made.fullId}/update`, { note: 'second' })
    await boss(`keys/${made.fullId}/delete`)
    type Page = {
      acts: { id: string; act: string; keyId: string | null; wallet: string; from: object; to: object }[]
      next: string
    }
    const { acts } = (await boss('acts')).body as Page
    const key = `…${made.id.slice(-4)}`
    const facts = { key, tier: 'basic', status: 'active', email: 'acts@example.org', requestsPerDay: 100 }
    expect(acts.slice(0, 3)).toMatchObject([
      { act: 'delete', keyId: made.fullId, wallet: operator.address, from: { ...facts, note: 'second' }, to: {} },
      { act: 'update', keyId: made.fullId, from: { note: 'first' }, to: { note: 'second' } },
      { act: 'create', keyId: made.fullId, from: {}, to: { ...facts, note: 'first' } },
    ])
    for (let i = 0; i < 60; i += 1) await boss('verify')
    const first = (await boss('acts')).body as Page
    const second = (await boss('acts', { before: first.next })).body as Page
    expect(first.acts).toHaveLength(50)
    expect(first.acts.every(({ act }) => act === 'login')).toBe(true)
    expect(second.acts.slice(0, 11).map(({ act }) => act)).toEqual([...Array(10).fill('login'), 'delete'])
    expect(new Set([...first.acts, ...second.acts].map(({ id }) => id)).size).toBe(50 + second.acts.length)
  })

  it('counts one change after the other when two operators are at it', async () => {
    const { fullId } = await make({ requestsPerDay: 1 })
    const others = await logIn(demoUser)
    const limits = Array.from({ length: 20 }, (_, i) => i + 2)
    const changes = limits.map((requestsPerDay) =>
      requestsPerDay % 2
        ? boss(`keys/${fullId}/update`, { requestsPerDay })
        : call(`keys/${fullId}/update`, { ...others, requestsPerDay }),
    )
    expect((await Promise.all(changes)).every(({ status }) => status === 200)).toBe(true)
    type Act = { from: { requestsPerDay: number }; to: { requestsPerDay: number } }
    const { acts } = (await boss('acts')).body as { acts: Act[] }
    // Each change begins with what another one has left.
    expect(
      acts
        .slice(0, 20)
        .map(({ to }) => to.requestsPerDay)
        .sort((a, b) => a - b),
    ).toEqual(limits)
    expect(
      acts
        .slice(0, 20)
        .map(({ from }) => from.requestsPerDay)
        .sort((a, b) => a - b),
    ).toEqual([1, ...limits.filter((limit) => limit !== acts[0]?.to.requestsPerDay)].sort((a, b) => a - b))
  })
})

describe('figures of the panel', () => {
  it('are those of the keys and of the day', async () => {
    const chain = new FakeChain()
    const config = testConfig({
      store: await stores.locate('sqlite'),
      proxies: 1,
      adminWallets: withRole('owner', operator),
    })
    const server = await startServer(config, chain)
    const proof = await signProof(operator, { purpose: 'Admin Login' })
    const boss = async (path: string, body: object = {}) => {
      const payload = { ...proof, ...body }
      return (await server.app.inject({ method: 'POST', url: `/api/admin/${path}`, payload })).json()
    }
    const forms = [{}, {}, { tier: 'forever' }, { tier: 'custom' }, {}]
    const keys: { id: string; fullId: string }[] = []
    for (const form of forms) keys.push((await boss('keys', { email: 'dev@example.org', ...form })).key)
    await boss(`keys/${keys[4]?.fullId}/update`, { status: 'paused' })
    for (let i = 0; i < 7; i += 1) await server.keyGate.spend(keys[0]?.id, '')
    for (let i = 0; i < 3; i += 1) await server.keyGate.spend(undefined, `10.0.0.${i % 2}`)
    // Two active basic keys of 15 dollars; 7 requests with a key, 3 without one from 2 addresses.
    expect(await boss('stats')).toEqual({
      success: true,
      stats: {
        totalKeys: 5,
        activeKeys: 4,
        monthlyRevenue: 30,
        totalRequestsToday: 10,
        sharedApiUsage: 3,
        sharedApiIPs: 2,
      },
    })
    await server.close()
  })

  it('the panel stays closed where no wallet is named', async () => {
    const store = await stores.locate('sqlite')
    const server = await startServer(testConfig({ store }), new FakeChain())
    const payload = await signProof(operator, { purpose: 'Admin Login' })
    const answer = await server.app.inject({ method: 'POST', url: '/api/admin/verify', payload })
    expect([answer.statusCode, answer.json()]).toEqual([403, { error: 'This wallet is not authorized' }])
    await server.close()
  })

  it('is asked 120 times a minute by a client at most', async () => {
    const store = await stores.locate('sqlite')
    const server = await startServer(testConfig({ store }), new FakeChain())
    const statuses: number[] = []
    for (let i = 0; i < 121; i += 1)
      statuses.push((await server.app.inject({ method: 'POST', url: '/api/admin/verify', payload: {} })).statusCode)
    expect(statuses).toEqual([...Array(120).fill(400), 429])
    await server.close()
  })
})
