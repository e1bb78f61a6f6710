import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { listForms } from '../testing/listForms.ts'
import { sendRaw } from '../testing/sendRaw.ts'
import { startServerProcess } from '../testing/serverProcess.ts'
import { createTempStores } from '../testing/tempStores.ts'

const stores = createTempStores()

it('no PIN, cookie, code, hash or pepper is in what the server writes at its most talkative, and none but the hash in its data, whatever users do', {
  timeout: 120_000,
}, async () => {
  const given = 'pepper-of-the-log-test-0123456789abcdef'
  const { child, listening, ended, output } = startServerProcess({
    DATA_DIR: stores.dir,
    RPC_URL: 'http://127.0.0.1:9',
    LOG_LEVEL: 'trace',
    PIN_PEPPER: given,
  })
  const url = await listening
  const secrets = new Set([given])
  const answers: string[] = []
  let cookie = ''
  const call = async (method: string, path: string, body?: object | string, headers: Record<string, string> = {}) => {
    const payload = typeof body === 'string' ? body : body && JSON.stringify(body)
    const type = payload ? { 'content-type': 'application/json' } : {}
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: { cookie, ...type, ...headers },
      ...(payload ? { body: payload } : {}),
    })
    const text = await answer.text()
    answers.push(text)
    const set = answer.headers.getSetCookie().map((line) => line.split(';')[0] ?? '')
    for (const pair of set) secrets.add(pair.split('=')[1] ?? '')
    if (set.length > 0) cookie = set.join('; ')
    return { status: answer.status, text }
  }
  const [pin, wrong] = ['8027', '3916']
  const address = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
  expect((await call('POST', '/api/users', { username: 'ann', pin })).status).toBe(201)
  expect((await call('POST', '/api/users/ann/wallets', { address, pin })).status).toBe(200)
  expect((await call('POST', '/api/users/ann/verify-pin', { pin: wrong })).status).toBe(401)
  // What is malformed: PINs where they should not be, half a body, a body of another kind, another site.
  for (const body of [{ pin, [pin]: 1 }, { pin: Number(pin) }, { pin: [pin] }, `{"pin":"${pin}"`, `"${pin}"`])
    expect((await call('POST', '/api/users/ann/verify-pin', body)).status).toBe(400)
  expect((await call('POST', '/api/users/ann/verify-pin', `pin=${pin}`, { 'content-type': 'text/plain' })).status).toBe(400)
  expect((await call('POST', '/api/users/ann/verify-pin', { pin }, { origin: 'https://evil.example' })).status).toBe(403)
  const made = await call('POST', '/api/users/ann/sign-in-code', { pin })
  const { code } = JSON.parse(made.text) as { code: string }
  answers.pop()
  secrets.add(code)
  expect((await call('POST', '/api/users/ann/verify-pin', { pin, code })).status).toBe(200)
  for (let i = 0; i < 5; i += 1) await call('POST', '/api/users/bob/verify-pin', { pin: wrong })
  expect((await call('DELETE', `/api/users/ann/wallets/${address}`, { pin })).status).toBe(200)
  expect((await call('POST', '/api/session/logout')).status).toBe(204)
  expect((await call('POST', '/api/users/ann/verify-pin', { pin })).status).toBe(200)
  expect((await call('DELETE', '/api/users/ann', { pin })).status).toBe(204)

  const folder = join(stores.dir, 'devnet')
  const data = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'latin1'))
  expect(data.join()).toContain('$argon2id$')

  // What is no HTTP: half a line between a form's headers, more form than was said.
  const form = JSON.stringify({ username: 'ann', pin })
  const head = `POST /api/users/ann/verify-pin HTTP/1.1\r\nHost: localhost\r\nCookie: ${cookie}\r\nContent-Type: application/json`
  for (const bytes of [
    `${head}\r\nno header\r\nContent-Length: ${form.length}\r\n\r\n${form}`,
    `${head}\r\nContent-Length: 2\r\n\r\n{}${form}`,
  ])
    expect(await sendRaw(url, bytes)).toMatch(/^HTTP\/1.1 400 /)

  // A bug behind a route: what is logged of it is whole, and still without what the caller sent.
  const store = await stores.open({ file: join(stores.dir, 'devnet', 'chainboard.db') })
  await store.write((tx) => tx.schema.alterTable('users').renameColumn('key', 'gone').execute())
  expect((await call('POST', '/api/users', { username: 'cid', pin })).status).toBe(500)
  expect((await call('POST', '/api/users/ann/verify-pin', { pin: wrong })).status).toBe(500)
  child.kill('SIGTERM')
  await ended

  expect(output()).toContain('A request failed because of a bug')
  expect(output().match(/"code":"HPE_\w+","msg":"A request could not be read"/g)).toHaveLength(2)
  for (const form of [...listForms(`"pin":"${pin}"`), ...listForms(`"pin":"${wrong}"`)]) expect(output()).not.toContain(form)
  expect(secrets.size).toBeGreaterThan(6)
  for (const text of [output(), ...answers, ...data])
    for (const secret of secrets) for (const form of secret ? listForms(secret) : []) expect(text).not.toContain(form)
  for (const text of data) expect(text).not.toMatch(new RegExp(`(?<![\\w+/])(${pin}|${wrong})(?![\\w+/])`))
  for (const text of [output(), ...answers]) {
    expect(text).not.toMatch(/argon2/i)
    // As a number of its own: moments, process ids and the folder of the run, which is named after one, may hold the digits.
    expect(text.replaceAll(/"(time|pid)":\d+|chainboard-run-\d+/g, '')).not.toMatch(
      new RegExp(`(?<!\\d)(${pin}|${wrong})(?!\\d)`),
    )
  }
})
