import { expect, it } from 'vitest'
import { startServerProcess } from '../testing/serverProcess.ts'
import { createTempStores } from '../testing/tempStores.ts'

const stores = createTempStores()

it('behind a proxy, with PROXIES left at 0, no visitor is known by the network, and the log says once what to do', async () => {
  const { child, listening, ended, output } = startServerProcess({
    DATA_DIR: stores.dir,
    RPC_URL: 'http://127.0.0.1:9',
    LOG_LEVEL: 'warn',
  })
  const url = await listening
  const post = async (path: string, body: object, headers = {}) => {
    const sent = { 'content-type': 'application/json', ...headers }
    return (await fetch(`${url}${path}`, { method: 'POST', headers: sent, body: JSON.stringify(body) })).status
  }
  const forwarded = { 'x-forwarded-for': '198.51.100.1' }
  expect(await post('/api/users', { username: 'ann', pin: '4711' }, forwarded)).toBe(201)
  expect(await post('/api/users', { username: 'bob', pin: '4711' }, { forwarded: 'for=198.51.100.2' })).toBe(201)
  // A stranger may be wrong with an easy PIN on one name; on a network that all are known from it could be tried on each.
  expect(await post('/api/users/ann/verify-pin', { pin: '0001' }, forwarded)).toBe(401)
  expect(await post('/api/users/bob/verify-pin', { pin: '0001' })).toBe(429)
  expect(await post('/api/users/bob/verify-pin', { pin: '4711' }, forwarded)).toBe(200)
  child.kill('SIGTERM')
  await ended
  const warnings = output()
    .split('\n')
    .filter((line) => line.includes('PROXIES is 0'))
  expect(warnings).toHaveLength(1)
  expect(warnings[0]).toContain('Set PROXIES to the number of addresses that your proxies put into X-Forwarded-For')
})
