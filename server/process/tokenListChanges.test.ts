import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { WireSiteStatus, WireToken } from '@chainboard/contract'
import { afterEach, describe, expect, it } from 'vitest'
import { toTokenList } from '../market/tokenList.ts'
import type { NetworkFile } from '../networkFileSchema.ts'
import { digestOf, readListTexts } from '../parseTokenList.ts'
import { type Server, startServer } from '../startServer.ts'
import { alpha, listed, lone, networkFile, wrapped } from '../testing/market.ts'
import { tellDay } from '../testing/tellDay.ts'
import { createTempStores } from '../testing/tempStores.ts'
import { testConfig } from '../testing/testConfig.ts'

// A whole server whose token list is changed while it runs.

const stores = createTempStores()
const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})

const patience = { timeout: 20_000 }
const withoutAlpha = listed.filter(({ address }) => address !== alpha)
const impostor = { ...listed[0], address: `0x${'ee'.repeat(20)}`, name: 'Another coin', verified: false }

async function open(pools: NetworkFile['index']['pools'] = 'all', tokenList?: { url: string }, first = withoutAlpha) {
  const dir = mkdtempSync(join(tmpdir(), 'chainboard-list-'))
  const write = (text: string) => writeFileSync(join(dir, 'assets.json'), text)
  write(JSON.stringify(first))
  writeFileSync(join(dir, 'highlighted.json'), '[]')
  const config = testConfig({
    ...{
      store: await stores.locate('sqlite'),
      network: { ...networkFile, index: { pools }, ...(tokenList ? { tokenList } : {}) },
      logosDir: stores.dir,
    },
    dataDir: dir,
    ...{ tokenList: toTokenList(first, []), listFiles: { dir, digest: digestOf(readListTexts(dir)) } },
  })
  const chain = tellDay()
  const server = await startServer(config, chain)
  ends.push(
    () => server.close(),
    () => rmSync(dir, { recursive: true }),
  )
  await server.full
  return { write, chain, ...ask(server) }
}

function ask({ app, url }: Server) {
  const read = async <T>(path: string) => (await app.inject(path)).json<T>()
  return {
    read,
    app,
    symbols: async (query = '') => (await read<WireToken[]>(`/assets.json${query}`)).map(({ symbol }) => symbol),
    status: async () => (await read<WireSiteStatus>('/api/status')).tokenList,
    /** A stream of prices. @returns reads on until a text comes, and answers all that came */
    listen: async () => {
      const line = new AbortController()
      ends.unshift(() => line.abort())
      const { body } = await fetch(`${url}/api/v1/stream`, { signal: line.signal })
      const reader = body?.pipeThrough(new TextDecoderStream()).getReader()
      let heard = ''
      return async (wanted: string) => {
        while (!heard.includes(wanted)) heard += (await reader?.read())?.value ?? ''
        return heard
      }
    },
    answers: async (path: string) => (await app.inject(path)).statusCode,
  }
}

it('a token that is added is on the page, in the price API, has a receipt and organic volume, without a restart', {
  timeout: 60_000,
}, async () => {
  const { write, chain, read, symbols, answers, listen } = await open()
  // Prices of a block before the newest are in memory.
  const block = chain.height
  chain.mine([])
  await expect.poll(async () => (await read<WireSiteStatus>('/api/status')).block, patience).toBe(block + 1)
  // In the order by name as by everything else, which was kept of the list before.
  expect(await symbols('?sort=nameAsc&page=1&pageSize=9')).not.toContain('ALPHA')
  expect(await answers(`/api/v1/prices/${alpha}`)).toBe(404)
  expect(await answers(`/api/v1/prices/${lone}`)).toBe(200)
  expect(await answers(`/api/tokens/${lone}/receipt`)).toBe(200)
  expect(await answers(`/api/tokens/${lone}/receipt?block=${block}`)).toBe(200)
  const hears = await listen()
  const seen: string[][] = []
  write(JSON.stringify([...listed.filter(({ address }) => address !== lone), impostor]))
  await expect
    .poll(async () => {
      const page = await symbols()
      seen.push(page)
      return page
    }, patience)
    .toEqual(['USDC', 'ALPHA', 'WNAT', 'BETA', 'THIN', 'USDC'])
  // Nobody's token is gone for a moment.
  for (const page of seen) expect(page).toEqual(expect.arrayContaining(['USDC', 'WNAT', 'BETA', 'THIN']))
  const [token] = await read<WireToken[]>(`/assets.json?addresses=${alpha}`)
  expect(token).toMatchObject({ priceInUsd: 25, priceSource: 'index', volume24h: 100 })
  expect(await symbols('?sort=nameAsc&page=1&pageSize=9')).toEqual(['ALPHA', 'USDC', 'BETA', 'THIN', 'USDC', 'WNAT'])
  // Who streams prices is told this one's, on the same line.
  expect(await hears(`"address":"${alpha}"`)).toContain('event: price')
  expect(await symbols('?search=alph')).toEqual(['ALPHA'])
  expect(await read(`/api/v1/prices/${alpha}`)).toMatchObject({ data: { usdPrice: 25 } })
  expect(await answers(`/api/tokens/${alpha}/receipt`)).toBe(200)
  expect(await answers(`/api/tokens/${alpha}/receipt/volume24h`)).toBe(200)
  const organicOf = async () => (await read<WireToken[]>(`/assets.json?addresses=${alpha}`))[0]?.organicCoverage
  await expect.poll(organicOf, { timeout: 40_000 }).toBe(1)
  const [, other] = await read<WireToken[]>('/assets.json?search=usdc')
  expect(other?.warnings.map(({ code }) => code)).toEqual(['lookalike'])
  // What was removed has no price and no receipt, of no block.
  expect(await answers(`/api/v1/prices/${lone}`)).toBe(404)
  expect(await answers(`/api/tokens/${lone}/receipt`)).toBe(404)
  expect(await answers(`/api/tokens/${lone}/receipt?block=${block}`)).toBe(404)
})

