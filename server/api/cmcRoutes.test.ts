import type { WireToken } from '@chainboard/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FakeChain } from '../chain/fakeChain.ts'
import { toTokenList } from '../market/tokenList.ts'
import type { NetworkFile } from '../networkFileSchema.ts'
import { type Server, startServer } from '../startServer.ts'
import { cmcKey } from '../testing/cmcWorld.ts'
import {
  alpha,
  alphaPool,
  beta,
  betaPool,
  listed,
  lone,
  networkFile,
  openMarket,
  thinPool,
  usdc,
  wrapped,
} from '../testing/market.ts'
import { type StandInCmc, startStandInCmc } from '../testing/standInCmc.ts'
import { createTempStores } from '../testing/tempStores.ts'
import { testConfig } from '../testing/testConfig.ts'

const stores = createTempStores()
const lonePool = `0x${'b1'.repeat(20)}`
const slugs: Record<string, string> = { [alpha]: 'alpha', [beta]: 'beta' }
const tokenList = toTokenList(
  listed.map((token) => ({
    ...token,
    ...(slugs[token.address] ? { cmcUrl: `https://coinmarketcap.com/currencies/${slugs[token.address]}/` } : {}),
    ...(token.address === lone ? { priceInfo: { poolAddress: lonePool, baseToken: { symbol: 'USDC' }, feeTier: 3_000 } } : {}),
  })),
  [],
)

async function serve(network: NetworkFile, key: string | undefined): Promise<Server> {
  const chain = new FakeChain({ genesisAtSeconds: Math.floor(Date.now() / 1000) - 60 })
  openMarket(chain)
  const config = testConfig({ network, tokenList, store: await stores.locate('sqlite'), sourceEnv: { CMC_API_KEY: key } })
  const server = await startServer(config, chain)
  await server.full
  return server
}

const ask = async (server: Server, path: string) => {
  const answer = await server.app.inject(path)
  return { status: answer.statusCode, body: answer.json() }
}
const error = (status: number, error_code: number | string, error_message: string) => ({
  status,
  body: { status: { error_code, error_message, credit_count: 0 } },
})

