import { afterEach, beforeEach, expect, test, vi } from 'vitest'

// The page's session against a server that answers from a table. A browser's storage and events stand in for their own.

type Answer = { readonly status: number; readonly body?: unknown; readonly retryAfter?: string }

const bob = { username: 'Bob', wallets: ['0x70997970C51812dc3A010C7d01b50e0d17dc79C8'] }
let kept: Map<string, string>
let tabs: EventTarget
let answers: Record<string, Answer | (() => Answer)>
let asked: string[]

beforeEach(() => {
  kept = new Map()
  tabs = new EventTarget()
  answers = {}
  asked = []
  vi.resetModules()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
    removeItem: (key: string) => kept.delete(key),
  })
  vi.stubGlobal('addEventListener', tabs.addEventListener.bind(tabs))
  vi.stubGlobal('removeEventListener', tabs.removeEventListener.bind(tabs))
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    const call = `${init.method ?? 'GET'} ${url.split('?')[0]}`
    asked.push(init.body ? `${call} ${init.body}` : call)
    const listed = answers[call]
    const answer = typeof listed === 'function' ? listed() : listed
    if (!answer) throw new TypeError('connection lost')
    const headers = answer.retryAfter ? { 'retry-after': answer.retryAfter } : {}
    return new Response(answer.status === 204 ? null : JSON.stringify(answer.body), { status: answer.status, headers })
  })
})

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** The page as it is loaded. */
const load = async () => ({
  ...(await import('./sessionStore.ts')),
  ...(await import('./sessionCommands.ts')),
  ...(await import('./accountCommands.ts')),
})

/** What another tab did to the storage. */
function tellTab(username: string | undefined): void {
  if (username === undefined) kept.delete('username')
  else kept.set('username', username)
  tabs.dispatchEvent(Object.assign(new Event('storage'), { key: 'username' }))
}

const allowLogin = () => {
  answers['POST /api/users/bob/verify-pin'] = { status: 200, body: { success: true } }
  answers['GET /api/users/bob'] = { status: 200, body: bob }
}

test('without a stored name nobody is signed in, and nobody is asked', async () => {
  const { readSession, startSession } = await load()
  startSession()
  expect(readSession()).toEqual({ kind: 'signedOut' })
  expect(asked).toEqual([])
})

test('a stored name is restored with its wallets, and without a PIN', async () => {
  kept.set('username', 'Bob')
  answers['GET /api/users/Bob'] = { status: 200, body: bob }
  const { readSession, readPin, startSession } = await load()
  expect(readSession()).toEqual({ kind: 'loading', username: 'Bob' })
  startSession()
  await vi.waitFor(() => expect(readSession()).toEqual({ kind: 'signedIn', ...bob }), 15_000)
  expect(readPin()).toBeUndefined()
})

test.each([
  ['a session that is over', { status: 401, body: { error: 'Please log in' } }],
  ["another user's session", { status: 403, body: { error: 'You are logged in as another user' } }],
  ['a user who is gone', { status: 404, body: { error: 'User not found' } }],
  ['an answer that is no user', { status: 200, body: null }],
])('%s takes the stored name away', async (_, answer) => {
  kept.set('username', 'Bob')
  answers['GET /api/users/Bob'] = answer
  const { readSession, startSession } = await load()
  startSession()
  await vi.waitFor(() => expect(readSession()).toEqual({ kind: 'signedOut' }), 15_000)
  expect(kept.has('username')).toBe(false)
})

test('a server that is away for a moment signs nobody out; one that stays away does', async () => {
  vi.useFakeTimers()
  kept.set('username', 'Bob')
  let calls = 0
  answers['GET /api/users/Bob'] = () => (++calls < 3 ? { status: 503, body: {} } : { status: 200, body: bob })
  const first = await load()
  first.startSession()
  await vi.advanceTimersByTimeAsync(5_000)
  expect(first.readSession().kind).toBe('signedIn')

  vi.resetModules()
  answers = {}
  const second = await load()
  second.startSession()
  await vi.advanceTimersByTimeAsync(5_000)
  expect(second.readSession().kind).toBe('signedOut')
  expect(kept.has('username')).toBe(false)
})

test('a login stores the name as the server writes it, and keeps the PIN in memory alone', async () => {
  allowLogin()
  const { login, readSession, readPin } = await load()
  expect(await login({ username: 'bob', pin: '0412' })).toBeUndefined()
  expect(readSession()).toEqual({ kind: 'signedIn', ...bob })
  expect(readPin()).toBe('0412')
  expect([...kept]).toEqual([['username', 'Bob']])
  expect(asked).toEqual(['POST /api/users/bob/verify-pin {"pin":"0412"}', 'GET /api/users/bob'])
})

test('a sign-in code goes along when there is one', async () => {
  allowLogin()
  const { login } = await load()
  await login({ username: 'bob', pin: '0412', code: '7KQ2M-XW4PR' })
  expect(asked[0]).toBe('POST /api/users/bob/verify-pin {"pin":"0412","code":"7KQ2M-XW4PR"}')
})

test('a login that fails says why: the server, else the text for the step that failed', async () => {
  const { login, readSession } = await load()
  const tryIt = () => login({ username: 'bob', pin: '0412' })
  expect(await tryIt()).toEqual({ text: 'Login failed' })
  answers['POST /api/users/bob/verify-pin'] = { status: 401, body: { error: 'No such PIN here' } }
  expect(await tryIt()).toEqual({ text: 'No such PIN here', field: 'pin' })
  answers['POST /api/users/bob/verify-pin'] = { status: 429, body: { error: 'Too many attempts.' }, retryAfter: '30' }
  expect(await tryIt()).toEqual({ text: 'Too many attempts.', retryAfterSeconds: 30 })
  answers['POST /api/users/bob/verify-pin'] = { status: 200, body: { success: false } }
  expect(await tryIt()).toEqual({ text: 'Invalid PIN', field: 'pin' })
  answers['POST /api/users/bob/verify-pin'] = { status: 200, body: { success: true } }
  expect(await tryIt()).toEqual({ text: 'Authentication failed' })
  answers['GET /api/users/bob'] = { status: 200, body: null }
  expect(await tryIt()).toEqual({ text: 'User not found', field: 'username' })
  expect(readSession()).toEqual({ kind: 'signedOut' })
  expect(kept.size).toBe(0)
})

