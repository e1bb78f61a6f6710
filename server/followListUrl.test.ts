import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Failure } from '@chainboard/core'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { FakeChain } from './chain/fakeChain.ts'
import { createListQuestion, followListUrl } from './followListUrl.ts'
import { readKeptList } from './keptUrlList.ts'
import { createLiveList, type LiveListHolder } from './market/liveList.ts'
import { toTokenList } from './market/tokenList.ts'
import { pause } from './pause.ts'
import { alpha, beta, listed, openMarket, thin, usdc } from './testing/market.ts'

const [ownUsdc] = listed
const one = { chainId: 31_337, address: alpha, name: 'Alpha of the web', symbol: 'ALPHA', decimals: 8 }
const two = {
  chainId: 31_337,
  address: beta,
  name: 'Beta',
  symbol: 'BETA',
  decimals: 18,
  logoURI: 'https://pictures.example/b.png',
}

let dir: string
let http: Server
let url: string
let answer: (request: IncomingMessage, response: ServerResponse) => void
let asked: IncomingMessage['headers'][]
let chain: FakeChain
let list: LiveListHolder
let lines: [string, object][]
let ask: () => Promise<void>
let bytesSent: number
const ending = new AbortController()

const serve = (tokens: unknown, headers: Record<string, string> = {}) => {
  answer = (_, response) => response.writeHead(200, headers).end(JSON.stringify({ name: 'A list', tokens }))
}
const symbols = () => list.current().tokens.map(({ symbol }) => symbol)
const web = () => list.status().remote
const refusal = () => web()?.refused?.problems

/** As a start does. */
function open(limits = {}) {
  const keptPath = join(dir, 'kept', 'token-list.json')
  const kept = readKeptList(keptPath, url)
  list = createLiveList(toTokenList([ownUsdc as never], []), {
    nowMs: () => 5,
    remote: kept && toTokenList(kept.tokens, []).tokens,
  })
  const tell = (facts: object, text: string) => void lines.push([text, facts])
  const log = { info: tell, warn: tell, error: tell }
  ask = createListQuestion({ url, chainId: 31_337, chain, keptPath, kept, list, log, nowMs: () => 7, limits }, ending.signal)
}

beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'chainboard-web-list-'))
  asked = []
  bytesSent = 0
  lines = []
  chain = new FakeChain()
  openMarket(chain)
  http = createServer((request, response) => {
    asked.push(request.headers)
    answer(request, response)
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/list.json`
  serve([one, two])
  open()
})
afterEach(() => {
  http.close()
  http.closeAllConnections()
  rmSync(dir, { recursive: true })
})

describe('a list of the web', () => {
  it('is taken where the data folder cannot be written, and the log says so', async () => {
    writeFileSync(join(dir, 'kept'), 'a file in the place of the folder')
    open()
    await ask()
    expect(symbols()).toEqual(['USDC', 'ALPHA', 'BETA'])
    expect(web()).toMatchObject({ tokens: 2, refused: undefined })
    expect(lines[0]).toEqual([
      'The token list from the URL cannot be written to the data folder: after a restart while its server is down, it is missing',
      { code: 'EEXIST' },
    ])
  })

  it("comes behind the operator's own tokens, unverified, with pictures of the web alone", async () => {
    serve([
      { ...one, logoURI: 'javascript:alert(1)' },
      two,
      { ...one, address: usdc, symbol: 'USDC', decimals: 6, name: 'Not ours' },
    ])
    await ask()
    expect(list.current().tokens.map(({ name, logo, verified }) => [name, logo, verified])).toEqual([
      ['USD Coin', '/logos/test/usdc.svg', true],
      ['Alpha of the web', '', false],
      ['Beta', 'https://pictures.example/b.png', false],
    ])
    expect(web()).toEqual({ tokens: 3, answeredAtMs: 7, refused: undefined, leftOut: [] })
  })

  it('loses the tokens whose decimals or symbol the chain contradicts, that are none, or that come twice, and names them', async () => {
    const nowhere = `0x${'de'.repeat(20)}`
    serve([
      { ...one, decimals: 18 },
      { ...two, symbol: 'USDC' },
      { ...one, address: nowhere },
      { ...one, address: thin, symbol: 'THIN', decimals: 18 },
      { ...one, address: thin.toUpperCase().replace('0X', '0x'), symbol: 'THIN', decimals: 18 },
      { ...one, chainId: 1, symbol: 5 },
      { ...one, symbol: 5 },
    ])
    await ask()
    expect(symbols()).toEqual(['USDC', 'THIN'])
    expect(web()?.leftOut).toEqual([
      { field: 'tokenList.tokens.4.address', found: `"0x${'70'.repeat(20)}"`, wanted: 'an address once' },
      { field: 'tokenList.tokens.6.symbol', found: '5', wanted: 'a symbol of 1 to 20 characters' },
      { field: `tokenList ${alpha} decimals`, found: '18', wanted: '8, as on the chain' },
      { field: `tokenList ${beta} symbol`, found: '"USDC"', wanted: '"BETA", as on the chain' },
      { field: `tokenList ${nowhere}`, found: 'no token on the chain', wanted: 'a contract with decimals()' },
    ])
    await ask()
    expect(lines.map(([text]) => text)).toEqual([
      'The token list from the URL is in use',
      'Tokens of the list from the URL are left out',
    ])
  })

  it('is asked for by its tag, and stays when the server says that it has not changed', async () => {
    serve([one, two], { etag: '"v1"' })
    await ask()
    answer = (_, response) => response.writeHead(304).end()
    await ask()
    expect(asked.map((headers) => headers['if-none-match'])).toEqual([undefined, '"v1"'])
    expect(symbols()).toEqual(['USDC', 'ALPHA', 'BETA'])
    expect(refusal()).toBeUndefined()
  })

  it('is there after a restart while its server is down, and no longer under another URL', async () => {
    await ask()
    http.closeAllConnections()
    answer = (request) => request.socket.destroy()
    open()
    expect(symbols()).toEqual(['USDC', 'ALPHA', 'BETA'])
    await ask()
    expect(symbols()).toEqual(['USDC', 'ALPHA', 'BETA'])
    expect(web()?.answeredAtMs).toBeUndefined()
    expect(refusal()?.[0]?.found).toMatch(/^The list's server is not responding: /)
    url = `${url}?other`
    open()
    expect(symbols()).toEqual(['USDC'])
  })

  it('is read again when what was kept is broken', async () => {
    await ask()
    const path = join(dir, 'kept', 'token-list.json')
    expect(existsSync(`${path}.new`)).toBe(false)
    writeFileSync(path, readFileSync(path, 'utf8').slice(0, 90))
    open()
    expect(symbols()).toEqual(['USDC'])
    await ask()
    expect(symbols()).toEqual(['USDC', 'ALPHA', 'BETA'])
  })
})

describe('a server of lists', () => {
  it.each<[string, typeof answer, string]>([
    ['is broken', (_, response) => response.writeHead(500).end('{}'), "The list's server returned HTTP 500"],
    [
      "redirects into the host's own network",
      (_, response) => response.writeHead(302, { location: url.replace('list.json', 'inside') }).end(),
      "The list's server redirects (HTTP 302), and redirects are not followed: use the final URL",
    ],
    ['says unasked that nothing changed', (_, response) => response.writeHead(304).end(), "The list's server returned HTTP 304"],
    ['answers a page', (_, response) => response.end('<!doctype html>'), "The list's server returned something that is not JSON"],
    ['is silent', () => undefined, "The list's server is not responding: not all of the list within 0.3 s"],
    [
      'never ends',
      (_, response) => {
        const more = () => {
          if (response.destroyed) return
          bytesSent += 30_000
          response.write('[1,'.repeat(10_000), () => setImmediate(more))
        }
        more()
      },
      "The list's server returned more than 100000 bytes",
    ],
  ])('that %s leaves the tokens as they are, and the log has it once', { timeout: 10_000 }, async (_, trouble, found) => {
    open({ timeoutMs: 2_000 })
    await ask()
    open({ timeoutMs: found.includes('0.3 s') ? 300 : 5_000, bodyBytesMax: 100_000 })
    lines = []
    answer = trouble
    await ask()
    await ask()
    expect(refusal()).toEqual([{ field: 'tokenList.url', found, wanted: 'a token list that can be checked' }])
    expect(symbols()).toEqual(['USDC', 'ALPHA', 'BETA'])
    expect(lines).toHaveLength(1)
    expect(asked).toHaveLength(3)
    // What buffers on the way hold, and no more.
    expect(bytesSent).toBeLessThan(10_000_000)
    serve([one, two])
    await ask()
    expect(refusal()).toBeUndefined()
  })

  it.each<[string, unknown, string, string]>([
    ['no tokens', { a: 1 }, '{"a":1}', 'a list of tokens'],
    ['those of another chain', [{ ...one, chainId: 1 }], '1 tokens of other chains', 'tokens of chain 31337'],
    ['100,000 tokens', Array.from({ length: 100_000 }, () => one), '100000 tokens', 'a list of at most 50000 tokens'],
  ])('that sends %s is refused', async (_, tokens, found, wanted) => {
    await ask()
    serve(tokens)
    await ask()
    expect(refusal()).toEqual([{ field: 'tokenList.tokens', found, wanted }])
    expect(symbols()).toEqual(['USDC', 'ALPHA', 'BETA'])
  })

  it('that loses most of its tokens by accident is refused', async () => {
    const many = Array.from({ length: 20 }, (_, i) => ({ ...one, address: `0x${String(i + 10).padStart(40, '0')}` }))
    for (const { address } of many)
      chain.tokens.set(address as never, { address, symbol: 'ALPHA', name: '', decimals: 8, totalSupplyRaw: 1n } as never)
    serve(many)
    await ask()
    serve(many.slice(0, 5))
    await ask()
    expect(list.current().tokens).toHaveLength(21)
    expect(refusal()?.[0]).toMatchObject({ field: 'tokenList.tokens', found: 'a list without 15 of the tokens before' })
    // As an operator does who means it.
    rmSync(join(dir, 'kept', 'token-list.json'))
    open()
    await ask()
    expect(list.current().tokens).toHaveLength(6)
  })
})

it('a node that does not answer keeps a list from being checked, and the one before stays', async () => {
  serve([one])
  await ask()
  serve([one, two])
  const { readTokens } = chain
  chain.readTokens = () => Promise.reject(new Failure('rpc-unavailable', 'The node is not responding'))
  await ask()
  expect(symbols()).toEqual(['USDC', 'ALPHA'])
  expect(refusal()?.[0]?.found).toBe('The node is not responding')
  // Those that were right are not asked about again.
  const again: string[][] = []
  chain.readTokens = (addresses) => {
    again.push([...addresses])
    return readTokens(addresses)
  }
  await ask()
  expect(again).toEqual([[beta]])
  expect(symbols()).toEqual(['USDC', 'ALPHA', 'BETA'])
})

it('an operator has it asked at once, also while a question is under way', async () => {
  serve([one])
  open()
  const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined }
  const files = { url, chainId: 31_337, chain, keptPath: join(dir, 'kept', 'token-list.json'), kept: undefined }
  const follower = followListUrl({ ...files, list, log: quiet, nowMs: () => 7, pause })
  await expect.poll(() => asked.length).toBe(1)
  await expect.poll(() => web()?.answeredAtMs).toBe(7)
  follower.askNow()
  await expect.poll(() => asked.length).toBe(2)
  const held = Promise.withResolvers<void>()
  answer = (_, response) =>
    void held.promise.then(() => response.writeHead(200).end(JSON.stringify({ name: 'x', tokens: [two] })))
  follower.askNow()
  await expect.poll(() => asked.length).toBe(3)
  follower.askNow()
  held.resolve()
  await expect.poll(() => asked.length).toBe(4)
  await follower.stop()
})
