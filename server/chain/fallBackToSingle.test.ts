import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { createViemChain } from './viemChain.ts'

const topic = `0x${'cc'.repeat(32)}` as const
const hashOf = (number: number) => `0x${number.toString(16).padStart(64, '0')}`
const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

type Ask = { readonly id: number; readonly method: string; readonly params: readonly unknown[] }
type Refusal = { readonly status: number; readonly body: string }

/** A node with blocks without logs. `alone` and `together`: instead of an answer to a single call, or to a batch. */
async function startNode({ together, alone }: { together: Refusal; alone?: Refusal }) {
  const seen = { batches: 0, singles: 0, atOnce: 0, atOnceMost: 0 }
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    const asked = JSON.parse(text) as Ask | Ask[]
    const isBatch = Array.isArray(asked)
    seen[isBatch ? 'batches' : 'singles'] += 1
    const refusal = isBatch ? together : alone
    if (refusal) return response.writeHead(refusal.status, { 'content-type': 'application/json' }).end(refusal.body)
    seen.atOnce += 1
    seen.atOnceMost = Math.max(seen.atOnceMost, seen.atOnce)
    await new Promise(setImmediate)
    seen.atOnce -= 1
    const { id, method, params } = asked as Ask
    const number = Number(params[0] === 'latest' ? 40 : params[0])
    const header = {
      number: `0x${number.toString(16)}`,
      hash: hashOf(number),
      parentHash: hashOf(number - 1),
      timestamp: '0x10',
    }
    return response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ jsonrpc: '2.0', id, result: method === 'eth_getLogs' ? [] : header }))
  })
  servers.push(server)
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen }
}

const error = { jsonrpc: '2.0', id: null, error: { code: -32_600, message: 'batch requests are not supported' } }

describe('a node that does not take batches', () => {
  it.each([
    ['one error for all', 200, JSON.stringify(error)],
    ['a list with one error', 200, JSON.stringify([error])],
    ['400 with an error', 400, JSON.stringify(error)],
    ['400 with words', 400, '"json: cannot unmarshal array"'],
    ['413', 413, '"too many calls"'],
    ['an empty list', 200, '[]'],
  ])('is read by single calls, a few at a time: %s', async (_, status, body) => {
    const { url, seen } = await startNode({ together: { status, body } })
    const chain = createViemChain([url])
    expect((await chain.readHead()).number).toBe(40)
    const range = await chain.readRange({ from: 10, to: 40, everyHeader: true, topics: [topic] })
    expect(range.headers.map(({ number }) => number)).toEqual(Array.from({ length: 31 }, (_each, i) => 10 + i))
    expect(seen).toMatchObject({ batches: 1, singles: 1 + 31 + 31, atOnceMost: 8 })
  })

  it('fails with its own words when it takes no single call either, and is sent batches again', async () => {
    const alone = { status: 200, body: JSON.stringify({ ...error, id: 1, error: { code: -32_000, message: 'no such project' } }) }
    const { url, seen } = await startNode({ together: { status: 400, body: '"no"' }, alone })
    const chain = createViemChain([url])
    await expect(chain.readHead()).rejects.toMatchObject({ code: 'rpc-refused', message: 'no such project' })
    await expect(chain.readHead()).rejects.toMatchObject({ code: 'rpc-refused', message: 'no such project' })
    expect(seen).toMatchObject({ batches: 2, singles: 2 })
  })

  it.each([500, 429, 503])('is not asked twice when it is down or busy: %d', async (status) => {
    const { url, seen } = await startNode({ together: { status, body: '"no"' } })
    await expect(createViemChain([url]).readHead()).rejects.toMatchObject({ retryable: true })
    expect(seen).toMatchObject({ batches: 1, singles: 0 })
  })
})
