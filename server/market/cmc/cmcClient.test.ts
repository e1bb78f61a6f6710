import type { Address } from '@chainboard/core'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type StandInCmc, startStandInCmc } from '../../testing/standInCmc.ts'
import { createCmcClient } from './cmcClient.ts'

const apiKey = 'b54bcf4d-1bca-4e8e-9a24-22ff2c3d462c'
const pool = (byte: string) => `0x${byte.repeat(20)}` as Address
const signal = new AbortController().signal

let cmc: StandInCmc
let credits: { reserved: number; extra: number }
beforeEach(async () => {
  cmc = await startStandInCmc({ apiKey, networks: ['celo'] })
  credits = { reserved: 0, extra: 0 }
})
afterEach(() => cmc.close())

const createClient = (options: { apiKey?: string; baseUrl?: string; listedPath?: string; timeoutMs?: number } = {}) =>
  createCmcClient(
    {
      baseUrl: cmc.url,
      listedPath: '/v2/cryptocurrency/quotes/latest',
      dexPath: '/v4/dex/pairs/quotes/latest',
      apiKey,
      ...options,
    },
    {
      credits: {
        reserve: async (count) => {
          credits.reserved += count
        },
        addExtra: async (count) => {
          credits.extra += count
        },
        spentThisMonth: () => credits.reserved + credits.extra,
      },
      pace: async () => undefined,
      nowMs: Date.now,
    },
  )
const addCoins = (count: number) =>
  cmc.coins.push(
    ...Array.from({ length: count }, (_, i) => ({
      id: i + 1,
      slug: `coin-${i + 1}`,
      symbol: `C${i + 1}`,
      quote: { USD: { price: 2 } },
    })),
  )
const slugs = (count: number) => Array.from({ length: count }, (_, i) => `coin-${i + 1}`)

describe('the listing', () => {
  it('is asked for 100 coins a call, a credit each, and its answers keyed by id are found by slug', async () => {
    addCoins(250)
    const { rows, status } = await createClient().readListed(slugs(250), signal)
    expect(rows.map(({ slug }) => slug).sort()).toEqual(slugs(250).sort())
    expect(status?.error_code).toBe(0)
    expect(cmc.calls).toHaveLength(3)
    expect(credits).toEqual({ reserved: 3, extra: 0 })
    expect(cmc.creditsSpent()).toBe(3)
  })

  it('is asked for US dollars by name, and to skip what it does not know', async () => {
    addCoins(1)
    await createClient().readListed(['coin-1'], signal)
    expect(cmc.calls).toEqual(['/v2/cryptocurrency/quotes/latest?slug=coin-1&convert=USD&skip_invalid=true'])
  })

  it('may have another path: the first version refuses whole lists unless told to skip', async () => {
    addCoins(1)
    const client = createClient({ listedPath: '/v1/cryptocurrency/quotes/latest' })
    expect((await client.readListed(['coin-1', 'nobody'], signal)).rows).toHaveLength(1)
    expect(cmc.calls).toHaveLength(1)
  })

  it('leaves out what is not known there', async () => {
    addCoins(1)
    expect((await createClient().readListed(['coin-1', 'nobody'], signal)).rows).toHaveLength(1)
  })

  it('is asked again without the slugs that it refuses the whole list for, and a day long without them', async () => {
    const strict = await startStandInCmc({ apiKey, strict: true })
    strict.coins.push({ id: 1, slug: 'coin-1', symbol: 'C1', quote: { USD: { price: 2 } } })
    const client = createClient({ baseUrl: strict.url })
    for (let reading = 1; reading <= 2; reading += 1) {
      expect((await client.readListed(['coin-1', 'nobody', 'nothing'], signal)).rows).toHaveLength(1)
      expect(strict.calls).toHaveLength(reading + 1)
    }
    expect(credits.reserved).toBe(3)
    await strict.close()
  })

  it('is not asked again forever, where each answer refuses another slug', async () => {
    const names = slugs(30)
    cmc.next.push(
      ...names.map((name) => ({
        status: 400,
        body: { status: { error_code: 400, error_message: `Invalid value for "slug": "${name}"`, credit_count: 0 } },
      })),
    )
    await expect(createClient().readListed(names, signal)).rejects.toMatchObject({ code: 'upstream-refused' })
    expect(cmc.calls).toHaveLength(6)
  })

  it('may answer with lists by symbol, a bare list, or entries full of nulls', async () => {
    const row = {
      id: 1,
      slug: 'coin-1',
      symbol: 'C1',
      platform: null,
      max_supply: null,
      tags: ['x'],
      quote: { USD: { price: null, tvl: null } },
    }
    const status = { error_code: '0', error_message: null, credit_count: 1 }
    for (const data of [{ C1: [row] }, [row], { '1': row, '2': { broken: true }, '3': null }]) {
      cmc.next.push({ status: 200, body: { data, status } })
      expect((await createClient().readListed(['coin-1'], signal)).rows).toEqual([row])
    }
  })

  it('costs what it says it cost, when that is more', async () => {
    cmc.next.push({ status: 200, body: { data: {}, status: { error_code: 0, credit_count: 4 } } })
    await createClient().readListed(['coin-1'], signal)
    expect(credits).toEqual({ reserved: 1, extra: 3 })
  })

  it('asks nothing for nobody', async () => {
    await createClient().readListed([], signal)
    await createClient().readDexPairs([], 'celo', signal)
    expect(cmc.calls).toEqual([])
    expect(credits.reserved).toBe(0)
  })
})

