import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { listForms } from '../testing/listForms.ts'
import { sendRaw } from '../testing/sendRaw.ts'
import { startServerProcess } from '../testing/serverProcess.ts'
import { demoUser, operator, type SignedProof, signProof } from '../testing/signProof.ts'
import { createTempStores } from '../testing/tempStores.ts'

const stores = createTempStores()

it('no key, signature or signed message is in what the server writes at its most talkative, nor in its data, whatever is done with them', {
  timeout: 120_000,
}, async () => {
  const { child, listening, ended, output } = startServerProcess({
    DATA_DIR: stores.dir,
    RPC_URL: 'http://127.0.0.1:9',
    LOG_LEVEL: 'trace',
    PUBLIC_URL: 'https://board.example',
    PROXIES: '1',
  })
  const url = await listening
  const secrets = new Set<string>()
  const errors: string[] = []
  const visitor = '203.0.113.77'
  const sign = async (...[account, words]: Parameters<typeof signProof>): Promise<SignedProof> => {
    const proof = await signProof(account, { siteName: 'Chainboard', ...words })
    secrets.add(proof.signature.slice(2, 100)).add(proof.message)
    return proof
  }
  const call = async (path: string, body: object | string, key?: string) => {
    const headers = { 'content-type': 'application/json', 'x-forwarded-for': visitor, ...(key ? { 'x-api-key': key } : {}) }
    const payload = typeof body === 'string' ? body : JSON.stringify(body)
    const answer = await fetch(`${url}${path}`, { method: 'POST', headers, body: payload })
    const text = await answer.text()
    if (answer.status >= 400) errors.push(text)
    return { status: answer.status, text }
  }
  const makeFree = async () => {
    const { status, text } = await call('/api/keys/generate-free', await sign(demoUser))
    expect(status, text).toBe(201)
    const { key } = JSON.parse(text) as { key: string }
    secrets.add(key)
    return key
  }
  /** Once with the key and once without one; the price API may be there or not. */
  const use = async (key: string) => {
    for (const headers of [{ 'x-api-key': key }, {}])
      await (await fetch(`${url}/api/v1/prices`, { headers: { ...headers, 'x-forwarded-for': visitor } })).text()
  }

  const first = await makeFree()
  await use(first)
  const second = await makeFree()
  await Promise.all([use(first), use(second), use(`${second}x`)])
  const used = await sign(demoUser)
  expect((await call('/api/keys/generate-free', used)).status).toBe(201)
  expect((await call('/api/keys/generate-free', used)).status).toBe(409)
  const alien = await sign(demoUser, { domain: 'evil.example' })
  expect((await call('/api/keys/generate-free', alien)).status).toBe(401)
  // Signed by another wallet: the chain would have to be asked, and is not there.
  const forged = { ...(await sign(operator, { wallet: demoUser.address })), walletAddress: demoUser.address }
  expect((await call('/api/keys/generate-free', forged)).status).toBe(503)

  const login = await sign(operator, { purpose: 'Admin Login' })
  expect((await call('/api/admin/verify', login)).status).toBe(200)
  expect((await call('/api/admin/verify', await sign(demoUser, { purpose: 'Admin Login' }))).status).toBe(403)
  const created = await call('/api/admin/keys', { ...login, email: 'dev@example.org' })
  expect(created.status).toBe(201)
  const { key } = JSON.parse(created.text) as { key: { id: string; fullId: string } }
  secrets.add(key.id)
  await use(key.id)
  expect((await call('/api/admin/keys/list', login)).text).not.toContain(key.id)
  expect((await call('/api/admin/stats', login)).status).toBe(200)
  // The key itself in the address, right and wrong.
  expect((await call(`/api/admin/keys/${key.id}/update`, { ...login, note: 'by its key' })).status).toBe(200)
  expect((await call(`/api/admin/keys/${key.id}/update`, { ...login, status: 'gone' })).status).toBe(400)
  expect((await call(`/api/admin/keys/${key.id.slice(0, -1)}/delete`, login)).status).toBe(404)
  // What is malformed: half a body, fields that are none, keys and signatures where they should not be.
  const { signature, message } = login
  for (const body of [
    `{"signature":"${signature}"`,
    { ...login, [signature]: 1 },
    { ...login, message: [message] },
    { ...login, walletAddress: key.id },
    { ...login, message: `${message}\n${key.id}` },
    { ...login, before: key.id },
    `"${key.id}"`,
  ])
    expect((await call('/api/admin/acts', body)).status).toBe(400)
  expect((await call('/api/admin/acts', login)).status).toBe(200)

  // What is no HTTP: a byte that no header may have after the key, more body than was said, half a line between a login's headers.
  const form = JSON.stringify(login)
  const jsonHead = 'Host: x\r\nContent-Type: application/json'
  for (const bytes of [
    `GET /api/v1/prices HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key.id}\r\nX-Note: caf\x01\r\n\r\n`,
    `GET /api/v1/prices HTTP/1.1\r\nX-API-Key: ${key.id}\r\n${'x'.repeat(40_000)}\r\n\r\n`,
    `POST /api/keys/generate-free HTTP/1.1\r\n${jsonHead}\r\nContent-Length: ${form.length - 300}\r\n\r\n${form}`,
    `POST /api/admin/verify HTTP/1.1\r\n${jsonHead}\r\nno header\r\nContent-Length: ${form.length}\r\n\r\n${form}`,
  ])
    expect(await sendRaw(url, bytes)).toMatch(/^HTTP\/1.1 (400|431) /)

  const folder = join(stores.dir, 'devnet')
  const readData = () => readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'latin1')] as const)
  const data = readData()
  expect(data.map(([name]) => name)).toEqual(expect.arrayContaining(['chainboard.db', 'chainboard.db-wal']))
  expect(data.map(([, text]) => text).join()).toContain('by its key')

  // A bug behind a route: what is logged of it is whole, and still without what the caller sent.
  const store = await stores.open({ file: join(folder, 'chainboard.db') })
  for (const column of ['id', 'wallet'])
    await store.write((tx) => tx.schema.alterTable('api_keys').renameColumn(column, `${column}_gone`).execute())
  expect((await call('/api/keys/generate-free', await sign(demoUser))).status).toBe(500)
  expect((await call(`/api/admin/keys/${key.id}/update`, { ...login, note: 'x' })).status).toBe(500)
  expect((await call('/api/admin/logout', login)).status).toBe(200)
  child.kill('SIGTERM')
  await ended

  expect(output()).toContain('A request failed because of a bug')
  expect(output().match(/"code":"HPE_\w+","msg":"A request could not be read"/g)).toHaveLength(4)
  expect(secrets.size).toBeGreaterThan(12)
  for (const [name, text] of [['logs', output()], ['errors', errors.join('\n')], ...data, ...readData()] as const) {
    for (const form of [...secrets].flatMap(listForms)) expect(text.includes(form), `${form} in ${name}`).toBe(false)
    if (name !== 'errors') expect(text.includes(visitor), `the visitor's address in ${name}`).toBe(false)
  }
})
