import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { forkChild } from '../children.ts'
import { receive } from '../receive.ts'
import { serveHttp } from '../testing/serveHttp.ts'
import { type Load, loadedSchema } from './measure.ts'

const patience = { what: 'the client', msMax: 30_000, signal: new AbortController().signal }

async function load(facts: Load) {
  const client = forkChild('the client', join(import.meta.dirname, 'loadClient.ts'))
  onTestFinished(() => client.stop())
  const loaded = receive(client, loadedSchema, patience)
  client.process.send(facts)
  return loaded
}

it('counts answers by status and the bytes of their bodies, over kept connections', async () => {
  const seen = { paths: new Map<string, number>(), connections: new Set<unknown>() }
  const { port } = await serveHttp((request, response) => {
    seen.connections.add(request.socket)
    const { url = '' } = request
    seen.paths.set(url, (seen.paths.get(url) ?? 0) + 1)
    if (url === '/unchanged') return response.writeHead(304).end()
    const body = url === '/long' ? 'x'.repeat(100_000) : 'no'
    return response.writeHead(url === '/long' ? 200 : 503, { 'content-length': body.length }).end(body)
  })
  const requests = ['/long', '/busy', '/unchanged'].map((path) => `GET ${path} HTTP/1.1\r\nHost: bench.example\r\n\r\n`)
  const { statuses, bytes, ms } = await load({ port, requests, connections: 3, ms: 300 })
  const counted = { 200: seen.paths.get('/long'), 503: seen.paths.get('/busy'), 304: seen.paths.get('/unchanged') }
  expect(statuses).toEqual(counted)
  expect(bytes).toBe(100_000 * (counted[200] ?? 0) + 2 * (counted[503] ?? 0))
  expect(seen.connections.size).toBe(3)
  expect(ms).toBeGreaterThanOrEqual(300)
})

it('waits for its moment, so that several clients begin together', async () => {
  let firstMs = Number.POSITIVE_INFINITY
  const { port } = await serveHttp((_, response) => {
    firstMs = Math.min(firstMs, Date.now())
    response.writeHead(200, { 'content-length': 0 }).end()
  })
  const startAtMs = Date.now() + 1_500
  await load({ port, requests: ['GET / HTTP/1.1\r\nHost: bench.example\r\n\r\n'], connections: 1, ms: 50, startAtMs })
  expect(firstMs).toBeGreaterThanOrEqual(startAtMs)
})
