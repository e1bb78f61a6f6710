import { getAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FakeChain } from '../chain/fakeChain.ts'
import { type Server, startServer } from '../startServer.ts'
import { type AccountClient, createAccountClient } from '../testing/accountClient.ts'
import { alpha, beta, networkFile } from '../testing/market.ts'
import { demoUser, operator, signProof, stranger, withRole } from '../testing/signProof.ts'
import { createTempStores, engines } from '../testing/tempStores.ts'
import { testConfig } from '../testing/testConfig.ts'

const stores = createTempStores()
const minute = 60_000
const missingId = '00000000-0000-4000-8000-000000000000'
const origin = 'https://board.example'
const third = stranger

type Session = { id: string; wallet: string; role: string; startedAt: string; endsAt: string; idleSeconds: number }
type Login = { client: AccountClient; session: Session; call(path: string, body?: object): ReturnType<AccountClient['call']> }

describe.each(engines)('sessions and roles of operators on %s', (engine) => {
  const chain = new FakeChain()
  let server: Server
  let addresses = 0
  const newClient = () => createAccountClient(server.app, `203.0.${++addresses >> 8}.${addresses & 255}`)
  const sign = (account: typeof operator, words: Parameters<typeof signProof>[1] = {}) =>
    signProof(account, { purpose: 'Admin Session', ...words })
  const logIn = async (account: typeof operator): Promise<Login> => {
    const client = newClient()
    const answer = await client.call('POST', '/api/admin/session', await sign(account), { origin })
    expect(answer.status, JSON.stringify(answer.body)).toBe(201)
    const { session } = answer.body as { session: Session }
    const call: Login['call'] = (path, body = {}) =>
      client.call('POST', `/api/admin/${path}`, { session: session.id, ...body }, { origin })
    return { client, session, call }
  }
  beforeAll(async () => {
    chain.methods.set('eth_call', () => '0x')
    const adminWallets = [...withRole('owner', operator), ...withRole('editor', demoUser), ...withRole('viewer', third)]
    const rpcUrls = ['https://node.example/v1/secret']
    server = await startServer(testConfig({ store: await stores.locate(engine), proxies: 1, adminWallets, rpcUrls }), chain)
  })
  afterAll(() => server.close())

  it('open with a fresh message, once, and carry a cookie that no script reads and no other site sends', async () => {
    const client = newClient()
    // Dated apart: two messages of one millisecond are one message.
    const proof = await sign(operator, { atMs: Date.now() - 1 })
    const tries = await Promise.all([1, 2, 3].map(() => client.call('POST', '/api/admin/session', proof)))
    expect(tries.map(({ status }) => status).sort()).toEqual([201, 409, 409])
    const { headers, body } = tries.find(({ status }) => status === 201) ?? {}
    expect(headers?.['set-cookie']).toMatch(/^__Host-operator=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Secure$/)
    const { session } = body as { session: Session }
    expect(session).toMatchObject({ wallet: operator.address, role: 'owner', idleSeconds: 1_800 })
    expect(Date.parse(session.endsAt) - Date.parse(session.startedAt)).toBe(24 * 60 * minute)
  })

  it.each<[string, number, string, () => ReturnType<typeof sign>]>([
    ['six minutes old', 401, 'The message is too old: sign a new one', () => sign(operator, { atMs: Date.now() - 6 * minute })],
    ['of another site', 401, 'signed for another site', () => sign(operator, { domain: 'evil.example' })],
    ['for a program’s login', 401, 'signed for something else', () => sign(operator, { purpose: 'Admin Login' })],
    ['for a free key', 401, 'signed for something else', () => sign(operator, { purpose: 'Free API Key' })],
  ])('do not open with a message %s', async (_, status, error, prove) => {
    const answer = await newClient().call('POST', '/api/admin/session', await prove())
    expect(answer).toMatchObject({ status, body: { error: expect.stringContaining(error) } })
    expect(answer.headers['set-cookie']).toBeUndefined()
  })

  it('are worth nothing without their cookie, under another id, or from another site; a message of theirs is no login', async () => {
    const [mine, other] = [await logIn(operator), await logIn(demoUser)]
    const ended = { status: 401, body: { error: 'Your session has ended. Log in again' } }
    expect(await newClient().call('POST', '/api/admin/stats', { session: mine.session.id })).toMatchObject(ended)
    // Two tabs with two operators: neither acts as the other one.
    expect(await other.call('stats', { session: mine.session.id })).toMatchObject(ended)
    expect(await other.call('stats', { session: 7 })).toMatchObject({ status: 400 })
    const evil = { origin: 'https://evil.example' }
    expect(await mine.client.call('POST', '/api/admin/stats', { session: mine.session.id }, evil)).toMatchObject({ status: 403 })
    expect(await mine.client.call('POST', '/api/admin/stats', await sign(operator))).toMatchObject({ status: 401 })
    expect((await mine.call('stats')).status).toBe(200)
  })

  it('let each role do what it may, and no more, on every route', async () => {
    const statuses = async ({ call, session }: Login) => {
      const made = await call('keys', { email: 'dev@example.org' })
      const found: Record<string, number> = { create: made.status }
      found['reload'] = (await call('list/reload')).status
      for (const path of ['verify', 'keys/list', 'stats', 'acts', 'sessions', 'state']) found[path] = (await call(path)).status
      found['update'] = (await call(`keys/${missingId}/update`, { note: 'x' })).status
      found['delete'] = (await call(`keys/${missingId}/delete`)).status
      found['keep'] = (await call(`keys/${missingId}/keep`)).status
      found['end'] = (await call(`sessions/${missingId}/end`)).status
      found['logout'] = (await call('logout')).status
      found['after'] = (await call('stats', { session: session.id })).status
      return found
    }
    const read = {
      verify: 200,
      'keys/list': 200,
      stats: 200,
      acts: 200,
      sessions: 200,
      state: 200,
      end: 404,
      logout: 200,
      after: 401,
    }
    expect(await statuses(await logIn(third))).toEqual({ ...read, reload: 403, create: 403, update: 403, delete: 403, keep: 403 })
    expect(await statuses(await logIn(demoUser))).toEqual({
      ...read,
      reload: 200,
      create: 201,
      update: 404,
      delete: 403,
      keep: 403,
    })
    expect(await statuses(await logIn(operator))).toEqual({
      ...read,
      reload: 200,
      create: 201,
      update: 404,
      delete: 404,
      keep: 404,
    })
    // A program's login is bound by the same roles.
    const proof = await signProof(demoUser, { purpose: 'Admin Login' })
    expect(await newClient().call('POST', `/api/admin/keys/${missingId}/delete`, proof)).toMatchObject({
      status: 403,
      body: { error: 'Your role is editor: this needs the role owner' },
    })
  })

  it('are listed and ended: one’s own by everybody, all by owners', async () => {
    const [boss, one, two] = [await logIn(operator), await logIn(third), await logIn(third)]
    const list = async ({ call }: Login) => ((await call('sessions')).body as { sessions: Session[] }).sessions
    expect(new Set((await list(one)).map(({ wallet }) => wallet))).toEqual(new Set([third.address]))
    const all = (await list(boss)).map(({ id }) => id)
    expect(all).toEqual(expect.arrayContaining([boss, one, two].map(({ session }) => session.id)))
    const none = { status: 404, body: { error: 'Session not found' } }
    expect(await one.call(`sessions/${boss.session.id}/end`)).toMatchObject(none)
    expect((await boss.call('stats')).status).toBe(200)
    expect((await one.call(`sessions/${two.session.id}/end`)).status).toBe(200)
    expect((await two.call('stats')).status).toBe(401)
    expect((await boss.call(`sessions/${one.session.id}/end`)).status).toBe(200)
    expect((await one.call('stats')).status).toBe(401)
    expect(await boss.call(`sessions/${one.session.id}/end`)).toMatchObject(none)
    const { acts } = (await boss.call('acts')).body as { acts: object[] }
    expect(acts[0]).toMatchObject({
      ...{ act: 'end-session', wallet: operator.address, role: 'owner', via: 'session' },
      from: { session: one.session.id, wallet: third.address.toLowerCase() },
    })
  })

  it('a key is gone only after two owners have asked, where that is configured', async () => {
    const store = await stores.locate(engine)
    const adminWallets = withRole('owner', operator, demoUser)
    const site = await startServer(testConfig({ store, proxies: 1, adminWallets, twoOwnersDelete: true }), chain)
    const proofs = [operator, demoUser].map((account) => signProof(account, { purpose: 'Admin Login' }))
    const [first, second] = await Promise.all(proofs)
    const call = async (proof: object | undefined, path: string, body = {}) =>
      createAccountClient(site.app, '198.51.100.7').call('POST', `/api/admin/${path}`, { ...proof, ...body })
    const made = (await call(first, 'keys', { email: 'dev@example.org' })).body as { key: { id: string; fullId: string } }
    const { id, fullId } = made.key
    const works = async () => (await site.keyGate.spend(id, '')).ok
    const asked = { status: 202, body: { success: true, waiting: expect.stringContaining('Another owner') } }
    expect(await call(first, `keys/${fullId}/delete`)).toMatchObject(asked)
    expect(await call(first, `keys/${id}/delete`)).toMatchObject({ status: 409 })
    expect(await works()).toBe(true)
    type List = { keys: { deletion: { wallet: string } | null }[] }
    const wish = async () => ((await call(second, 'keys/list')).body as List).keys[0]?.deletion
    expect(await wish()).toMatchObject({ wallet: operator.address })
    expect(await call(second, `keys/${fullId}/keep`)).toMatchObject({ status: 200, body: { key: { deletion: null } } })
    expect(await call(second, `keys/${fullId}/keep`)).toMatchObject({ status: 404 })
    expect(await wish()).toBe(null)
    expect(await call(second, `keys/${fullId}/delete`)).toMatchObject(asked)
    expect(await call(first, `keys/${fullId}/delete`)).toMatchObject({ status: 200, body: { success: true } })
    expect(await works()).toBe(false)
    const { acts } = (await call(first, 'acts')).body as { acts: { act: string; to: object }[] }
    expect(acts.slice(0, 4).map(({ act }) => act)).toEqual(['delete', 'ask-deletion', 'withdraw-deletion', 'ask-deletion'])
    expect(acts[0]?.to).toEqual({ askedBy: demoUser.address.toLowerCase() })
    await site.close()
  })

  it('a wish to delete of who is no owner any more counts for nothing', async () => {
    const store = await stores.locate(engine)
    const start = (adminWallets: ReturnType<typeof withRole>) =>
      startServer(testConfig({ store, proxies: 1, adminWallets, twoOwnersDelete: true }), chain)
    const [first, second] = await Promise.all([operator, demoUser].map((each) => signProof(each, { purpose: 'Admin Login' })))
    const call = (site: Server, proof: object | undefined, path: string, body = {}) =>
      createAccountClient(site.app, '198.51.100.8').call('POST', `/api/admin/${path}`, { ...proof, ...body })
    const before = await start(withRole('owner', operator, demoUser))
    const made = (await call(before, first, 'keys', { email: 'dev@example.org' })).body as { key: { fullId: string } }
    const path = `keys/${made.key.fullId}/delete`
    expect(await call(before, first, path)).toMatchObject({ status: 202 })
    await before.close()
    const after = await start([...withRole('editor', operator), ...withRole('owner', demoUser, third)])
    const { keys } = (await call(after, second, 'keys/list')).body as { keys: { deletion: object | null }[] }
    expect(keys[0]?.deletion).toBe(null)
    expect(await call(after, second, path)).toMatchObject({ status: 202 })
    await after.close()
  })

  it('shows how the site does, and no key of a node', async () => {
    const { call } = await logIn(third)
    const { body } = await call('state')
    expect(body).toMatchObject({
      state: {
        index: { swapsKeptSince: null },
        nodes: [{ host: 'node.example', answered: 0, failed: 0, outrun: 0 }],
        list: { tokens: expect.any(Number), refused: null },
        storage: { engine, bytes: expect.any(Number), freeBytes: expect.any(Number) },
        server: { version: '0.1.0', nodeVersion: process.version, memoryBytes: expect.any(Number) },
      },
    })
    expect(JSON.stringify(body)).not.toContain('secret')
    const { alerts } = (body as { state: { alerts: { about: string; text: string }[] } }).state
    expect(alerts.map(({ text }) => text)).toContainEqual(expect.stringMatching(/^The \w+ 0x\w{4}…\w{4} acted in their role/))
  })

  it('tells of unusual acts in the metrics', async () => {
    const { call } = await logIn(operator)
    for (let i = 0; i < 5; i += 1) {
      const made = (await call('keys', { email: 'dev@example.org' })).body as { key: { fullId: string } }
      await call(`keys/${made.key.fullId}/delete`)
    }
    const { body } = await server.app.inject({ url: '/metrics' })
    // Three operators came for the first time each; every login of these tests comes from an address of its own.
    expect(body).toContain('chainboard_operator_alerts_total{alert="first-use"} 3')
    expect(body).toContain('chainboard_operator_alerts_total{alert="many-deletions"} 1')
    expect(Number(/alerts_total\{alert="new-address"\} (\d+)/.exec(body)?.[1])).toBeGreaterThan(3)
  })
})

