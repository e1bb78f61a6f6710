import type { WireSecurity } from '@chainboard/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FakeChain } from '../chain/fakeChain.ts'
import { type Server, startServer } from '../startServer.ts'
import { type AccountClient, createAccountClient } from '../testing/accountClient.ts'
import { createSoftPasskey, type SoftPasskey } from '../testing/softPasskey.ts'
import { createTempStores, engines } from '../testing/tempStores.ts'
import { testConfig } from '../testing/testConfig.ts'

const stores = createTempStores()
const origin = 'https://board.example'
const pin = '4711'
const notLinked = { status: 401, body: { error: 'This passkey is not linked here. Use another one, or your PIN' } }
const foreign = { status: 401, body: { error: 'This was not signed for this site, browser and purpose: start again' } }

type Request = Parameters<SoftPasskey['get']>[0]
type Creation = Parameters<SoftPasskey['create']>[0]
type Lie = NonNullable<Parameters<SoftPasskey['get']>[1]>

describe.each(engines)('passkeys on %s', (engine) => {
  let server: Server
  beforeAll(async () => {
    server = await startServer(testConfig({ store: await stores.locate(engine), proxies: 1 }), new FakeChain())
  })
  afterAll(() => server.close())

  let addresses = 0
  const newClient = () => {
    addresses += 1
    return createAccountClient(server.app, `198.51.100.${addresses}`)
  }
  const register = async (username: string) => {
    const client = newClient()
    expect(await client.call('POST', '/api/users', { username, pin })).toMatchObject({ status: 201 })
    return client
  }
  const optionsOf = async <T>(client: AccountClient, url: string, body: object): Promise<T> => {
    const answer = await client.call('POST', url, body)
    expect(answer).toMatchObject({ status: 200 })
    return (answer.body as { options: T }).options
  }
  const askToLink = (client: AccountClient, name: string, proof: object = { pin }) =>
    optionsOf<Creation>(client, `/api/users/${name}/passkeys/challenge`, { proof })
  const askToSignIn = (client: AccountClient) => optionsOf<Request>(client, '/api/sign-in/passkey/challenge', {})
  const askToConfirm = (client: AccountClient, name: string, purpose: string) =>
    optionsOf<Request>(client, `/api/users/${name}/confirm/passkey`, { purpose })
  const link = async (client: AccountClient, name: string, passkey: SoftPasskey, lie: Lie = {}) =>
    client.call('POST', `/api/users/${name}/passkeys`, {
      response: passkey.create(await askToLink(client, name), lie),
      name: 'Phone',
    })
  const signIn = async (client: AccountClient, passkey: SoftPasskey, lie: Lie = {}) =>
    client.call('POST', '/api/sign-in/passkey', { response: passkey.get(await askToSignIn(client), lie) })

  it('are linked with the PIN, listed, and sign their owner in anywhere without a name', async () => {
    const ann = await register('Ann')
    const [phone, key] = [createSoftPasskey(origin), createSoftPasskey(origin)]
    expect(await link(ann, 'ann', phone)).toMatchObject({
      status: 201,
      body: { passkeys: [{ name: 'Phone', lastUsedAt: null }], wallets: [] },
    })
    expect(await link(ann, 'ann', key)).toMatchObject({ status: 201, body: { passkeys: [{}, {}] } })
    const elsewhere = newClient()
    expect(await signIn(elsewhere, key)).toMatchObject({ status: 200, body: { username: 'Ann', wallets: [] } })
    expect(await elsewhere.call('GET', '/api/users/ann')).toMatchObject({ status: 200 })
    const { body } = await elsewhere.call('GET', '/api/users/ann/sign-in-methods')
    const used = (body as { passkeys: { lastUsedAt: number | null }[] }).passkeys.map(({ lastUsedAt }) => lastUsedAt !== null)
    expect(used.sort()).toEqual([false, true])
  })

  it('are announced to the other sessions of their owner when they are added', async () => {
    const [eva, phone] = [await register('Eva'), newClient()]
    expect(await phone.call('POST', '/api/users/eva/verify-pin', { pin })).toMatchObject({ status: 200 })
    const noticesOf = async (client: AccountClient) =>
      ((await client.call('GET', '/api/users/eva/security')).body as WireSecurity).notices.map(({ kind }) => kind)
    const passkey = createSoftPasskey(origin)
    expect(await link(eva, 'eva', passkey)).toMatchObject({ status: 201 })
    expect(await link(eva, 'eva', passkey)).toMatchObject({ status: 409 })
    expect([await noticesOf(eva), await noticesOf(phone)]).toEqual([['signIn'], ['passkeyAdded']])
  })

  it('are asked of a browser so that it finds them without a name, and makes no second in one authenticator', async () => {
    const ben = await register('Ben')
    const passkey = createSoftPasskey(origin)
    expect(await askToLink(ben, 'ben')).toMatchObject({
      rp: { id: 'board.example', name: 'Testboard' },
      user: { name: 'Ben', displayName: 'Ben' },
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      attestation: 'none',
      excludeCredentials: [],
    })
    await link(ben, 'ben', passkey)
    expect(await askToLink(ben, 'ben')).toMatchObject({
      excludeCredentials: [{ type: 'public-key', id: passkey.id, transports: ['internal', 'hybrid'] }],
    })
    expect(await askToSignIn(newClient())).toMatchObject({
      rpId: 'board.example',
      userVerification: 'required',
      allowCredentials: [],
    })
  })

  it('let their owner in at once while strangers have closed the PIN to everybody new', async () => {
    const cid = await register('Cid')
    const passkey = createSoftPasskey(origin)
    await link(cid, 'cid', passkey)
    const abroad = newClient()
    const wrong = async () => (await abroad.call('POST', '/api/users/cid/verify-pin', { pin: '0000' })).status
    const tries: number[] = []
    while (tries.at(-1) !== 429 && tries.length < 10) tries.push(await wrong())
    expect(tries).toEqual([401, 401, 401, 429])
    expect(await abroad.call('POST', '/api/users/cid/verify-pin', { pin })).toMatchObject({ status: 429 })
    expect(await signIn(abroad, passkey)).toMatchObject({ status: 200, body: { username: 'Cid' } })
  })

  it('are linked whatever their authenticator attests, which is not read', async () => {
    const mo = await register('Mo')
    const passkey = createSoftPasskey(origin)
    // {"fmt": "android-key", "attStmt": {"x5c": []}}: its certificates may name addresses that whoever checks them calls.
    const attestation = Buffer.from('63666d746b616e64726f69642d6b65796761747453746d74a16378356380', 'hex')
    expect(await link(mo, 'mo', passkey, { attestation })).toMatchObject({ status: 201 })
    expect(await signIn(newClient(), passkey)).toMatchObject({ status: 200, body: { username: 'Mo' } })
    for (const broken of ['', '63666d74', 'ff'])
      expect(await link(mo, 'mo', createSoftPasskey(origin), { attestation: Buffer.from(broken, 'hex') })).toMatchObject({
        status: 401,
        body: { error: 'The passkey could not be checked: start again' },
      })
  })

  it('answer a challenge once, also at the same moment', async () => {
    const dan = await register('Dan')
    const passkey = createSoftPasskey(origin)
    await link(dan, 'dan', passkey)
    const client = newClient()
    const response = passkey.get(await askToSignIn(client))
    const cookie = `__Host-challenge=${client.cookies.get('__Host-challenge')}`
    const send = () => newClient().call('POST', '/api/sign-in/passkey', { response }, { cookie })
    const answers = await Promise.all([1, 2, 3, 4].map(send))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409])
    expect(await send()).toMatchObject({ status: 409, body: { error: 'This has already been used: start again' } })
  })

  it.each<[string, Lie]>([
    ['for another origin', { origin: 'https://evil.example' }],
    ['for another port of this host', { origin: 'https://board.example:8443' }],
    ['for a parent domain', { rpId: 'example' }],
    ['without having verified its user', { verified: false }],
    ['as one that was just made', { type: 'webauthn.create' }],
    ["for another user's account", { userHandle: 'c29tZWJvZHk' }],
  ])('do not count when the authenticator answers %s', async (what, lie) => {
    const name = `eve${what.length}`
    const eve = await register(name)
    const passkey = createSoftPasskey(origin)
    await link(eve, name, passkey)
    expect(await signIn(newClient(), passkey, lie)).toMatchObject(notLinked)
    expect(await signIn(newClient(), passkey)).toMatchObject({ status: 200 })
    // Nor are they linked.
    if (!('type' in lie || 'userHandle' in lie))
      expect(await link(eve, name, createSoftPasskey(origin), lie)).toMatchObject({ status: 401 })
  })

  it('say the same of one that nobody has, and of one that another has signed for', async () => {
    const fay = await register('Fay')
    const passkey = createSoftPasskey(origin)
    await link(fay, 'fay', passkey)
    const forged = createSoftPasskey(origin, Buffer.from(passkey.id, 'base64url'))
    const { user } = await askToLink(fay, 'fay')
    for (const stranger of [createSoftPasskey(origin), forged])
      expect(await signIn(newClient(), stranger, { userHandle: user.id })).toMatchObject(notLinked)
  })

  it('count for nothing in another browser, for another purpose, or from another site', async () => {
    const [gil, other] = [await register('Gil'), newClient()]
    const passkey = createSoftPasskey(origin)
    await link(gil, 'gil', passkey)
    const post = (client: AccountClient, response: object, headers = {}) =>
      client.call('POST', '/api/sign-in/passkey', { response }, headers)
    // An answer that somebody else got, planted in a victim's browser.
    const response = passkey.get(await askToSignIn(newClient()))
    expect(await post(other, response)).toMatchObject(foreign)
    await askToSignIn(other)
    expect(await post(other, response)).toMatchObject(foreign)
    for (const purpose of ['confirm-link', 'confirm-removal', 'confirm-pin'])
      expect(await post(gil, passkey.get(await askToConfirm(gil, 'gil', purpose)))).toMatchObject(foreign)
    const own = passkey.get(await askToSignIn(other))
    expect(await post(other, own, { origin: 'https://evil.example' })).toMatchObject({ status: 403 })
    expect(await post(other, own, { origin })).toMatchObject({ status: 200 })
  })

  it('are refused when their counter does not grow, as that of a copy does not', async () => {
    const hal = await register('Hal')
    const passkey = createSoftPasskey(origin)
    await link(hal, 'hal', passkey, { count: 7 })
    expect(await signIn(newClient(), passkey, { count: 8 })).toMatchObject({ status: 200 })
    for (const count of [8, 3, 0])
      expect(await signIn(newClient(), passkey, { count })).toMatchObject({
        status: 401,
        body: {
          error: 'The counter of this passkey went back, so there may be a copy of it. Sign in another way and remove it',
        },
      })
    expect(await signIn(newClient(), passkey, { count: 9 })).toMatchObject({ status: 200 })
  })

  it('are linked by nobody who has but the session', async () => {
    const ida = await register('Ida')
    const passkey = createSoftPasskey(origin)
    await link(ida, 'ida', passkey)
    const thief = newClient()
    const cookie = `__Host-session=${ida.cookies.get('__Host-session')}`
    const ask = (proof?: object) => thief.call('POST', '/api/users/ida/passkeys/challenge', { proof }, { cookie })
    expect(await ask()).toMatchObject({ status: 400, body: { error: 'PIN required' } })
    expect(await ask({ pin: '0000' })).toMatchObject({ status: 401, body: { error: 'Invalid PIN' } })
    // With a passkey of his own, whatever it says of whose it is; and with what the owner has signed to come in.
    const own = createSoftPasskey(origin)
    const options = await optionsOf<Request>(thief, '/api/sign-in/passkey/challenge', {})
    expect(await ask({ passkey: own.get(options) })).toMatchObject(notLinked)
    const held = `${cookie}; __Host-challenge=${thief.cookies.get('__Host-challenge')}`
    const replay = { proof: { passkey: passkey.get(options) } }
    expect(await thief.call('POST', '/api/users/ida/passkeys/challenge', replay, { cookie: held })).toMatchObject(foreign)
    // Nor with a challenge of his own account.
    const mallory = await register('Mallory')
    const made = own.create(await askToLink(mallory, 'mallory'))
    const both = `${cookie}; __Host-challenge=${mallory.cookies.get('__Host-challenge')}`
    const linked = await thief.call('POST', '/api/users/ida/passkeys', { response: made }, { cookie: both })
    expect(linked).toMatchObject({ status: 401 })
    // Nor with a passkey that is linked to his own account, and has signed for just this.
    await mallory.call('POST', '/api/users/mallory/passkeys', { response: made })
    const url = '/api/users/ida/confirm/passkey'
    const { body, headers } = await thief.call('POST', url, { purpose: 'confirm-link' }, { cookie: both })
    expect(headers['set-cookie']).toMatch(/^__Host-challenge=/)
    const proof = { passkey: own.get((body as { options: Request }).options) }
    expect(await thief.call('POST', '/api/users/ida/passkeys/challenge', { proof }, { cookie: both })).toMatchObject(notLinked)
    expect(await ida.call('GET', '/api/users/ida/sign-in-methods')).toMatchObject({ body: { passkeys: [{ name: 'Phone' }] } })
  })

  it('belong to one account, and a challenge links one', async () => {
    const [jan, kim] = [await register('Jan'), await register('Kim')]
    const passkey = createSoftPasskey(origin)
    const response = passkey.create(await askToLink(jan, 'jan'))
    expect(await jan.call('POST', '/api/users/jan/passkeys', { response })).toMatchObject({ status: 201 })
    expect(await jan.call('POST', '/api/users/jan/passkeys', { response })).toMatchObject({ status: 409 })
    // Whose id a passkey has costs nothing to claim.
    const claimed = createSoftPasskey(origin, Buffer.from(passkey.id, 'base64url'))
    for (const each of [passkey, claimed])
      expect(await link(kim, 'kim', each)).toMatchObject({ status: 409, body: { error: 'This passkey is already linked' } })
    expect(await signIn(newClient(), passkey)).toMatchObject({ status: 401 })
    expect(await jan.call('DELETE', '/api/users/jan', { pin })).toMatchObject({ status: 204 })
    expect(await link(kim, 'kim', passkey)).toMatchObject({ status: 201 })
    expect(await signIn(newClient(), passkey)).toMatchObject({ status: 200, body: { username: 'Kim' } })
  })

  it('set a new PIN for who has forgotten it, which ends every other session', async () => {
    const lea = await register('Lea')
    const passkey = createSoftPasskey(origin)
    await link(lea, 'lea', passkey)
    const phone = newClient()
    await signIn(phone, passkey)
    const reset = async (purpose: string, body: object) => {
      const proof = { passkey: passkey.get(await askToConfirm(phone, 'lea', purpose)) }
      return phone.call('POST', '/api/users/lea/reset-pin', { proof, ...body })
    }
    expect(await reset('confirm-pin', { pin: '12' })).toMatchObject({ status: 400, body: { error: 'PIN must be 4 digits' } })
    expect(await reset('confirm-link', { pin: '9024' })).toMatchObject(foreign)
    expect(await reset('confirm-pin', { pin: '9024', proof: { pin } })).toMatchObject({ status: 400 })
    expect(await reset('confirm-pin', { pin: '9024' })).toMatchObject({ status: 200, body: { username: 'Lea' } })
    expect(await lea.call('GET', '/api/users/lea')).toMatchObject({ status: 401 })
    expect(await phone.call('GET', '/api/users/lea')).toMatchObject({ status: 200 })
    expect(await newClient().call('POST', '/api/users/lea/verify-pin', { pin })).toMatchObject({ status: 401 })
    const again = newClient()
    expect(await again.call('POST', '/api/users/lea/verify-pin', { pin: '9024' })).toMatchObject({ status: 200 })
    const { notices } = (await again.call('GET', '/api/users/lea/security')).body as WireSecurity
    expect(notices.map(({ kind }) => kind).sort()).toEqual(['passkeyAdded', 'pinReset', 'signIn'])
  })

  it('are removed with a proof, which may be their own, and open nothing then', async () => {
    const [mia, ned] = [await register('Mia'), await register('Ned')]
    const passkey = createSoftPasskey(origin)
    const { body } = await link(mia, 'mia', passkey)
    const [{ id } = { id: '' }] = (body as { passkeys: { id: string }[] }).passkeys
    const remove = (client: AccountClient, name: string, proof: object) =>
      client.call('DELETE', `/api/users/${name}/passkeys/${id}`, { proof })
    expect(await remove(mia, 'mia', { pin: '0000' })).toMatchObject({ status: 401 })
    expect(await remove(ned, 'ned', { pin })).toMatchObject({ status: 404 })
    const proof = { passkey: passkey.get(await askToConfirm(mia, 'mia', 'confirm-removal')) }
    expect(await remove(mia, 'mia', proof)).toMatchObject({ status: 200, body: { passkeys: [], wallets: [] } })
    expect(await signIn(newClient(), passkey)).toMatchObject(notLinked)
  })

  it('say what is wrong with what came, and repeat none of it', async () => {
    const client = newClient()
    for (const response of [undefined, null, 'x', {}, { id: 'ab c', response: {} }, { id: 'x'.repeat(2_000), response: {} }])
      expect(await client.call('POST', '/api/sign-in/passkey', { response })).toMatchObject({
        status: 400,
        body: {
          error: expect.stringMatching(/^response: expected what the browser answered for the passkey, with id in base64url$/),
        },
      })
    const oda = await register('Oda')
    const response = createSoftPasskey(origin).create(await askToLink(oda, 'oda'))
    for (const name of ['x'.repeat(41), 'a\nb', 'a\u202eb', 7])
      expect(await oda.call('POST', '/api/users/oda/passkeys', { response, name })).toMatchObject({
        status: 400,
        body: {
          error: expect.stringMatching(/^name: (expected one line of 40 characters at most|found number, expected text)$/),
        },
      })
  })
})
