import type { WireToken } from '@chainboard/contract'
import { Failure } from '@chainboard/core'
import { expect, it, vi } from 'vitest'
import { FakeChain, type FakeEvent } from './chain/fakeChain.ts'
import { openSources } from './market/openSources.ts'
import { offChain, type PriceSource } from './market/source.ts'
import type { NetworkFile } from './networkFileSchema.ts'
import { startServer } from './startServer.ts'
import { addCmcCoins, cmcKey, listCmcTokens } from './testing/cmcWorld.ts'
import { createFakeClock } from './testing/fakeClock.ts'
import { alpha, alphaPool, networkFile, openMarket, sqrtPrices, swap } from './testing/market.ts'
import { startStandInCmc } from './testing/standInCmc.ts'
import { startStandInSubgraph } from './testing/standInSubgraph.ts'
import { toSubgraphEntities } from './testing/subgraphEntities.ts'
import { createTempStores } from './testing/tempStores.ts'
import { testConfig } from './testing/testConfig.ts'

/** On a machine with much else to do. */
const patience = { timeout: 15_000 }

const stores = createTempStores()
const network: NetworkFile = { ...networkFile, prices: { sources: ['subgraph'], depthFloorUsd: 50 }, index: { pools: 'none' } }

it('a server without an index takes prices, pools, charts and its block from a subgraph', async () => {
  const atSeconds = Math.floor(Date.now() / 1000) - 7_200
  const chain = new FakeChain({ genesisAtSeconds: atSeconds })
  const told: FakeEvent[][] = []
  const mine = chain.mine.bind(chain)
  chain.mine = (events = [], secondsLater = 12) => {
    told.push([...events])
    mine(events, secondsLater)
  }
  openMarket(chain)
  chain.mine([swap(alphaPool, sqrtPrices.alphaAt25, -2n * 10n ** 8n, 2n * 10n ** 16n)], 7_000)
  const graph = await startStandInSubgraph()
  graph.entities = await toSubgraphEntities(chain, [...chain.tokens.values()].map(withDecimals), told)
  graph.head = { number: chain.height, hash: `0x${'b1'.repeat(32)}`, timestamp: Math.floor(Date.now() / 1000) }

  const config = testConfig({ network, store: await stores.locate('sqlite'), sourceEnv: { SUBGRAPH_URL: graph.url } })
  const server = await startServer(config, chain)
  await server.full
  const get = async (path: string) => (await server.app.inject(path)).json()
  const [token] = (await get(`/assets.json?addresses=${alpha}`)) as WireToken[]
  expect(token).toMatchObject({ priceInUsd: 25, priceSource: 'subgraph', priceStatus: 'priced', pairSymbol: 'WNAT' })
  expect((await get(`/api/tokens/${alpha}/chart?range=1d`)).points.at(-1).price).toBe(25)
  expect(await get(`/api/tokens/${alpha}/swaps`)).toMatchObject([{ type: 'buy', tokenAmount: 2 }])
  expect(await get('/api/status')).toMatchObject({ block: chain.height, lagBlocks: 0, state: 'live' })
  await server.close()
  await graph.close()
})

it('a server ends at once while its subgraph hangs, no matter who waits for an answer', async () => {
  const graph = await startStandInSubgraph()
  graph.trouble = () => ({ kind: 'hang' })
  const config = testConfig({ network, store: await stores.locate('sqlite'), sourceEnv: { SUBGRAPH_URL: graph.url } })
  const server = await startServer(config, new FakeChain())
  const asked = fetch(`${server.url}/subgraph`, { method: 'POST', body: '{"query":"{ pools { id } }"}' })
  // The reading of prices, and the visitor's question.
  await vi.waitUntil(() => graph.queries.length === 2, patience)
  await server.close()
  expect(await (await asked).json()).toEqual({ errors: [{ message: 'The subgraph is not responding: the connection broke' }] })
  await graph.close()
})

function withDecimals<T extends { readonly decimals: number | undefined }>(token: T): T & { readonly decimals: number } {
  return { ...token, decimals: token.decimals ?? 0 }
}

