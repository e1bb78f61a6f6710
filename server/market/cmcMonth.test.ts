import { afterEach, expect, it } from 'vitest'
import { FakeChain } from '../chain/fakeChain.ts'
import { addCredits } from '../store/credits.ts'
import { addCmcCoins, cmcKey, listCmcTokens } from '../testing/cmcWorld.ts'
import { createFakeClock, type FakeClock } from '../testing/fakeClock.ts'
import { networkFile } from '../testing/market.ts'
import { type StandInCmc, startStandInCmc } from '../testing/standInCmc.ts'
import { createTempStores } from '../testing/tempStores.ts'
import { openSources } from './openSources.ts'
import type { SourceName } from './source.ts'

const stores = createTempStores()
const at = (text: string) => Date.parse(text)
const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined }
const minuteMs = 60_000

let cmc: StandInCmc
afterEach(() => cmc.close())

/** The sources as a server opens them, by the clock given. */
async function open(
  clock: FakeClock,
  location: Awaited<ReturnType<typeof stores.locate>>,
  {
    tokens = 100,
    sources = ['cmcListed'],
    creditsPerMonth,
  }: { tokens?: number; sources?: SourceName[]; creditsPerMonth?: number } = {},
) {
  const list = listCmcTokens(tokens)
  const store = await stores.open(location)
  const opened = await openSources({
    store,
    network: {
      ...networkFile,
      prices: { sources, depthFloorUsd: 50 },
      cmc: { network: 'test', baseUrl: cmc.url, ...(creditsPerMonth ? { creditsPerMonth } : {}) },
    },
    list: () => list,
    env: { CMC_API_KEY: cmcKey },
    openChain: () => new FakeChain(),
    index: undefined,
    clock,
    log: quiet,
    onChange: () => undefined,
  })
  opened.start()
  // Two sleep between readings: the poll, and what looks at the age of prices.
  const runTo = async (untilMs: number) => {
    while (!(await clock.next(2, untilMs)));
    await clock.whenAsleep(2)
  }
  await clock.whenAsleep(2)
  return {
    ...opened,
    runTo,
    close: async () => {
      await opened.stop()
      await store.close()
    },
  }
}

it('100 listed tokens cost at most 12,000 credits in a month at the default settings, restarts included', {
  timeout: 300_000,
}, async () => {
  const clock = createFakeClock(at('2026-10-20T00:00:00Z'))
  cmc = await startStandInCmc({ apiKey: cmcKey, nowMs: clock.nowMs })
  addCmcCoins(cmc, 100, clock.nowMs)
  const location = await stores.locate('sqlite')
  // A day is 386 readings, one every 224 s: those of 19 days are spent, as if the days to come had come before.
  const before = 7_334
  const store = await stores.open(location)
  await store.write((tx) => addCredits(tx, { service: 'coinmarketcap', month: '2026-10' }, before))
  await store.close()
  for (let day = 20; day <= 31; day += 1) {
    const server = await open(clock, location)
    await server.runTo(at('2026-10-01T00:00:00Z') + day * 24 * 60 * minuteMs - 1)
    await server.close()
  }
  expect(before + cmc.creditsSpent()).toBeLessThanOrEqual(12_000)
  // Nor does it keep so far away from them that the prices are older than planned: a reading every 224 s is 11,958 credits.
  expect(before + cmc.creditsSpent()).toBeGreaterThan(11_900)
  expect(cmc.calls).toHaveLength(cmc.creditsSpent())
})

it('a server that starts again every five seconds does not spend the month in a day', { timeout: 120_000 }, async () => {
  const clock = createFakeClock(at('2026-10-01T00:00:00Z'))
  cmc = await startStandInCmc({ apiKey: cmcKey, nowMs: clock.nowMs })
  addCmcCoins(cmc, 1, clock.nowMs)
  const location = await stores.locate('sqlite')
  for (let start = 0; start < 40; start += 1) {
    const server = await open(clock, location, { tokens: 1, creditsPerMonth: 200 })
    await server.runTo(clock.nowMs() + 5_000)
    await server.close()
  }
  // A twentieth ahead of time, and not one more in the first minutes of the month.
  expect(cmc.calls).toHaveLength(10)
})

it('spends the last credit of a month, waits with the last values kept, and continues in the next', {
  timeout: 120_000,
}, async () => {
  const clock = createFakeClock(at('2026-10-31T20:00:00Z'))
  cmc = await startStandInCmc({ apiKey: cmcKey, nowMs: clock.nowMs })
  addCmcCoins(cmc, 2, clock.nowMs)
  // Each answer says that it cost 400 of the 1,000.
  const body = { data: { '1': cmc.coins[0] }, status: { error_code: 0, credit_count: 400 } }
  cmc.next.push(...Array(3).fill({ status: 200, body }))
  const server = await open(clock, await stores.locate('sqlite'), { tokens: 2, creditsPerMonth: 1_000 })
  await server.runTo(at('2026-10-31T23:59:59Z'))
  expect(cmc.calls).toHaveLength(3)
  expect(server.keeper.kept()[0]?.failure).toBe(
    "No calls to CoinMarketCap until 2026-11-01 00:00 UTC: the month's credits are spent",
  )
  const [market] = server.keeper.merge().markets
  expect(market?.quote?.usdE18).toBe(10n ** 18n)
  await server.runTo(at('2026-11-01T00:00:30Z'))
  expect(cmc.calls).toHaveLength(4)
  expect(server.keeper.kept()[0]?.failure).toBeUndefined()
  expect(server.cmc?.credits.spentThisMonth()).toBe(1)
  await server.close()
})

