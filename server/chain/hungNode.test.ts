import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createViemChain } from './viemChain.ts'

/** Between two questions of somebody who asks all the time: without it, the test alone keeps a core busy. */
const askEveryMs = 20
/** On a machine with much else to do. */
const patience = { timeout: 15_000 }

const header = { number: '0x7', hash: `0x${'aa'.repeat(32)}`, parentHash: `0x${'bb'.repeat(32)}`, timestamp: '0x10' }
const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

type Ask = { readonly id: number; readonly method: string }

/** A node over HTTP that answers every call with the same block, or takes every call and says nothing. */
async function startNode(hangs: boolean, onGone: () => void = () => {}): Promise<{ url: string; methods: string[] }> {
  const methods: string[] = []
  const server = createServer(async (request, response) => {
    response.once('close', onGone)
    let text = ''
    for await (const chunk of request) text += chunk
    const asked = JSON.parse(text) as Ask | Ask[]
    methods.push(...[asked].flat().map(({ method }) => method))
    if (hangs) return
    const answer = ({ id }: Ask) => ({ jsonrpc: '2.0', id, result: header })
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(Array.isArray(asked) ? asked.map(answer) : answer(asked)))
  })
  servers.push(server)
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, methods }
}

describe('the first of two nodes takes every call and answers none', () => {
  it('the chain is never out of contact for 5 s', async () => {
    const [hung, good] = [await startNode(true), await startNode(false)]
    const chain = createViemChain([hung.url, good.url])
    let [contactMs, worstMs] = [performance.now(), 0]
    // Long enough for the hung one to be tried again after its first rest of 1 s.
    const endMs = contactMs + 5_500
    while (performance.now() < endMs) {
      expect((await chain.readHead()).number).toBe(7)
      worstMs = Math.max(worstMs, performance.now() - contactMs)
      contactMs = performance.now()
      await pause(askEveryMs)
    }
    expect(hung.methods.length).toBeGreaterThanOrEqual(2)
    expect(worstMs).toBeLessThan(5_000)
  })

  it('a transaction is sent to one node only', async () => {
    const [hung, good] = [await startNode(true), await startNode(false)]
    const chain = createViemChain([hung.url, good.url], { timeoutMs: 3_000 })
    await expect(chain.forward('eth_sendRawTransaction', ['0x00'])).rejects.toMatchObject({ code: 'rpc-unavailable' })
    expect([hung.methods, good.methods]).toEqual([['eth_sendRawTransaction'], []])
  })

  it('history of it ends at once when it is stopped, and the call under way is ended too', async () => {
    const ended = Promise.withResolvers<void>()
    const hung = await startNode(true, ended.resolve)
    const stop = new AbortController()
    const request = { from: 1, to: 9, topics: [], order: 'up' as const, spanMax: 9, signal: stop.signal }
    const ranges = createViemChain([hung.url], { paced: true }).readHistory(request)[Symbol.asyncIterator]()
    const first = ranges.next()
    await vi.waitUntil(() => hung.methods.length >= 3, patience)
    stop.abort()
    expect(await first).toEqual({ done: true, value: undefined })
    await ended.promise
  })
})

it('two clients of one node never share a request: what fails one fails the other no more', async () => {
  const bodies: number[] = []
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    const asked = JSON.parse(text) as Ask[]
    bodies.push(asked.length)
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(asked.map(({ id }) => ({ jsonrpc: '2.0', id, result: header }))))
  })
  servers.push(server)
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const [one, other] = [createViemChain([url]), createViemChain([url])]
  await Promise.all([one.readHeader(7), one.readHead(), other.readHead()])
  expect(bodies.sort()).toEqual([1, 2])
})