const lines: string[] = []
const write = (level: string) => (_: object, text: string) => lines.push(`${level}: ${text}`)
const log = { info: write('info'), warn: write('warn'), error: write('error') }
const priceOf = (usdE18: bigint, atSeconds: number): PriceSource['read'] => {
  return async (tokens) => ({
    atBlock: { number: 1, hash: '0x00', timestampSeconds: atSeconds },
    answers: new Map(
      tokens.map(({ id }) => [
        id,
        { kind: 'quoted', displayPool: undefined, quote: { ...blank, usdE18, observedAtSeconds: atSeconds } },
      ]),
    ),
  })
}
const blank = {
  source: 'index' as const,
  ...offChain,
  confidence: 1,
  reasons: [],
  dayAgoUsdE18: undefined,
  weekAgoUsdE18: undefined,
  volume24hUsdE18: 0n,
  fdmcUsdE18: undefined,
  marketCapUsdE18: undefined,
}

it('a source without its key is left out, with one line in the log, and the next one sets the prices', async () => {
  lines.length = 0
  const clock = createFakeClock(Date.parse('2026-10-10T00:00:00Z'))
  const index: PriceSource = { name: 'index', read: priceOf(5n, clock.nowMs() / 1000) }
  const list = listCmcTokens(1)
  const opened = await openSources({
    ...{ store: await stores.openNew('sqlite'), list: () => list, env: {}, openChain: () => new FakeChain(), clock, log },
    network: {
      ...networkFile,
      prices: { sources: ['cmcListed', 'cmcDex', 'index'], depthFloorUsd: 50 },
      cmc: { network: 'test' },
    },
    index,
    onChange: () => undefined,
  })
  opened.start()
  await opened.keeper.readChain()
  expect(opened.keeper.merge().markets[0]?.quote).toMatchObject({ source: 'index', usdE18: 5n })
  expect(lines).toEqual(['info: CoinMarketCap is not used: CMC_API_KEY is not set'])
  await opened.stop()
})

it('with every upstream down for an hour the market stays, and says its age; it is back within one refresh', async () => {
  const startMs = Date.parse('2026-10-10T00:00:00Z')
  const clock = createFakeClock(startMs)
  const cmc = await startStandInCmc({ apiKey: cmcKey, nowMs: clock.nowMs })
  addCmcCoins(cmc, 1, clock.nowMs)
  let down = false
  const index: PriceSource = {
    name: 'index',
    read: async (tokens) => {
      if (down) throw new Failure('upstream-unavailable', 'The database is not responding', { retryable: true })
      return priceOf(2n * 10n ** 18n, clock.nowMs() / 1000)(tokens)
    },
  }
  const list = listCmcTokens(2)
  const opened = await openSources({
    ...{
      store: await stores.openNew('sqlite'),
      list: () => list,
      env: { CMC_API_KEY: cmcKey },
      openChain: () => new FakeChain(),
      clock,
      log,
    },
    network: {
      ...networkFile,
      prices: { sources: ['cmcListed', 'index'], depthFloorUsd: 50 },
      cmc: { network: 'test', baseUrl: cmc.url },
    },
    index,
    onChange: () => undefined,
  })
  const runTo = async (untilMs: number) => {
    while (!(await clock.next(2, untilMs)));
    await clock.whenAsleep(2)
    await opened.keeper.readChain()
  }
  opened.start()
  await clock.whenAsleep(2)
  await opened.keeper.readChain()
  const market = () => opened.keeper.merge().markets.map(({ quote, reasons }) => [quote?.source, quote?.usdE18, reasons[0]])
  expect(market()).toEqual([
    ['cmcListed', 10n ** 18n, 'CoinMarketCap says $1.00, the index $2.00: 50.0 % apart'],
    ['index', 2n * 10n ** 18n, undefined],
  ])

  down = true
  await cmc.setDown(true)
  await runTo(startMs + 3_600_000)
  expect(market()).toEqual([
    ['cmcListed', 10n ** 18n, 'Stale: the last good price is from 1h ago'],
    ['index', 2n * 10n ** 18n, 'Stale: the last good price is from 1h ago'],
  ])

  down = false
  await cmc.setDown(false)
  await runTo(startMs + 3_600_000 + 224_000)
  expect(opened.keeper.kept().map(({ failure }) => failure)).toEqual([undefined, undefined])
  expect(market().map(([, , reason]) => reason)).toEqual(['CoinMarketCap says $1.00, the index $2.00: 50.0 % apart', undefined])
  await opened.stop()
  await cmc.close()
})
