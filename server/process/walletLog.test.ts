import { join } from 'node:path'
import { expect, it } from 'vitest'
import { startServerProcess } from '../testing/serverProcess.ts'
import { signProof, stranger } from '../testing/signProof.ts'
import { createTempStores } from '../testing/tempStores.ts'

const stores = createTempStores()

it('no wallet that somebody looks at is in what the server writes at its most talkative, whatever fails', {
  timeout: 120_000,
}, async () => {
  const { child, listening, ended, output } = startServerProcess({
    DATA_DIR: stores.dir,
    RPC_URL: 'http://127.0.0.1:9',
    LOG_LEVEL: 'trace',
  })
  const url = await listening
  let cookie = ''
  const call = async (method: string, path: string, body?: object) => {
    const headers = { cookie, ...(body ? { 'content-type': 'application/json' } : {}) }
    const answer = await fetch(`${url}${path}`, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) })
    const set = answer.headers.getSetCookie().map((line) => line.split(';')[0] ?? '')
    if (set.length > 0) cookie = set.join('; ')
    return answer.status
  }
  const { address } = stranger
  const [pin, shouted] = ['8027', `0x${address.slice(2).toUpperCase()}`]
  const staking = '0x1111111111111111111111111111111111111111'
  // The node is down, so that nothing of a wallet can be read.
  expect(await call('GET', `/api/wallets/${address}/balance`)).toBe(502)
  expect(await call('GET', `/api/wallets/${address.toLowerCase()}/balance`)).toBe(502)
  await call('GET', `/api/wallets/${shouted}/balance`)
  await call('GET', `/api/wallets/${address}/nothing?wallet=${address}`)
  await call('GET', `/api/staking/${staking}/${address}`)
  const balance = { jsonrpc: '2.0', id: 1, method: 'eth_getBalance', params: [address, 'latest'] }
  expect(await call('POST', '/rpc', balance)).toBe(200)
  await call('POST', '/rpc', [balance, { ...balance, method: 'eth_call', params: [{ to: address }, 'latest'] }])
  await call('POST', '/subgraph', { query: `{ swaps(where: { origin: "${address}" }) { id } ${address} }` })
  const siteName = ((await (await fetch(`${url}/api/config`)).json()) as { siteName: string }).siteName
  const proof = await signProof(stranger, { siteName, domain: new URL(url).host })
  await call('POST', '/api/keys/generate-free', proof)
  await call('POST', '/api/keys/generate-free', { ...proof, signature: '0x00' })
  expect(await call('POST', '/api/users', { username: 'ann', pin })).toBe(201)
  expect(await call('POST', '/api/users/ann/wallets', { address, pin })).toBe(200)
  // Bugs behind routes, of which the log has everything else.
  const store = await stores.open({ file: join(stores.dir, 'devnet', 'chainboard.db') })
  await store.write((tx) => tx.schema.alterTable('user_wallets').renameColumn('address', 'gone').execute())
  for (const column of ['id', 'wallet'])
    await store.write((tx) => tx.schema.alterTable('api_keys').renameColumn(column, `${column}_gone`).execute())
  expect(await call('POST', '/api/users/ann/wallets', { address, pin })).toBe(500)
  expect(await call('DELETE', `/api/users/ann/wallets/${address}`, { pin })).toBe(500)
  await call('POST', '/api/keys/generate-free', await signProof(stranger, { siteName, domain: new URL(url).host }))
  child.kill('SIGTERM')
  await ended

  expect(output()).toContain('The balances of 0x… cannot be read')
  expect(output()).toContain('A request failed because of a bug')
  expect(output().toLowerCase()).not.toContain(address.slice(2).toLowerCase())
})
