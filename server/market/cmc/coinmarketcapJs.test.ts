import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type StandInCmc, startStandInCmc } from '../../testing/standInCmc.ts'

const clients = resolve(import.meta.dirname, '../../../tools/clients')
const apiKey = 'b54bcf4d-1bca-4e8e-9a24-22ff2c3d462c'

/** The part of the client's own types that is used here. Names come back in camel case, except those in capitals. */
type RestClient = (
  key: string,
  version: string,
  base: string,
) => {
  crypto: {
    latestQuotes(query: Record<string, unknown>): Promise<{ status: Record<string, unknown>; data: Record<string, unknown> }>
  }
}

let cmc: StandInCmc
let connect: RestClient
beforeAll(async () => {
  if (!existsSync(resolve(clients, 'node_modules/coinmarketcap-js')))
    throw new Error(
      'The npm clients that the tests speak through are not installed: run npm test, or node tools/prepare.mjs test',
    )
  connect = createRequire(resolve(clients, 'package.json'))('coinmarketcap-js').restClient
  cmc = await startStandInCmc({ apiKey })
  cmc.coins.push(
    { id: 1697, slug: 'basic-attention-token', symbol: 'BAT', quote: { USD: { price: 1.2, percent_change_24h: -8.5 } } },
    { id: 99, slug: 'other-bat', symbol: 'BAT', quote: { USD: { price: 0.1, percent_change_24h: null } } },
  )
})
afterAll(() => cmc.close())

describe('the stand-in for CoinMarketCap, spoken to by the npm client coinmarketcap-js', () => {
  it('keys its answers by id where it is asked by slug', async () => {
    const { data, status } = await connect(apiKey, 'v2', cmc.url).crypto.latestQuotes({ slug: 'basic-attention-token' })
    expect(data['1697']).toMatchObject({ symbol: 'BAT', quote: { USD: { price: 1.2, percentChange24h: -8.5 } } })
    expect(status).toMatchObject({ errorCode: 0, errorMessage: null, creditCount: 1 })
  })

  it('has lists by symbol in its second version, one coin in its first', async () => {
    const [first, second] = ['v1', 'v2'].map((version) =>
      connect(apiKey, version, cmc.url).crypto.latestQuotes({ symbol: 'BAT' }),
    )
    expect((await second)?.data['BAT']).toMatchObject([{ id: 1697 }, { id: 99 }])
    expect((await first)?.data['BAT']).toMatchObject({ symbol: 'BAT' })
  })

  it('takes a list of ids', async () => {
    const { data } = await connect(apiKey, 'v2', cmc.url).crypto.latestQuotes({ id: ['1697', '99'].join(',') })
    expect(Object.keys(data)).toEqual(['99', '1697'])
  })

  it.each([
    ['an invalid key', 'wrong', { slug: 'other-bat' }, 401, 1001, 'This API Key is invalid.'],
    ['an unknown slug', apiKey, { slug: 'xyz', skipInvalid: false }, 400, 400, 'Invalid value for "slug": "xyz"'],
    ['nothing asked for', apiKey, {}, 400, 400, '"value" must contain at least one of [id, symbol, slug]'],
  ])('refuses %s with a status of its own', async (_, key, query, httpStatus, error_code, error_message) => {
    const error = await connect(key, 'v2', cmc.url)
      .crypto.latestQuotes(query)
      .catch((thrown) => thrown)
    expect(error.response).toMatchObject({ status: httpStatus, data: { status: { error_code, error_message } } })
  })

  it('says when a client asks too fast', async () => {
    const status = { error_code: 1008, error_message: "You've exceeded your API Key's HTTP request rate limit." }
    cmc.next.push({ status: 429, headers: { 'Retry-After': '60' }, body: { status } })
    const error = await connect(apiKey, 'v2', cmc.url)
      .crypto.latestQuotes({ id: '99' })
      .catch((thrown) => thrown)
    expect(error.response).toMatchObject({ status: 429, headers: { 'retry-after': '60' }, data: { status } })
  })
})
