import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { forkChild } from '../children.ts'
import { receive } from '../receive.ts'
import { serveHttp } from '../testing/serveHttp.ts'
import { type Pace, pacedSchema } from './pace.ts'

/** On a machine with much else to do. */
const waiting = { timeout: 15_000 }

const patience = { what: 'the client', msMax: 30_000, signal: new AbortController().signal }

function startClient(pace: Pace) {
  const client = forkChild('the client', join(import.meta.dirname, 'pacedClient.ts'))
  onTestFinished(() => client.stop())
  client.process.send(pace)
  return () => {
    const told = receive(client, pacedSchema, patience)
    client.process.send('report')
    return told
  }
}

it('sends requests at its rate, to all paths in turn and with its key', async () => {
  const seen = { paths: new Map<string, number>(), keys: new Set<unknown>(), all: 0 }
  const { url } = await serveHttp((request, response) => {
    const { url: path = '', headers } = request
    seen.paths.set(path, (seen.paths.get(path) ?? 0) + 1)
    seen.keys.add(headers['x-api-key'])
    seen.all += 1
    response.writeHead(path === '/b' ? 404 : 200).end()
  })
  const report = startClient({ url, paths: ['/a', '/b'], key: 'the key', perSecond: 100 })
  await vi.waitUntil(() => seen.all >= 60, waiting)
  const { statuses, ms } = await report()
  const [ok = 0, missing = 0] = [statuses[200], statuses[404]]
  // In turn, but for what the 32 connections have under way.
  expect(Math.abs(ok - missing)).toBeLessThanOrEqual(32)
  expect(seen.keys).toEqual(new Set(['the key']))
  // 100 a second, never more: the client may start late on a busy machine.
  expect(ok + missing).toBeLessThanOrEqual(Math.ceil(ms / 10))
})

it('counts what it could not send while too many requests wait', async () => {
  let open = 0
  const { url } = await serveHttp(() => {
    open += 1
  })
  const report = startClient({ url, paths: ['/'], key: '', perSecond: 100_000 })
  // As many connections as it has: none of them is answered.
  await vi.waitUntil(() => open === 32, waiting)
  await vi.waitUntil(async () => ((await report()).statuses['late'] ?? 0) > 0, waiting)
  expect(Object.keys((await report()).statuses)).toEqual(['late'])
})

it('counts the errors of connections by their message', async () => {
  const { url } = await serveHttp((request) => void request.socket.destroy())
  const report = startClient({ url, paths: ['/'], key: '' })
  await vi.waitUntil(async () => ((await report()).statuses['socket hang up'] ?? 0) > 10, waiting)
})
