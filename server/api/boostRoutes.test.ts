import type { WireBoost, WireToken } from '@chainboard/contract'
import type { Address } from '@chainboard/core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { FakeChain } from '../chain/fakeChain.ts'
import { toTokenList } from '../market/tokenList.ts'
import { type Server, startServer } from '../startServer.ts'
import { answerBoosts, boostContract, payBoost } from '../testing/fakeBoosts.ts'
import {
  alpha,
  alphaPool,
  beta,
  listed,
  lone,
  networkFile,
  openMarket,
  provide,
  sqrtPrices,
  swap,
  wrapped,
} from '../testing/market.ts'
import { createTempStores } from '../testing/tempStores.ts'
import { testConfig } from '../testing/testConfig.ts'

const stores = createTempStores()
const unlisted: Address = `0x${'99'.repeat(20)}`
const minute = 60
const hour = 3_600
const tokenList = toTokenList(listed, [beta, alpha])
const network = { ...networkFile, boost: { address: boostContract, startBlock: 0 } }

async function ask<T>(server: Server, path: string) {
  const { statusCode, headers, ...answer } = await server.app.inject(path)
  return { status: statusCode, total: headers['x-total-count'], body: answer.json() as T }
}

/** Symbols, in the order of the answer. */
async function symbolsOf(server: Server, path: string): Promise<string[]> {
  return (await ask<WireToken[]>(server, path)).body.map(({ symbol }) => symbol)
}

