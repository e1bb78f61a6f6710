import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test, vi } from 'vitest'
import { RequestError } from '../../lib/fetchJson.ts'
import { changeWallets, describeChangeFailure } from './changeWallets.ts'

const address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

afterEach(() => vi.unstubAllGlobals())

/** A server that says what it was asked. */
async function listen(): Promise<{ asked: string[]; close: () => void }> {
  const asked: string[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    asked.push(`${request.method} ${request.url?.replace(/_=.*/, '_')} ${body}`)
    response.setHeader('content-type', 'application/json').end('{"username":"ada","wallets":[]}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { fetch } = globalThis
  vi.stubGlobal('fetch', (path: string, init: RequestInit) => fetch(`${origin}${path}`, init))
  return { asked, close: () => server.close() }
}

test('a typed PIN proves the change; without one the remembered one does', async () => {
  const { asked, close } = await listen()
  const holder = { username: 'ada', rememberedPin: () => '9999' }
  expect(await changeWallets(holder, { kind: 'add', address }, '1234')).toEqual({ username: 'ada', wallets: [] })
  await changeWallets(holder, { kind: 'remove', address }, '')
  expect(asked).toEqual([
    `POST /api/users/ada/wallets?_ {"address":"${address}","pin":"1234"}`,
    `DELETE /api/users/ada/wallets/${address}?_ {"pin":"9999"}`,
  ])
  close()
})

test('without any PIN nothing is asked', async () => {
  const { asked, close } = await listen()
  const change = changeWallets({ username: 'ada', rememberedPin: () => undefined }, { kind: 'add', address }, '')
  const failure = await change.catch((error: unknown) => error)
  expect(describeChangeFailure('add', failure)).toBe('PIN required')
  expect(asked).toEqual([])
  close()
})

test("a failure is reported in the server's words, else in those of the specification", () => {
  expect(describeChangeFailure('add', new RequestError('x', { status: 401, serverText: 'Invalid PIN' }))).toBe('Invalid PIN')
  expect(describeChangeFailure('add', new RequestError('x', { status: 500 }))).toBe('Failed to add wallet')
  expect(describeChangeFailure('remove', new TypeError('x'))).toBe('Failed to remove wallet')
})