it('a broken list changes nothing, and the status and the metrics say why until it is mended', { timeout: 60_000 }, async () => {
  const { write, symbols, status, app } = await open()
  const before = await symbols()
  const { takenAt } = await status()
  write(JSON.stringify([...listed, listed[0]]))
  await expect
    .poll(async () => (await status()).refused?.problems, patience)
    .toEqual([
      { field: 'assets.json.6.address', found: `"0x${'10'.repeat(20)}"`, wanted: 'an address that entry 0 does not have' },
    ])
  expect(await symbols()).toEqual(before)
  expect(await status()).toMatchObject({ tokens: 5, takenAt, refused: { count: 1 }, beingRead: null })
  const metrics = (await app.inject('/metrics')).body
  expect(metrics).toContain('chainboard_list_refused 1')
  expect(metrics).toContain('chainboard_list_tokens 5')
  write(JSON.stringify(listed))
  await expect.poll(async () => (await status()).tokens, patience).toBe(6)
  expect((await status()).refused).toBeNull()
})

describe('on an index of listed tokens alone', () => {
  type Look = { symbols: string[]; being: readonly string[]; alpha: Pick<WireToken, 'priceInUsd' | 'volume24h'> | undefined }

  /** Adds ALPHA to the list. @returns what a visitor saw until its figures were whole */
  async function addAlpha({ write, read, status }: Awaited<ReturnType<typeof open>>, list: object[]): Promise<Look[]> {
    const others = (await read<WireToken[]>('/assets.json')).map(({ symbol, priceInUsd }) => [symbol, priceInUsd])
    const seen: Look[] = []
    write(JSON.stringify(list))
    await expect
      .poll(
        async () => {
          const { beingRead } = await status()
          const page = await read<WireToken[]>('/assets.json')
          const alphas = page.find(({ address }) => address === alpha)
          seen.push({ symbols: page.map(({ symbol }) => symbol), being: beingRead?.addresses ?? [], alpha: alphas })
          expect(page.filter((token) => token !== alphas).map(({ symbol, priceInUsd }) => [symbol, priceInUsd])).toEqual(others)
          return alphas && beingRead === null && alphas.volume24h
        },
        { ...patience, interval: 20 },
      )
      .toBe(100)
    return seen
  }

  it('an added token has its price at once, its volume when its pools are in, and never a wrong figure', {
    timeout: 60_000,
  }, async () => {
    const site = await open('listed')
    site.chain.mine([])
    expect(await site.symbols()).toEqual(['USDC', 'WNAT', 'BETA', 'THIN', 'LONE'])
    const seen = await addAlpha(site, [...listed])
    for (const { alpha: shown, being } of seen) {
      // Named for as long as anything of it is missing, if at all.
      expect([[], [alpha]]).toContainEqual(being)
      // Its pool with the wrapped coin is in the index, as that one is listed; nothing counts as a volume before all of its pools do.
      if (shown) expect([0, 25]).toContain(shown.priceInUsd)
      if (shown?.priceInUsd === 25) expect([100, null]).toContain(shown.volume24h)
    }
    expect(seen.some(({ being }) => being.length === 1)).toBe(true)
    expect(seen.some(({ alpha: shown }) => shown?.priceInUsd === 25 && shown.volume24h === null)).toBe(true)
    expect(await site.symbols()).toEqual(['USDC', 'ALPHA', 'WNAT', 'BETA', 'THIN', 'LONE'])
    expect(await site.read<WireToken[]>(`/assets.json?addresses=${alpha}`)).toMatchObject([
      { priceInUsd: 25, priceSource: 'index' },
    ])
    expect(await site.answers(`/api/tokens/${alpha}/receipt`)).toBe(200)
    expect(await site.answers(`/api/tokens/${alpha}/receipt/volume24h`)).toBe(200)
  })

  it('an added token has no price before its pools are in where a quote of the network is not listed', {
    timeout: 60_000,
  }, async () => {
    const few = listed.filter(({ address }) => address !== wrapped)
    const site = await open(
      'listed',
      undefined,
      few.filter(({ address }) => address !== alpha),
    )
    site.chain.mine([])
    const seen = await addAlpha(site, few)
    for (const { alpha: shown } of seen) {
      if (shown) expect([0, 25]).toContain(shown.priceInUsd)
      if (shown?.priceInUsd === 25) expect(shown.volume24h).toBe(100)
    }
    expect(seen.some(({ alpha: shown }) => shown?.priceInUsd === 0)).toBe(true)
  })
})

it("a list of the web comes behind the operator's own, checked against the chain", { timeout: 60_000 }, async () => {
  const entry = { chainId: networkFile.chain.id, address: alpha, name: 'Alpha', symbol: 'ALPHA', decimals: 8 }
  const http = createServer((_, response) => {
    response.end(JSON.stringify({ tokens: [entry, { ...entry, address: impostor.address }] }))
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  ends.push(() => http.close())
  const { symbols, status, read } = await open('all', { url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/` })
  await expect.poll(() => symbols(), patience).toEqual(['USDC', 'WNAT', 'BETA', 'THIN', 'LONE', 'ALPHA'])
  expect(await read<WireToken[]>(`/assets.json?addresses=${alpha}`)).toMatchObject([{ priceInUsd: 25, verified: false }])
  expect((await status()).web).toMatchObject({
    tokens: 1,
    refused: null,
    leftOut: {
      count: 1,
      problems: [
        { field: `tokenList ${impostor.address}`, found: 'no token on the chain', wanted: 'a contract with decimals()' },
      ],
    },
  })
})
