import type { WireToken } from '@chainboard/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FakeChain } from '../chain/fakeChain.ts'
import { toTokenList } from '../market/tokenList.ts'
import { type Server, startServer } from '../startServer.ts'
import {
  alpha,
  beta,
  betaPool,
  listed,
  lone,
  networkFile,
  openMarket,
  sqrtPrices,
  swap,
  usdc,
  wrapped,
} from '../testing/market.ts'
import { createTempStores } from '../testing/tempStores.ts'
import { testConfig } from '../testing/testConfig.ts'

const stores = createTempStores()
const hour = 3_600

/** BETA, at a quarter of a dollar, is declared a stable coin; LONE is named like the wrapped coin. */
const network = { ...networkFile, otherStables: [beta], prices: { ...networkFile.prices, depthFloorUsd: 10 } }
const tokens = listed.map((entry) =>
  entry.address === lone ? { ...entry, symbol: 'WNAТ', name: 'Another', verified: false } : entry,
)

let server: Server
beforeAll(async () => {
  const chain = new FakeChain({ genesisAtSeconds: 1_699_999_200 })
  openMarket(chain)
  chain.mine([swap(betaPool, sqrtPrices.betaAtQuarter, 50_000_000n, -200n * 10n ** 18n, 10n ** 18n)], hour)
  chain.mine([], 2 * hour)
  const config = testConfig({ network, store: await stores.locate('sqlite'), tokenList: toTokenList(tokens, [beta]) })
  server = await startServer(config, chain)
  await server.full
})
afterAll(() => server.close())

const get = async (path: string) => (await server.app.inject(path)).json()
const findToken = async (address: string): Promise<WireToken> => (await get(`/assets.json?addresses=${address}`))[0]

const ofBeta = {
  code: 'off-peg',
  text: '1 BETA trades at 0.2500 USDC, the median of 240 s in their pools: one of the two is off its peg. Prices here count it as $0.2500',
}
const ofLone = {
  code: 'lookalike',
  text: `Its symbol looks like the symbol of Wrapped Native (WNAT), the verified token at ${wrapped}`,
}

describe('warnings', () => {
  it.each([
    ['a stable coin off its peg', beta, [ofBeta]],
    ['a token named like a verified one', lone, [ofLone]],
    ['the verified one', wrapped, []],
  ])('of %s are the same in every list and on the receipt', async (_, address, warnings) => {
    expect((await findToken(address)).warnings).toEqual(warnings)
    const inWhole = ((await get('/assets.json')) as WireToken[]).find((token) => token.address === address)
    expect(inWhole?.warnings).toEqual(warnings)
    expect((await get(`/api/tokens/${address}/receipt`)).warnings).toEqual(warnings)
  })

  it('of a featured token are there, too', async () => {
    expect(((await get('/highlighted.json')) as WireToken[])[0]?.warnings).toEqual([ofBeta])
  })

  it('a price that rests on a coin off its peg says so', async () => {
    const ofUsdc = 'Counts 1 USDC as $1, which trades at 4.00 BETA'
    expect((await findToken(wrapped)).priceReasons[0]).toBe(ofUsdc)
    expect((await findToken(alpha)).priceReasons[0]).toBe(ofUsdc)
    expect((await findToken(usdc)).priceReasons[0]).toBe(ofUsdc)
    expect((await findToken(beta)).priceReasons[0]).toBe('Counts 1 BETA as $0.2500, which trades at 0.2500 USDC')
  })
})