it('asks about DEX pairs for those only that the listing does not price, once it is known which', {
  timeout: 60_000,
}, async () => {
  const clock = createFakeClock(at('2026-10-10T00:00:00Z'))
  cmc = await startStandInCmc({ apiKey: cmcKey, networks: ['test'], nowMs: clock.nowMs })
  addCmcCoins(cmc, 2, clock.nowMs)
  const list = listCmcTokens(3)
  const pool = (byte: string) => `0x${byte.repeat(20)}`
  const priceInfo = (byte: string) => ({ poolAddress: pool(byte), baseToken: { symbol: 'USDC' }, feeTier: 3_000 })
  const tokens = list.tokens.map((token, i) => ({ ...token, priceInfo: priceInfo(['a1', 'b2', 'C3'][i] ?? '') }))
  const withPools = { tokens, highlighted: [] }
  cmc.pairs.push({
    contract_address: pool('c3'),
    base_asset_contract_address: tokens[2]?.address,
    quote_asset_contract_address: pool('99'),
    quote: [{ convert_id: '2781', price: 4, last_updated: '2026-10-09T23:59:00Z' }],
  })
  const store = await stores.openNew('sqlite')
  const opened = await openSources({
    store,
    network: {
      ...networkFile,
      prices: { sources: ['cmcListed', 'cmcDex'], depthFloorUsd: 50 },
      cmc: { network: 'Test', baseUrl: cmc.url },
    },
    list: () => withPools,
    env: { CMC_API_KEY: cmcKey },
    openChain: () => new FakeChain(),
    index: { name: 'index', read: async () => ({ atBlock: undefined, answers: new Map() }) },
    clock,
    log: quiet,
    onChange: () => undefined,
  })
  opened.start()
  await opened.keeper.readChain()
  await clock.whenAsleep(3)
  expect(cmc.calls.map((call) => call.split('?')[0])).toEqual(['/v2/cryptocurrency/quotes/latest', '/v4/dex/pairs/quotes/latest'])
  expect(cmc.calls[1]).toContain(`contract_address=${pool('c3')}&network_slug=test`)
  const snapshot = opened.keeper.merge()
  expect(snapshot.markets.map(({ quote }) => quote?.source)).toEqual(['cmcListed', 'cmcListed', 'cmcDex'])
  expect(snapshot.markets[2]?.quote?.usdE18).toBe(4n * 10n ** 18n)
  await opened.stop()
})

it('with CoinMarketCap down for an hour the values stay, and are fresh within one refresh of its return', {
  timeout: 60_000,
}, async () => {
  const clock = createFakeClock(at('2026-10-10T00:00:00Z'))
  cmc = await startStandInCmc({ apiKey: cmcKey, nowMs: clock.nowMs })
  addCmcCoins(cmc, 100, clock.nowMs)
  const server = await open(clock, await stores.locate('sqlite'))
  const first = () => server.keeper.merge().markets[0]
  expect(first()).toMatchObject({ quote: { observedAtSeconds: at('2026-10-10T00:00:00Z') / 1000 }, reasons: [] })

  await cmc.setDown(true)
  await server.runTo(at('2026-10-10T01:00:00Z'))
  expect(first()).toMatchObject({
    quote: { usdE18: 10n ** 18n, observedAtSeconds: at('2026-10-10T00:00:00Z') / 1000 },
    reasons: ['Stale: the last good price is from 1h ago', 'CoinMarketCap is not responding: ECONNREFUSED'],
  })

  await cmc.setDown(false)
  await server.runTo(at('2026-10-10T01:00:00Z') + 224_000)
  expect(first()).toMatchObject({ reasons: [] })
  expect(first()?.quote?.observedAtSeconds).toBeGreaterThan(at('2026-10-10T01:00:00Z') / 1000)
  await server.close()
})

it('an outage of a day costs hardly more credits than a day without one, pairs included', { timeout: 60_000 }, async () => {
  const startMs = at('2026-10-10T00:00:00Z')
  const clock = createFakeClock(startMs)
  cmc = await startStandInCmc({ apiKey: cmcKey, networks: ['test'], nowMs: clock.nowMs })
  addCmcCoins(cmc, 50, clock.nowMs)
  const list = listCmcTokens(100)
  const tokens = list.tokens.map((token) => ({
    ...token,
    priceInfo: { poolAddress: token.address.replace('0x00', '0xaa'), baseToken: { symbol: 'USDC' }, feeTier: 3_000 },
  }))
  const withPools = { tokens, highlighted: [] }
  const opened = await openSources({
    store: await stores.openNew('sqlite'),
    network: {
      ...networkFile,
      prices: { sources: ['cmcListed', 'cmcDex'], depthFloorUsd: 50 },
      cmc: { network: 'test', baseUrl: cmc.url },
    },
    list: () => withPools,
    env: { CMC_API_KEY: cmcKey },
    openChain: () => new FakeChain(),
    index: { name: 'index', read: async () => ({ atBlock: undefined, answers: new Map() }) },
    clock,
    log: quiet,
    onChange: () => undefined,
  })
  opened.start()
  await opened.keeper.readChain()
  await clock.whenAsleep(3)
  // The listing has 50 of 100: the other half is asked about as pairs.
  expect(opened.cmc?.credits.spentThisMonth()).toBe(51)
  await cmc.setDown(true)
  while (!(await clock.next(3, startMs + 86_400_000)));
  await clock.whenAsleep(3)
  // Planned for a day are 194 for the listing, every 447 s, and 200 for four readings of 50 pairs, every 22,320 s.
  expect(opened.cmc?.credits.spentThisMonth()).toBeLessThan(194 + 200 + 3 * 50 + 20)
  await opened.stop()
})