describe('with a key', () => {
  let cmc: StandInCmc
  let server: Server
  const now = new Date().toISOString()
  const alphaCoin = {
    id: 11,
    slug: 'alpha',
    symbol: 'ALPHA',
    tags: ['x'],
    platform: null,
    quote: { USD: { price: 7.5, last_updated: now } },
  }
  const lonePair = {
    // CoinMarketCap may echo an address in other letters than it was asked by.
    contract_address: lonePool.toUpperCase().replace('0X', '0x'),
    base_asset_symbol: 'LONE',
    base_asset_contract_address: lone,
    quote_asset_contract_address: usdc,
    scroll_id: '50',
    quote: [{ convert_id: '2781', price: 3, price_by_quote_asset: 3, percent_change_price_24h: 0.5, last_updated: now }],
  }
  beforeAll(async () => {
    cmc = await startStandInCmc({ apiKey: cmcKey, networks: ['testnet'] })
    cmc.coins.push(alphaCoin)
    cmc.pairs.push(lonePair)
    const prices: NetworkFile['prices'] = { sources: ['cmcListed', 'cmcDex', 'index'], depthFloorUsd: 50 }
    const settings = { network: 'TestNet', baseUrl: cmc.url, creditsPerMonth: 1_000_000 }
    server = await serve({ ...networkFile, prices, cmc: settings }, cmcKey)
    // Both have been asked when the DEX side is known: it waits for the listing.
    while (!(await ask(server, `/cmc/dex/${lonePool}/testnet`)).body.data?.length) await new Promise(setImmediate)
  })
  afterAll(async () => {
    await server.close()
    await cmc.close()
  })

  it('each token has the price of the first source that has one, and the page says when that is far from the index', async () => {
    const tokens = (await ask(server, `/assets.json?addresses=${alpha},${beta},${lone}`)).body as WireToken[]
    expect(tokens).toMatchObject([
      {
        symbol: 'ALPHA',
        priceSource: 'cmcListed',
        priceInUsd: 7.5,
        priceStatus: 'priced',
        priceReasons: ['CoinMarketCap says $7.50, the index $6.25: 20.0 % apart'],
        pairPrice: 0.0025,
      },
      { symbol: 'BETA', priceSource: 'index', priceInUsd: 0.25 },
      { symbol: 'LONE', priceSource: 'cmcDex', priceInUsd: 3, priceChange24h: 50, priceStatus: 'priced' },
    ])
  })

  it('a listed coin is handed on as it came, with every field, and no visitor costs a credit', async () => {
    const calls = cmc.calls.length
    const answers = await Promise.all(Array.from({ length: 50 }, () => ask(server, '/cmc/listed/Alpha')))
    for (const { status, body } of answers) {
      expect(status).toBe(200)
      expect(body).toMatchObject({ status: { error_code: 0, error_message: null }, data: { '11': alphaCoin } })
    }
    expect((await ask(server, `/cmc/dex/${lonePool}/TESTNET`)).body).toMatchObject({
      status: { error_code: '0' },
      data: [lonePair],
    })
    expect(cmc.calls).toHaveLength(calls)
  })

  it('what no listed token names is refused as CoinMarketCap refuses it, and never asked for', async () => {
    const calls = cmc.calls.length
    expect(await ask(server, '/cmc/listed/bitcoin')).toMatchObject(error(400, 400, 'Invalid value for "slug": "bitcoin"'))
    expect(await ask(server, '/cmc/listed/beta')).toMatchObject(error(400, 400, 'Invalid value for "slug": "beta"'))
    expect(await ask(server, '/cmc/listed/a_b')).toMatchObject(error(400, 400, 'Invalid value for "slug": "a_b"'))
    const longId = `0x${'ee'.repeat(32)}`
    const refusal = `Invalid value for "contract_address": "${longId}"`
    expect(await ask(server, `/cmc/dex/${longId}/testnet`)).toMatchObject(error(400, '400', refusal))
    expect((await ask(server, `/cmc/dex/0x${'ee'.repeat(20)}/testnet`)).body).toMatchObject({
      status: { error_code: '0' },
      data: [],
    })
    expect(cmc.calls).toHaveLength(calls)
  })

  it('errors of the call itself have the same words', async () => {
    expect(await ask(server, `/cmc/dex/${lonePool}/bsc`)).toMatchObject(error(400, '400', 'network is not supported'))
    expect(await ask(server, '/cmc/dex/0x12/testnet')).toMatchObject(
      error(400, '400', 'Invalid value for "contract_address": "0x12"'),
    )
    expect(await ask(server, '/cmc/listed/alpha?what=1')).toMatchObject({ status: 400, body: { status: { error_code: 400 } } })
    expect((await ask(server, '/cmc/listed/alpha?_=1')).status).toBe(200)
    expect((await ask(server, `/cmc/listed/${'x'.repeat(150)}`)).body).toMatchObject({ status: { error_code: 400 } })
  })

  it('a pool that need not be asked about there is taken from the index', async () => {
    const { body } = await ask(server, `/cmc/dex/${alphaPool}/testnet`)
    expect(body.data).toMatchObject([{ base_asset_symbol: 'ALPHA', quote_asset_symbol: 'WNAT', quote: [{ price: 6.25 }] }])
  })

  it('the figures of the sources are reported to those who watch', async () => {
    const metrics = (await server.app.inject('/metrics')).body
    for (const source of ['cmcListed', 'cmcDex', 'index']) {
      expect(metrics).toContain(`chainboard_source_failing{source="${source}"} 0`)
      expect(metrics).toMatch(new RegExp(`chainboard_source_age_seconds{source="${source}"} \\d`))
    }
    expect(metrics).toContain(`chainboard_cmc_credits_spent ${cmc.creditsSpent()}`)
    expect(metrics).not.toContain(cmcKey)
  })
})

describe('without a key', () => {
  let server: Server
  beforeAll(async () => {
    server = await serve(networkFile, undefined)
  })
  afterAll(() => server.close())

  it('the listing answers that the key is missing', async () => {
    expect(await ask(server, '/cmc/listed/alpha')).toMatchObject(error(401, 1002, 'API key missing.'))
  })

  it('a pool is taken from the index in the shape of the DEX side, by any name of the network', async () => {
    const { status, body } = await ask(server, `/cmc/dex/${betaPool}/whatever`)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      status: { error_code: '0', error_message: null },
      data: [
        {
          contract_address: betaPool,
          name: 'BETA/USDC',
          base_asset_id: '0',
          base_asset_ucid: null,
          base_asset_symbol: 'BETA',
          base_asset_contract_address: beta,
          quote_asset_symbol: 'USDC',
          quote_asset_name: 'USD Coin',
          quote_asset_contract_address: usdc,
          dex_slug: 'testswap',
          network_slug: 'whatever',
          quote: [{ convert_id: '2781', price: 0.25, price_by_quote_asset: 0.25, volume_24h: 0, fully_diluted_value: 250_000 }],
        },
      ],
    })
  })

  it('the pool of a token that others are priced by has that token as its base', async () => {
    const { body } = await ask(server, `/cmc/dex/${alphaPool.toUpperCase().replace('0X', '0x')}/test`)
    expect(body.data[0]).toMatchObject({
      base_asset_contract_address: alpha,
      quote_asset_contract_address: wrapped,
      quote: [{ price: 6.25, price_by_quote_asset: 0.0025, percent_change_price_24h: null }],
    })
  })

  it('a pool that prices nobody has no data', async () => {
    expect((await ask(server, `/cmc/dex/${thinPool}/test`)).body.data).toEqual([])
    expect((await ask(server, `/cmc/dex/${lonePool}/test`)).body.data).toEqual([])
  })
})