describe.each(engines)('featured tokens on %s', (engine) => {
  it('are what an operator chose, on every server, until the files count again; where only the files count, they stay', async () => {
    const location = await stores.locate(engine)
    const adminWallets = withRole('editor', operator)
    const network = { ...networkFile, panelEdits: true }
    const site = await startServer(testConfig({ store: location, adminWallets, network }), new FakeChain())
    const proof = await signProof(operator, { purpose: 'Admin Login' })
    const call = async (path: string, body = {}) =>
      (await site.app.inject({ method: 'POST', url: `/api/admin/${path}`, payload: { ...proof, ...body } })).json()
    const shown = async (server: Server) =>
      (await server.app.inject('/highlighted.json')).json().map((token: { address: string }) => token.address.toLowerCase())
    expect(await call('featured')).toMatchObject({ featured: { allowed: true, source: 'files', tokens: [], tokensMax: 24 } })
    const edited = await call('featured/edit', { tokens: [beta, alpha] })
    expect(edited).toMatchObject({ featured: { source: 'panel', tokens: [getAddress(beta), getAddress(alpha)] } })
    await expect.poll(() => shown(site)).toEqual([beta, alpha])
    const refusals: [unknown, string][] = [
      [[alpha, alpha], 'tokens.1: expected each token once'],
      [[`0x${'77'.repeat(20)}`], 'tokens.0: expected the address of a listed token'],
      ['all', 'tokens: expected a list of at most 24 addresses, or null'],
      [Array(25).fill(alpha), 'tokens: expected a list of at most 24 addresses, or null'],
    ]
    for (const [tokens, error] of refusals) expect(await call('featured/edit', { tokens })).toEqual({ error })
    expect(await shown(site)).toEqual([beta, alpha])
    expect((await call('acts')).acts[0]).toMatchObject({
      act: 'edit-featured',
      from: { featured: '' },
      to: { featured: 'BETA, ALPHA' },
    })
    // Two edits at the same moment: what the second changed is what the first one made.
    await Promise.all([call('featured/edit', { tokens: [alpha] }), call('featured/edit', { tokens: [beta] })])
    const [second, first] = (await call('acts')).acts
    expect(second.from).toEqual(first.to)
    expect(await call('featured/edit', { tokens: [beta, alpha] })).toMatchObject({ featured: { source: 'panel' } })
    await site.close()

    // After a restart, too; and nothing of it where the operator of the server wants the files.
    const again = await startServer(testConfig({ store: location, adminWallets, network }), new FakeChain())
    await expect.poll(() => shown(again)).toEqual([beta, alpha])
    const back = { ...proof, tokens: null }
    const answer = await again.app.inject({ method: 'POST', url: '/api/admin/featured/edit', payload: back })
    expect(answer.json()).toMatchObject({ featured: { source: 'files' } })
    await expect.poll(() => shown(again)).toEqual([])
    await again.close()
    const filesOnly = await startServer(testConfig({ store: location, adminWallets }), new FakeChain())
    const refused = await filesOnly.app.inject({ method: 'POST', url: '/api/admin/featured/edit', payload: back })
    expect([refused.statusCode, refused.json().error]).toEqual([403, expect.stringContaining('come from the files')])
    await filesOnly.close()
  })
})
