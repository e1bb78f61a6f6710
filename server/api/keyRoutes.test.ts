import { Failure } from '@chainboard/core'
import { hashMessage } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FakeChain } from '../chain/fakeChain.ts'
import { type Server, startServer } from '../startServer.ts'
import { createAccountClient } from '../testing/accountClient.ts'
import { demoUser, operator, signProof, stranger, withRole, writeMessage } from '../testing/signProof.ts'
import { createTempStores, engines } from '../testing/tempStores.ts'
import { testConfig } from '../testing/testConfig.ts'

const stores = createTempStores()
const minute = 60_000

describe.each(engines)('a free key on %s', (engine) => {
  const chain = new FakeChain()
  let server: Server
  beforeAll(async () => {
    chain.methods.set('eth_call', () => '0x')
    const config = testConfig({
      store: await stores.locate(engine),
      proxies: 1,
      adminWallets: withRole('owner', operator),
    })
    server = await startServer(config, chain)
  })
  afterAll(() => server.close())

  let addresses = 0
  const post = (body: object, headers: Record<string, string> = {}) => {
    addresses += 1
    const client = createAccountClient(server.app, `198.51.${addresses >> 8}.${addresses & 255}`)
    return client.call('POST', '/api/keys/generate-free', body, headers)
  }
  const admin = async (path: string, body: object = {}) => {
    const proof = await signProof(operator, { purpose: 'Admin Login' })
    return createAccountClient(server.app, '192.0.2.1').call('POST', `/api/admin/${path}`, { ...proof, ...body })
  }
  /** What becomes of a request with this key. */
  const use = async (key: string) => {
    const spent = await server.keyGate.spend(key, '203.0.113.9')
    return spent.ok ? spent.allowance.tier : spent.refusal.code
  }
  const makeKey = async (account = demoUser, atMs?: number) => {
    const answer = await post(await signProof(account, atMs === undefined ? {} : { atMs }))
    expect(answer).toMatchObject({ status: 201, body: { key: expect.stringMatching(/^cb_[0-9A-Za-z]{38}$/) } })
    return (answer.body as { key: string }).key
  }

  it('is shown once, works at once, and dies in the moment in which the wallet signs for the next', async () => {
    const first = await makeKey()
    expect(await use(first)).toBe('free')
    const second = await makeKey()
    expect(second).not.toBe(first)
    expect(await use(first)).toBe('INVALID_API_KEY')
    // The day goes on: three requests by now, of one key.
    expect(await server.keyGate.spend(second, '')).toMatchObject({ ok: true, allowance: { limit: 1_000, remaining: 998 } })
    const { body } = await admin('keys/list')
    expect(body).toMatchObject({
      keys: [{ tier: 'free', wallet: demoUser.address, id: `cb_••••${second.slice(-4)}`, usageToday: 2, expiresAt: null }],
    })
  })

  it('is one for each wallet, however many signatures come at once', async () => {
    const account = stranger
    const proofs = await Promise.all(Array.from({ length: 8 }, (_, i) => signProof(account, { atMs: Date.now() - i })))
    const answers = await Promise.all(proofs.map((proof) => post(proof)))
    const keys = answers.flatMap(({ body }) => (body as { key?: string }).key ?? [])
    expect(keys.length).toBeGreaterThan(0)
    const works = await Promise.all(keys.map(use))
    expect(works.filter((tier) => tier === 'free')).toHaveLength(1)
  })

  it('is not given for a message that is used, at the same moment or later', async () => {
    const proof = await signProof(demoUser)
    const answers = await Promise.all([1, 2, 3, 4].map(() => post(proof)))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409])
    expect(await post(proof)).toMatchObject({
      status: 409,
      body: { error: 'This message has already been used: sign a new one' },
    })
  })

  it.each([
    ['for another site', { domain: 'evil.example' }, 401, 'This message was signed for another site: expected board.example'],
    [
      'for another port',
      { domain: 'board.example:8080' },
      401,
      'This message was signed for another site: expected board.example',
    ],
    [
      'of another site of that domain',
      { siteName: 'Otherboard' },
      401,
      'This message was signed for something else: expected "Testboard Free API Key"',
    ],
    [
      'for a login',
      { purpose: 'Admin Login' },
      401,
      'This message was signed for something else: expected "Testboard Free API Key"',
    ],
    ['for another wallet', { wallet: operator.address }, 401, 'The message names another wallet'],
    [
      'for the wallet without its checksum',
      { wallet: demoUser.address.toLowerCase() },
      400,
      `Wallet: expected the address with its checksum, ${demoUser.address}`,
    ],
    ['of the future', { fromNowMs: minute }, 401, 'The message is dated in the future: check your clock'],
    ['that is 10 minutes old', { fromNowMs: -10 * minute }, 401, 'The message is too old: sign a new one'],
  ])('is refused with a message %s', async (_, words, status, error) => {
    // By the clock of this test, not of the table: that was read when the file was.
    const made = 'fromNowMs' in words ? { atMs: Date.now() + words.fromNowMs } : words
    expect(await post(await signProof(demoUser, made))).toMatchObject({ status, body: { error } })
  })

  it('is refused with a signature that is not of this wallet and message', async () => {
    const error = 'The signature does not match this wallet and message'
    const proof = await signProof(demoUser)
    const altered = { ...proof, message: writeMessage(demoUser.address, { atMs: Date.now() - 1_000 }) }
    expect(await post(altered)).toMatchObject({ status: 401, body: { error } })
    const { signature } = await signProof(operator, { wallet: demoUser.address })
    expect(await post({ ...proof, signature })).toMatchObject({ status: 401, body: { error } })
    for (const made of ['0x00', `0x${'00'.repeat(65)}`, `0x${'ff'.repeat(65)}`])
      expect(await post({ ...proof, signature: made })).toMatchObject({ status: 401, body: { error } })
    // None of them has used the message up.
    expect(await post(proof)).toMatchObject({ status: 201 })
  })

  it('says what is wrong with what was sent, and never repeats it', async () => {
    const proof = await signProof(demoUser)
    const errorOf = async (changes: object) => {
      const { status, body } = await post({ ...proof, ...changes })
      return [status, (body as { error: string }).error]
    }
    const wanted =
      'Malformed message: expected four lines, "Testboard Free API Key", Domain, Wallet and Timestamp (ISO 8601, UTC)'
    expect(await errorOf({ message: `${proof.message}\nand more` })).toEqual([400, wanted])
    expect(await errorOf({ message: 'gm' })).toEqual([400, wanted])
    expect(await errorOf({ message: proof.message + 'x'.repeat(10_240) })).toEqual([
      400,
      `message: found ${proof.message.length + 10_240} characters, expected 1000 at most`,
    ])
    expect(await errorOf({ message: 7 })).toEqual([400, 'message: expected the signed text'])
    expect(await errorOf({ signature: '' })).toEqual([400, "signature: expected the wallet's signature"])
    expect(await errorOf({ signature: 'abc' })).toEqual([400, 'signature: expected 0x and hexadecimal digits'])
    expect(await errorOf({ signature: `0x${'ab'.repeat(5_000)}` })).toEqual([
      400,
      'signature: found 10002 characters, expected 8194 at most',
    ])
    expect(await errorOf({ walletAddress: '0x12' })).toEqual([
      400,
      'walletAddress: expected an address, 0x and 40 hexadecimal digits',
    ])
    expect(await errorOf({ key: 'cb_secret' })).toEqual([
      400,
      'body: expected a JSON object with only these fields: walletAddress, signature, message',
    ])
  })

  it('is not had through the page of another site', async () => {
    const proof = await signProof(demoUser)
    expect(await post(proof, { 'sec-fetch-site': 'cross-site' })).toMatchObject({ status: 403 })
    expect(await post(proof)).toMatchObject({ status: 201 })
  })

  it('of a contract wallet is given when the contract says so, and waits for a chain that does not answer', async () => {
    const walletAddress = '0xcA11bde05977b3631167028862bE2a173976CA11'
    const message = writeMessage(walletAddress)
    const proof = { walletAddress, message, signature: '0xc0ffee' }
    // The contract stands for one signature of one message.
    const good = hashMessage(message).slice(2)
    chain.methods.set('eth_call', (params) => {
      const [{ to, data }] = params as [{ to: string; data: string }]
      if (to !== walletAddress.toLowerCase() || !data.startsWith('0x1626ba7e')) return '0x'
      const right = data.includes(good) && data.includes('c0ffee')
      return `0x${right ? '1626ba7e' : 'ffffffff'}${'0'.repeat(56)}`
    })
    const wrong = { status: 401, body: { error: 'The signature does not match this wallet and message' } }
    expect(await post({ ...proof, signature: '0xdecade' })).toMatchObject(wrong)
    expect(await post({ ...proof, walletAddress: operator.address, message: writeMessage(operator.address) })).toMatchObject(
      wrong,
    )

    const answer = chain.methods.get('eth_call')
    chain.methods.set('eth_call', () => {
      throw new Failure('rpc-unavailable', 'The node is not responding', { retryable: true })
    })
    expect(await post(proof)).toMatchObject({
      status: 503,
      headers: { 'retry-after': '5' },
      body: { error: expect.stringContaining('so a contract wallet cannot be checked. Try again') },
    })
    chain.methods.set('eth_call', () => {
      throw new Failure('rpc-refused', 'execution reverted', { detail: { code: 3 } })
    })
    expect(await post(proof)).toMatchObject(wrong)
    if (answer) chain.methods.set('eth_call', answer)
    // The message was not used up meanwhile.
    expect(await post(proof)).toMatchObject({ status: 201 })
    expect(await post(proof)).toMatchObject({ status: 409 })
  })

  it('is not renewed while the operator has paused it', async () => {
    const key = await makeKey()
    expect(await admin(`keys/${key}/update`, { status: 'paused' })).toMatchObject({ status: 200 })
    expect(await use(key)).toBe('KEY_INACTIVE')
    expect(await post(await signProof(demoUser))).toMatchObject({
      status: 403,
      body: { error: expect.stringContaining('The key of this wallet is paused') },
    })
    expect(await admin(`keys/${key}/update`, { status: 'active' })).toMatchObject({ status: 200 })
    expect(await use(key)).toBe('free')
  })

  it('may be tried for 30 times an hour by a client', async () => {
    const client = createAccountClient(server.app, '192.0.2.77')
    const statuses: number[] = []
    for (let i = 0; i < 31; i += 1) statuses.push((await client.call('POST', '/api/keys/generate-free', {})).status)
    expect(statuses).toEqual([...Array(30).fill(400), 429])
  })
})

it('a message stays used when the server starts again', async () => {
  const store = await stores.locate('sqlite')
  const proof = await signProof(demoUser)
  const statusOfRun = async () => {
    const server = await startServer(testConfig({ store }), new FakeChain())
    const { statusCode } = await server.app.inject({ method: 'POST', url: '/api/keys/generate-free', payload: proof })
    await server.close()
    return statusCode
  }
  expect(await statusOfRun()).toBe(201)
  expect(await statusOfRun()).toBe(409)
})
