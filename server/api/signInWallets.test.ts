import type { WireSecurity } from '@chainboard/contract'
import { Failure } from '@chainboard/core'
import { getAddress, hashMessage } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { FakeChain } from '../chain/fakeChain.ts'
import { type Server, startServer } from '../startServer.ts'
import { type AccountClient, createAccountClient } from '../testing/accountClient.ts'
import { demoUser, operator, stranger } from '../testing/signProof.ts'
import { createTempStores, engines } from '../testing/tempStores.ts'
import { testConfig } from '../testing/testConfig.ts'

const stores = createTempStores()
const pin = '4711'
const origin = 'https://board.example'
/** A contract that stands for whatever it is asked about. */
const agreeable = '0x00000000000000000000000000000000000000aa'
const magic = `0x1626ba7e${'0'.repeat(56)}`
const foreign = 'This was not signed for this site, browser and purpose: start again'
const notLinked = 'No account is linked to this wallet. Log in with your PIN, then link it in your portfolio'

type Signer = { readonly address: string; signMessage(text: { message: string }): Promise<string> }

describe.each(engines)('wallets that sign in on %s', (engine) => {
  const chain = new FakeChain()
  let server: Server
  beforeAll(async () => {
    server = await startServer(testConfig({ store: await stores.locate(engine), proxies: 1 }), chain)
  })
  beforeEach(() => {
    chain.methods.set('eth_getCode', () => '0x')
    chain.methods.set('eth_call', (params) => {
      const [{ to }] = params as [{ to?: string }]
      return to === agreeable ? magic : '0x'
    })
  })
  afterAll(() => server.close())

  let addresses = 0
  const newClient = () => {
    addresses += 1
    return createAccountClient(server.app, `198.51.101.${addresses}`)
  }
  const register = async (username: string) => {
    const client = newClient()
    expect(await client.call('POST', '/api/users', { username, pin })).toMatchObject({ status: 201 })
    return client
  }
  const messageOf = async (client: AccountClient, url: string, body: object): Promise<string> => {
    const answer = await client.call('POST', url, body)
    expect(answer).toMatchObject({ status: 200 })
    return (answer.body as { message: string }).message
  }
  const askToSignIn = (client: AccountClient, walletAddress: string) =>
    messageOf(client, '/api/sign-in/wallet/challenge', { walletAddress })
  const enter = (client: AccountClient, message: string, signature: string, headers = {}) =>
    client.call('POST', '/api/sign-in/wallet', { message, signature }, headers)
  const signIn = async (client: AccountClient, wallet: Signer) => {
    const message = await askToSignIn(client, wallet.address)
    return enter(client, message, await wallet.signMessage({ message }))
  }
  const askToLink = (client: AccountClient, name: string, walletAddress: string, proof: object = { pin }) =>
    messageOf(client, `/api/users/${name}/sign-in-wallets/challenge`, { walletAddress, proof })
  const link = async (client: AccountClient, name: string, wallet: Signer) => {
    const message = await askToLink(client, name, wallet.address)
    const signature = await wallet.signMessage({ message })
    return client.call('POST', `/api/users/${name}/sign-in-wallets`, { message, signature, name: 'Fox' })
  }
  const unlink = (client: AccountClient, name: string, address: string) =>
    client.call('DELETE', `/api/users/${name}/sign-in-wallets/${address}`, { proof: { pin } })

  it('are linked with the PIN, listed, sign their owner in, and set a new PIN', async () => {
    const ann = await register('Ann')
    expect(await link(ann, 'ann', demoUser)).toMatchObject({
      status: 201,
      body: { passkeys: [], wallets: [{ address: demoUser.address, name: 'Fox', lastUsedAt: null }] },
    })
    const elsewhere = newClient()
    expect(await signIn(elsewhere, demoUser)).toMatchObject({ status: 200, body: { username: 'Ann', wallets: [] } })
    expect(await elsewhere.call('GET', '/api/users/ann/sign-in-methods')).toMatchObject({
      status: 200,
      body: { wallets: [{ lastUsedAt: expect.any(Number) }] },
    })
    const url = '/api/users/ann/confirm/wallet'
    const message = await messageOf(elsewhere, url, { purpose: 'confirm-pin', walletAddress: demoUser.address })
    expect(message).toContain('\nSet a new PIN for the account Ann. This is free and moves no funds.\n')
    const proof = { wallet: { message, signature: await demoUser.signMessage({ message }) } }
    const reset = () => elsewhere.call('POST', '/api/users/ann/reset-pin', { pin: '9024', proof })
    expect(await reset()).toMatchObject({ status: 200, body: { username: 'Ann' } })
    expect(await reset()).toMatchObject({ status: 409 })
    expect(await ann.call('GET', '/api/users/ann')).toMatchObject({ status: 401 })
    const again = newClient()
    expect(await again.call('POST', '/api/users/ann/verify-pin', { pin: '9024' })).toMatchObject({ status: 200 })
    const { notices } = (await again.call('GET', '/api/users/ann/security')).body as WireSecurity
    expect(notices.map(({ kind }) => kind).sort()).toEqual(['pinReset', 'signIn', 'walletLinked'])
    const gone = await elsewhere.call('DELETE', `/api/users/ann/sign-in-wallets/${demoUser.address}`, { proof: { pin: '9024' } })
    expect(gone).toMatchObject({ status: 200, body: { wallets: [] } })
    expect(await signIn(newClient(), demoUser)).toMatchObject({ status: 401, body: { error: notLinked } })
  })

  it('are announced to the other sessions of their owner when they are linked', async () => {
    const [eva, phone] = [await register('Eva'), newClient()]
    expect(await phone.call('POST', '/api/users/eva/verify-pin', { pin })).toMatchObject({ status: 200 })
    const noticesOf = async (client: AccountClient) =>
      ((await client.call('GET', '/api/users/eva/security')).body as WireSecurity).notices.map(({ kind }) => kind)
    expect(await link(eva, 'eva', demoUser)).toMatchObject({ status: 201 })
    expect(await link(eva, 'eva', demoUser)).toMatchObject({ status: 409 })
    expect([await noticesOf(eva), await noticesOf(phone)]).toEqual([['signIn'], ['walletLinked']])
    expect(await unlink(eva, 'eva', demoUser.address)).toMatchObject({ status: 200 })
  })

  it('let their owner in at once while strangers have closed the PIN to everybody new', async () => {
    const zoe = await register('Zoe')
    expect(await link(zoe, 'zoe', stranger)).toMatchObject({ status: 201 })
    for (let i = 0; i < 22; i += 1) {
      const guesser = createAccountClient(server.app, `198.51.102.${i}`)
      await guesser.call('POST', '/api/users/zoe/verify-pin', { pin: `84${10 + i}` })
    }
    expect(await newClient().call('POST', '/api/users/zoe/verify-pin', { pin })).toMatchObject({ status: 429 })
    expect(await signIn(newClient(), stranger)).toMatchObject({ status: 200, body: { username: 'Zoe' } })
    await unlink(zoe, 'zoe', stranger.address)
  })

  it('sign a message of EIP-4361 that names the site, the chain and five minutes', async () => {
    const message = await askToSignIn(newClient(), operator.address.toLowerCase())
    expect(message.split('\n').slice(0, 8)).toEqual([
      'board.example wants you to sign in with your Ethereum account:',
      operator.address,
      '',
      'Sign in to your account. This is free and moves no funds.',
      '',
      'URI: https://board.example',
      'Version: 1',
      'Chain ID: 31337',
    ])
    const times = /\nIssued At: (.+)\nExpiration Time: (.+)$/.exec(message) ?? []
    expect(Date.parse(times[2] ?? '') - Date.parse(times[1] ?? '')).toBe(300_000)
  })

  it('are told whether they are linked only by their own signature', async () => {
    const ben = await register('Ben')
    await link(ben, 'ben', operator)
    for (const asked of [operator.address, stranger.address]) {
      const client = newClient()
      const message = await askToSignIn(client, asked)
      const signature = await demoUser.signMessage({ message })
      expect(await enter(client, message, signature)).toMatchObject({
        status: 401,
        body: { error: 'The signature does not match this wallet and message' },
      })
    }
    expect(await signIn(newClient(), stranger)).toMatchObject({ status: 401, body: { error: notLinked } })
    await unlink(ben, 'ben', operator.address)
  })

  it.each<[string, (message: string) => string, string]>([
    [
      'for another domain',
      (text) => text.replace('board.example wants', 'evil.example wants'),
      'This message was signed for another site: expected board.example',
    ],
    ['that leads to another site', (text) => text.replace('URI: https://board', 'URI: https://evil'), 'not the one'],
    ['for another chain', (text) => text.replace('Chain ID: 31337', 'Chain ID: 1'), 'not the one'],
    ['that lasts longer', (text) => text.replace(/Expiration Time: \d+/, 'Expiration Time: 2999'), 'not the one'],
    ['from the future', (text) => text.replace(/Issued At: \d+/, 'Issued At: 2999'), 'not the one'],
    ['with more lines', (text) => `${text}\nResources:\n- https://evil.example`, 'not the one'],
    ['that agrees to something else', (text) => text.replace('Sign in to your account', 'Give it all away'), 'not the one'],
    ['with a nonce of its own', (text) => text.replace(/Nonce: \w+/, `Nonce: ${'a'.repeat(72)}`), foreign],
    ['with a moment changed in its nonce', (text) => text.replace(/Nonce: \w{8}/, 'Nonce: 7fffffff'), foreign],
  ])('are refused a message %s', async (_, change, error) => {
    const client = newClient()
    const message = change(await askToSignIn(client, demoUser.address))
    const answer = await enter(client, message, await demoUser.signMessage({ message }))
    expect(answer).toMatchObject({ status: 401, body: { error: expect.stringContaining(error) } })
  })

  it('are refused a message that was given to another browser, for another account, or for something else', async () => {
    const [cid, dan] = [await register('Cid'), await register('Dan')]
    await link(cid, 'cid', stranger)
    const planted = await askToSignIn(newClient(), stranger.address)
    const victim = newClient()
    await askToSignIn(victim, stranger.address)
    const signed = async (message: string) => ({ message, signature: await stranger.signMessage({ message }) })
    const send = async (client: AccountClient, message: string) =>
      client.call('POST', '/api/sign-in/wallet', await signed(message))
    expect(await send(victim, planted)).toMatchObject({ status: 401, body: { error: foreign } })
    expect(await send(cid, await askToLink(cid, 'cid', stranger.address))).toMatchObject({
      status: 401,
      body: { error: foreign },
    })
    // Dan's session, and what Cid's wallet has signed to come in, or for its own account.
    const confirm = { purpose: 'confirm-removal', walletAddress: stranger.address }
    for (const message of [
      await askToSignIn(dan, stranger.address),
      await messageOf(dan, '/api/users/dan/confirm/wallet', confirm),
    ]) {
      const proof = { wallet: await signed(message) }
      const answer = await dan.call('POST', '/api/users/dan/passkeys/challenge', { proof })
      expect(answer).toMatchObject({ status: 401, body: { error: foreign } })
    }
    const change = { purpose: 'confirm-link', walletAddress: stranger.address }
    const proof = { wallet: await signed(await messageOf(dan, '/api/users/dan/confirm/wallet', change)) }
    expect(await dan.call('POST', '/api/users/dan/passkeys/challenge', { proof })).toMatchObject({
      status: 401,
      body: { error: 'This wallet is not linked to your account' },
    })
    const own = await signed(await askToSignIn(victim, stranger.address))
    expect(await victim.call('POST', '/api/sign-in/wallet', own, { origin: 'https://evil.example' })).toMatchObject({
      status: 403,
    })
    expect(await victim.call('POST', '/api/sign-in/wallet', own, { origin })).toMatchObject({ status: 200 })
    await unlink(cid, 'cid', stranger.address)
  })

  it('sign a message once, also at the same moment', async () => {
    const eve = await register('Eve')
    await link(eve, 'eve', operator)
    const client = newClient()
    const message = await askToSignIn(client, operator.address)
    const signature = await operator.signMessage({ message })
    const cookie = `__Host-challenge=${client.cookies.get('__Host-challenge')}`
    const answers = await Promise.all([1, 2, 3, 4].map(() => enter(newClient(), message, signature, { cookie })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409])
    await unlink(eve, 'eve', operator.address)
  })

  it('belong to one account, which others learn only with their signature', async () => {
    const [fay, gil] = [await register('Fay'), await register('Gil')]
    expect(await link(fay, 'fay', demoUser)).toMatchObject({ status: 201 })
    expect(await link(fay, 'fay', demoUser)).toMatchObject({ status: 409, body: { error: 'This wallet is already linked' } })
    expect(await link(gil, 'gil', demoUser)).toMatchObject({
      status: 409,
      body: { error: 'This wallet is linked to another account' },
    })
    const message = await askToLink(gil, 'gil', demoUser.address)
    const signature = await stranger.signMessage({ message })
    expect(await gil.call('POST', '/api/users/gil/sign-in-wallets', { message, signature })).toMatchObject({
      status: 401,
      body: { error: 'The signature does not match this wallet and message' },
    })
    expect(await unlink(gil, 'gil', demoUser.address)).toMatchObject({ status: 404 })
    expect(await fay.call('DELETE', '/api/users/fay', { pin })).toMatchObject({ status: 204 })
    expect(await link(gil, 'gil', demoUser)).toMatchObject({ status: 201 })
    await unlink(gil, 'gil', demoUser.address)
  })

  it('may be contracts, each of which speaks for itself alone', async () => {
    const [hal, ida] = [await register('Hal'), await register('Ida')]
    await link(hal, 'hal', operator)
    const yes: Signer = { address: agreeable, signMessage: async () => '0x1234' }
    // Whoever can have it say yes comes in as the one who linked it, and as nobody else.
    expect(await signIn(newClient(), yes)).toMatchObject({ status: 401, body: { error: notLinked } })
    expect(await link(ida, 'ida', yes)).toMatchObject({ status: 201, body: { wallets: [{ address: getAddress(agreeable) }] } })
    expect(await signIn(newClient(), yes)).toMatchObject({ status: 200, body: { username: 'Ida' } })
    const client = newClient()
    const message = await askToSignIn(client, operator.address)
    expect(await enter(client, message, '0x1234')).toMatchObject({ status: 401 })
    await unlink(hal, 'hal', operator.address)
    await unlink(ida, 'ida', agreeable)
  })

  it('may be contracts that are not deployed yet (ERC-6492)', async () => {
    const jan = await register('Jan')
    const address = '0x00000000000000000000000000000000000000Bb'
    const suffix = '6492'.repeat(16)
    const asked: string[] = []
    const yes: Signer = {
      address,
      signMessage: async ({ message }) => {
        asked.push(hashMessage(message).slice(2))
        return `0x12${suffix}`
      },
    }
    // The validator of the ERC is sent as the code of a creation, with the wallet and the hash in it.
    chain.methods.set('eth_call', (params) => {
      const [{ to, data }] = params as [{ to?: string; data: string }]
      return to === undefined && data.includes(asked.at(-1) ?? 'none') && data.includes(address.slice(2).toLowerCase())
        ? '0x01'
        : '0x'
    })
    expect(await link(jan, 'jan', yes)).toMatchObject({ status: 201 })
    expect(await signIn(newClient(), yes)).toMatchObject({ status: 200, body: { username: 'Jan' } })
    await unlink(jan, 'jan', address)
  })

  it('that are no plain ones are reported when the node does not answer', async () => {
    chain.methods.set('eth_call', () => {
      throw new Failure('rpc-unavailable', 'No node answers', { retryable: true })
    })
    const yes: Signer = { address: agreeable, signMessage: async () => '0x1234' }
    expect(await signIn(newClient(), yes)).toMatchObject({
      status: 503,
      body: { error: expect.stringContaining('a contract wallet cannot be checked') },
    })
  })

  it('say what is wrong with what came', async () => {
    const client = newClient()
    for (const walletAddress of [undefined, '0x12', 7])
      expect(await client.call('POST', '/api/sign-in/wallet/challenge', { walletAddress })).toMatchObject({
        status: 400,
        body: { error: 'walletAddress: expected an address, 0x and 40 hexadecimal digits' },
      })
    const message = await askToSignIn(client, demoUser.address)
    for (const signature of [undefined, '0x', '0x1', `0x${'11'.repeat(4_200)}`])
      expect(await client.call('POST', '/api/sign-in/wallet', { message, signature })).toMatchObject({
        status: 400,
        body: { error: 'signature: expected 0x and hexadecimal digits, 8194 characters at most' },
      })
    for (const text of [undefined, 'Sign in', 'x'.repeat(3_000)])
      expect(await client.call('POST', '/api/sign-in/wallet', { message: text, signature: '0x11' })).toMatchObject({
        status: 400,
        body: { error: 'message: expected the signed text of Sign-In with Ethereum (EIP-4361)' },
      })
  })
})