describe('boosts over HTTP', () => {
  const now = Math.floor(Date.now() / 1000)
  /** BETA expired while the chain stood still. */
  const ends = new Map<Address, number>([
    [alpha, now + 50 * minute + 59],
    [lone, now + 47 * hour + 59 * minute + 59],
    [unlisted, now + 90 * hour],
    [beta, now - 1],
  ])
  let chain: FakeChain
  let server: Server
  beforeAll(async () => {
    chain = new FakeChain({ genesisAtSeconds: now - 200 })
    openMarket(chain)
    chain.mine([provide(alphaPool, lone, 10n ** 17n), swap(alphaPool, sqrtPrices.alphaAt6, -8n * 10n ** 8n, 2n * 10n ** 16n)])
    for (const [token, expiresAt] of ends) chain.mine(payBoost({ token, expiresAt }))
    answerBoosts(chain, () => ends)
    server = await startServer(testConfig({ network, tokenList, store: await stores.locate('sqlite') }), chain)
    await server.full
    await vi.waitUntil(async () => (await ask(server, '/assets.json?boosted=true')).total === '2', { timeout: 20_000 })
  })
  afterAll(() => server.close())

  it('are the boosted tokens of the list, the longest first, or in the order that is asked for', async () => {
    const { total, body } = await ask<WireToken[]>(server, '/assets.json?boosted=true')
    expect([total, body.map(({ symbol }) => symbol)]).toEqual(['2', ['LONE', 'ALPHA']])
    expect(await symbolsOf(server, '/assets.json?boosted')).toEqual(['LONE', 'ALPHA'])
    expect(await symbolsOf(server, '/assets.json?boosted=1&_=3')).toEqual(['LONE', 'ALPHA'])
    expect(await symbolsOf(server, '/assets.json?boosted=true&sort=nameAsc')).toEqual(['ALPHA', 'LONE'])
    expect(await symbolsOf(server, '/assets.json?boosted=true&search=alp')).toEqual(['ALPHA'])
    expect(await symbolsOf(server, `/assets.json?boosted=true&addresses=${wrapped},${alpha}`)).toEqual(['ALPHA'])
    const second = await ask<WireToken[]>(server, '/assets.json?boosted=true&page=2&pageSize=1')
    expect([second.total, second.body.map(({ symbol }) => symbol)]).toEqual(['2', ['ALPHA']])
    expect(await ask(server, '/assets.json?boosted=no')).toMatchObject({ status: 400 })
  })

  it('stand with their end and what is left on every list, and change the order of none', async () => {
    const all = (await ask<WireToken[]>(server, '/assets.json')).body
    expect(all.map(({ symbol, boostInfo }) => [symbol, boostInfo?.expirationTime])).toEqual([
      ['USDC', undefined],
      ['ALPHA', now + 50 * minute + 59],
      ['WNAT', undefined],
      ['BETA', undefined],
      ['THIN', undefined],
      ['LONE', now + 47 * hour + 59 * minute + 59],
    ])
    expect(all[1]?.boostInfo).toMatchObject({ isBoosted: true, remainingHours: 0, remainingMinutes: 50 })
    expect(all[5]?.boostInfo).toMatchObject({ isBoosted: true, remainingHours: 47, remainingMinutes: 59 })
    expect(all[0]).not.toHaveProperty('boostInfo')
    await vi.waitUntil(async () => (await ask<WireToken[]>(server, '/api/trending')).body.length > 0, { timeout: 20_000 })
    for (const path of ['/highlighted.json', '/api/trending', `/assets.json?addresses=${alpha}`, '/assets.json?search=alpha']) {
      const found = (await ask<WireToken[]>(server, path)).body.find(({ symbol }) => symbol === 'ALPHA')
      expect([path, found?.boostInfo]).toEqual([path, all[1]?.boostInfo])
    }
    expect(await symbolsOf(server, '/highlighted.json')).toEqual(['BETA', 'ALPHA'])
    expect(await symbolsOf(server, '/assets.json?sort=fdmcDesc')).toEqual(['WNAT', 'ALPHA', 'USDC', 'BETA', 'THIN', 'LONE'])
    expect(await symbolsOf(server, '/assets.json?sort=nameAsc')).toEqual(['ALPHA', 'BETA', 'LONE', 'THIN', 'USDC', 'WNAT'])
  })

  it('come to the list of all tokens, too', async () => {
    ends.set(wrapped, now + 5 * hour)
    chain.mine(payBoost({ token: wrapped, expiresAt: now + 5 * hour }))
    const read = async () => (await ask<WireToken[]>(server, '/assets.json')).body.filter(({ boostInfo }) => boostInfo).length
    await expect.poll(read, { timeout: 10_000 }).toBe(3)
  })

  it('are in a public ledger with who paid, how much, until when, and the transaction', async () => {
    const { total, body } = await ask<WireBoost[]>(server, '/api/boosts?page=2&pageSize=2')
    expect(total).toBe('5')
    expect(body.map(({ token }) => token.toLowerCase())).toEqual([unlisted, lone])
    expect(body[0]).toEqual({
      token: '0x9999999999999999999999999999999999999999',
      payer: '0x7777777777777777777777777777777777777777',
      paymentToken: '0x1010101010101010101010101010101010101010',
      amount: '25',
      timestamp: now - 200 + 5 * 12,
      expiresAt: now + 90 * hour,
      transaction: { id: expect.stringMatching(/^0x[0-9a-f]{64}$/) },
    })
    const ofOne = await ask<WireBoost[]>(server, `/api/boosts?token=${alpha.toUpperCase().replace('X', 'x')}`)
    expect([ofOne.total, ofOne.body.map(({ expiresAt }) => expiresAt)]).toEqual(['1', [now + 50 * minute + 59]])
    expect(await ask(server, '/api/boosts?token=alpha')).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining('querystring token: found "alpha"') },
    })
    expect(await ask(server, '/api/boosts?pageSize=251')).toMatchObject({ status: 400 })
  })

  it('are counted for operators, with the age of what is known', async () => {
    const text = (await server.app.inject('/metrics')).body
    expect(text).toMatch(/^chainboard_boosts 5$/m)
    expect(Number(/^chainboard_boosts_age_seconds (\S+)$/m.exec(text)?.[1])).toBeLessThan(2)
  })
})

it('a network without a boost contract has no boosts', async () => {
  const chain = new FakeChain()
  chain.mine(payBoost({ token: alpha, expiresAt: 4_000_000_000 }))
  answerBoosts(chain, () => new Map([[alpha, 4_000_000_000]]))
  const server = await startServer(testConfig({ tokenList, store: await stores.locate('sqlite') }), chain)
  await server.full
  expect(await ask(server, '/assets.json?boosted=true')).toEqual({ status: 200, total: '0', body: [] })
  expect(await ask(server, '/api/boosts')).toEqual({ status: 200, total: '0', body: [] })
  expect((await ask<{ boost: unknown }>(server, '/api/config')).body.boost).toBeNull()
  expect((await server.app.inject('/metrics')).body).toMatch(/^chainboard_boosts_age_seconds NaN$/im)
  await server.close()
})