test('a name that is a step in a path is nobody, and is not asked for', async () => {
  const { login } = await load()
  expect(await login({ username: '..', pin: '0412' })).toEqual({ text: 'Invalid PIN', field: 'pin' })
  expect(await login({ username: 'a/../b', pin: '0412' })).toEqual({ text: 'Login failed' })
  expect(asked).toEqual(['POST /api/users/a%2F..%2Fb/verify-pin {"pin":"0412"}'])
})

test('a registration signs in; a taken name, an empty answer and a lost connection do not', async () => {
  const { register, readSession, readPin } = await load()
  const tryIt = () => register({ username: 'Bob', pin: '0412' })
  expect(await tryIt()).toEqual({ text: 'Registration failed' })
  answers['POST /api/users'] = { status: 201, body: null }
  expect(await tryIt()).toEqual({ text: 'Registration failed' })
  answers['POST /api/users'] = { status: 409, body: { error: 'Username is already taken' } }
  expect(await tryIt()).toEqual({ text: 'Username is already taken', field: 'username' })
  expect(readSession()).toEqual({ kind: 'signedOut' })
  answers['POST /api/users'] = { status: 201, body: bob }
  expect(await tryIt()).toBeUndefined()
  expect(readSession()).toEqual({ kind: 'signedIn', ...bob })
  expect(readPin()).toBe('0412')
})

test('a logout forgets at once, whatever the server says; the next login waits for it', async () => {
  allowLogin()
  const { login, logout, readSession, readPin } = await load()
  await login({ username: 'bob', pin: '0412' })
  asked = []
  logout()
  expect(readSession()).toEqual({ kind: 'signedOut' })
  expect(readPin()).toBeUndefined()
  expect(kept.has('username')).toBe(false)
  await login({ username: 'bob', pin: '0412' })
  expect(asked.map((call) => call.split(' ')[1])).toEqual(['/api/session/logout', '/api/users/bob/verify-pin', '/api/users/bob'])
})

test('another tab that logs out, or in as somebody else, is followed', async () => {
  allowLogin()
  const { login, startSession, readSession, readPin } = await load()
  const stop = startSession()
  await login({ username: 'bob', pin: '0412' })
  answers['GET /api/users/eve'] = { status: 200, body: { username: 'eve', wallets: [] } }
  tellTab('eve')
  expect(readPin()).toBeUndefined()
  await vi.waitFor(() => expect(readSession()).toEqual({ kind: 'signedIn', username: 'eve', wallets: [] }), 15_000)
  tellTab(undefined)
  expect(readSession()).toEqual({ kind: 'signedOut' })
  stop()
  tellTab('eve')
  expect(readSession()).toEqual({ kind: 'signedOut' })
})

test('a tab whose restoring fails leaves the name alone that another tab has stored since', async () => {
  kept.set('username', 'Bob')
  answers['GET /api/users/Bob'] = () => {
    kept.set('username', 'eve')
    return { status: 403, body: {} }
  }
  const { startSession, readSession } = await load()
  startSession()
  await vi.waitFor(() => expect(readSession().kind).toBe('signedOut'), 15_000)
  expect(kept.get('username')).toBe('eve')
})

test("a wallet's change replaces the user, and nobody else's answer does", async () => {
  allowLogin()
  const { login, readSession, replaceUser } = await load()
  await login({ username: 'bob', pin: '0412' })
  replaceUser({ username: 'Bob', wallets: [] })
  expect(readSession()).toEqual({ kind: 'signedIn', username: 'Bob', wallets: [] })
  replaceUser({ username: 'eve', wallets: ['0x1'] })
  expect(readSession()).toEqual({ kind: 'signedIn', username: 'Bob', wallets: [] })
})

test('deleting the account wants the PIN, and signs out when it worked alone', async () => {
  allowLogin()
  const { login, deleteAccount, readSession } = await load()
  await expect(deleteAccount('0412')).rejects.toThrow('nobody is signed in')
  await login({ username: 'bob', pin: '0412' })
  answers['DELETE /api/users/Bob'] = { status: 401, body: { error: 'Invalid PIN' } }
  await expect(deleteAccount('9999')).rejects.toMatchObject({ serverText: 'Invalid PIN' })
  expect(readSession().kind).toBe('signedIn')
  answers['DELETE /api/users/Bob'] = { status: 204 }
  await deleteAccount('0412')
  expect(readSession()).toEqual({ kind: 'signedOut' })
  expect(asked.at(-1)).toBe('DELETE /api/users/Bob {"pin":"0412"}')
})

test('a sign-in code is made with the PIN', async () => {
  allowLogin()
  const { login, makeSignInCode } = await load()
  await login({ username: 'bob', pin: '0412' })
  answers['POST /api/users/Bob/sign-in-code'] = { status: 201, body: { code: '7KQ2M-XW4PR', expiresAt: 1_900_000_000 } }
  expect(await makeSignInCode('0412')).toEqual({ code: '7KQ2M-XW4PR', expiresAt: 1_900_000_000 })
  expect(asked.at(-1)).toBe('POST /api/users/Bob/sign-in-code {"pin":"0412"}')
})
