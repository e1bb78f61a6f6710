import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { isRedirect } from './isRedirect.ts'
import { postJson, readCorsHeaders } from './postJson.ts'
import { createViemChain } from './viemChain.ts'

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

async function listen(serve: RequestListener): Promise<string> {
  const server = createServer(serve)
  servers.push(server)
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const key = 'c0ffee00c0ffee00c0ffee00c0ffee00'
const header = { number: '0x7', hash: `0x${'aa'.repeat(32)}`, parentHash: `0x${'bb'.repeat(32)}`, timestamp: '0x10' }
type Ask = { readonly id: number }

/** A node that leads to another one, which would answer. `reached`: the requests to that one. */
async function startRedirect(status: number): Promise<{ url: string; reached: string[] }> {
  const reached: string[] = []
  const elsewhere = await listen(async (request, response) => {
    reached.push(`${request.method} ${request.url}`)
    let text = ''
    for await (const chunk of request) text += chunk
    const asked = JSON.parse(text || '[]') as Ask | Ask[]
    const answer = ({ id }: Ask) => ({ jsonrpc: '2.0', id, result: header })
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(Array.isArray(asked) ? asked.map(answer) : answer(asked)))
  })
  // Its words are a refusal's: they count for nothing.
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, error: { code: -32_005, message: 'daily request count exceeded' } })
  const url = await listen((request, response) => {
    request.resume()
    response.writeHead(status, { location: `${elsewhere}/${key}` }).end(body)
  })
  return { url: `${url}/v3/${key}`, reached }
}

describe.each([301, 302, 303, 307, 308])('a node that redirects with HTTP %i', (status) => {
  it.each([
    ['calls that travel together', {}],
    ['single calls', { together: false }],
    ['paced calls', { paced: true }],
  ])('is not followed: %s', async (_, options) => {
    const { url, reached } = await startRedirect(status)
    const chain = createViemChain([url], options)
    const outcomes = [chain.readHead(), chain.forward('eth_call', []), chain.forward('eth_sendRawTransaction', ['0x00'])]
    for (const outcome of await Promise.allSettled(outcomes)) {
      const { reason } = outcome as PromiseRejectedResult
      expect(reason).toMatchObject({
        code: 'rpc-unavailable',
        message: 'The node redirects, and redirects are not followed: use the final URL',
        retryable: true,
      })
      expect(`${JSON.stringify(reason)} ${reason.stack} ${reason.cause?.stack}`).not.toContain(key)
    }
    expect(reached).toEqual([])
  })

  it('is not followed by the doctor, and not before a call of a page', async () => {
    const { url, reached } = await startRedirect(status)
    expect(await postJson({ url, body: { id: 1 }, timeoutMs: 5_000 })).toEqual({ kind: 'status', status })
    expect(await readCorsHeaders(url, 'https://board.example', 5_000)).toBeUndefined()
    expect(reached).toEqual([])
  })
})

it('the next node answers for one that redirects', async () => {
  const { url } = await startRedirect(308)
  const good = await listen(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify((JSON.parse(text) as Ask[]).map(({ id }) => ({ jsonrpc: '2.0', id, result: header }))))
  })
  expect((await createViemChain([url, good]).readHead()).number).toBe(7)
})

it.each([
  [{ status: 0, type: 'opaqueredirect' }, true],
  [{ status: 200, type: 'default' }, false],
  [{ status: 304, type: 'default' }, false],
] as const)('%o is a redirect: %s', (response, is) => {
  expect(isRedirect(response)).toBe(is)
})