describe('the DEX side', () => {
  it('is asked in URLs of under 2,000 characters, a credit a pair, and drops what it does not know', async () => {
    const pools = Array.from({ length: 100 }, (_, i) => pool((i + 16).toString(16)))
    cmc.pairs.push({ contract_address: pool('2A').toUpperCase().replace('0X', '0x'), ...pairRest })
    const { rows, status } = await createClient().readDexPairs(pools, 'celo', signal)
    expect(rows).toHaveLength(1)
    // The DEX side says it as text, the listing as a number.
    expect(status?.error_code).toBe('0')
    expect(cmc.calls).toHaveLength(3)
    expect(Math.max(...cmc.calls.map((call) => cmc.url.length + call.length))).toBeLessThan(2_000)
    expect(credits).toEqual({ reserved: 100, extra: 0 })
  })

  it('is asked for US dollars by their id, on the network by its slug', async () => {
    await createClient().readDexPairs([pool('2a')], 'celo', signal)
    const asked = `contract_address=${pool('2a')}&network_slug=celo&convert_id=2781&skip_invalid=true`
    expect(cmc.calls).toEqual([`/v4/dex/pairs/quotes/latest?${asked}`])
  })

  it('may answer with a bare list', async () => {
    cmc.next.push({ status: 200, body: [{ contract_address: pool('2a'), ...pairRest }] })
    expect((await createClient().readDexPairs([pool('2a')], 'celo', signal)).rows).toHaveLength(1)
  })

  it('says when it does not support the network', async () => {
    await expect(createClient().readDexPairs([pool('2a')], 'bsc', signal)).rejects.toMatchObject({
      code: 'upstream-refused',
      message: 'CoinMarketCap returned 400: network is not supported',
    })
  })

  it('has codes as text, and a code in spite of HTTP 200 carries no data', async () => {
    cmc.next.push({ status: 200, body: { data: [], status: { error_code: '1008', error_message: 'slow down' } } })
    await expect(createClient().readDexPairs([pool('2a')], 'celo', signal)).rejects.toMatchObject({
      code: 'upstream-rate-limited',
      detail: { retryAfterMs: 60_000 },
    })
  })
})

const pairRest = {
  base_asset_contract_address: pool('11'),
  quote_asset_contract_address: pool('22'),
  quote: [{ convert_id: '2781', price: 1 }],
}

describe('an answer that is none', () => {
  const read = (options = {}) => createClient(options).readListed(['coin-1'], signal)

  it('comes too late', async () => {
    cmc.next.push('hang')
    await expect(read({ timeoutMs: 50 })).rejects.toMatchObject({
      code: 'upstream-unavailable',
      message: 'CoinMarketCap is not responding: nothing within 50 ms',
    })
  })

  it('is cut off, or never begins', async () => {
    cmc.next.push('cut')
    await expect(read()).rejects.toMatchObject({ code: 'upstream-unavailable' })
    await cmc.setDown(true)
    await expect(read()).rejects.toMatchObject({
      code: 'upstream-unavailable',
      message: 'CoinMarketCap is not responding: ECONNREFUSED',
    })
  })

  it.each([
    ['no JSON', '<html>hello</html>'],
    ['JSON of another shape', { status: { error_code: 0 }, data: 'none' }],
    ['JSON without data', { status: { error_code: 0 } }],
    ['an endless body', 'x'.repeat(9 * 1024 * 1024)],
  ])('is %s', async (_, body) => {
    cmc.next.push({ status: 200, body })
    await expect(read()).rejects.toMatchObject({ code: 'upstream-invalid' })
  })

  it('is a page of a gateway', async () => {
    cmc.next.push(
      { status: 502, body: '<html>Bad Gateway</html>' },
      { status: 429, headers: { 'Retry-After': '30' }, body: 'later' },
    )
    await expect(read()).rejects.toMatchObject({ code: 'upstream-unavailable' })
    await expect(read()).rejects.toMatchObject({ code: 'upstream-rate-limited', detail: { retryAfterMs: 30_000 } })
  })

  it('never has the key in its text, not even when the answer quotes it', async () => {
    const wrong = 'a-key-that-nobody-may-see'
    cmc.next.push({ status: 401, body: { status: { error_code: 1001, error_message: `No such key: ${wrong}` } } })
    const quoted: Error = await read({ apiKey: wrong }).catch((error) => error)
    expect(quoted.message).toBe('CoinMarketCap returned 401 (code 1001): No such key: …')
    const refused: Error = await read({ baseUrl: `http://user:${wrong}@127.0.0.1:1` }).catch((error) => error)
    for (const error of [quoted, refused]) {
      expect(JSON.stringify([error.message, error, error.stack, String(error.cause)])).not.toContain(wrong)
    }
  })
})
