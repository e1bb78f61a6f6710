import type { WireToken } from '@chainboard/contract'
import { Client } from 'pg'
import { afterEach, describe, expect, inject, it } from 'vitest'
import { FakeChain } from '../chain/fakeChain.ts'
import type { Config } from '../config.ts'
import { toTokenList } from '../market/tokenList.ts'
import { type Server, startServer } from '../startServer.ts'
import { openStore } from '../store/openStore.ts'
import type { StoreLocation } from '../store/storeLocation.ts'
import { cmcKey } from '../testing/cmcWorld.ts'
import { dumpIndex } from '../testing/dumpIndex.ts'
import { followToHead } from '../testing/followToHead.ts'
import { alpha, alphaPool, listed, networkFile, openMarket, sqrtPrices, swap } from '../testing/market.ts'
import { startStandInCmc } from '../testing/standInCmc.ts'
import { createTempStores } from '../testing/tempStores.ts'
import { testConfig } from '../testing/testConfig.ts'

const stores = createTempStores()
const running = new Set<Server>()
afterEach(async () => {
  await Promise.all([...running].map((server) => server.close()))
  running.clear()
})

async function start(
  store: StoreLocation,
  chain: FakeChain,
  role: Config['role'] = 'auto',
  changes?: Partial<Config>,
): Promise<Server> {
  const server = await startServer(testConfig({ store, role, ...changes }), chain)
  running.add(server)
  return server
}

async function stop(server: Server): Promise<void> {
  running.delete(server)
  await server.close()
}

const get = async (server: Server, path: string) => (await server.app.inject(path)).json()
const priceOf = async (server: Server) => ((await get(server, `/assets.json?addresses=${alpha}`)) as WireToken[])[0]?.priceInUsd
const figure = async (server: Server, name: string) =>
  Number(new RegExp(`^${name} (.+)$`, 'm').exec((await server.app.inject('/metrics')).body)?.[1])
const leads = (server: Server) => figure(server, 'chainboard_leader')

/** A chain that has room for so many trades until now. */
function openChain(trades: number): FakeChain {
  const chain = new FakeChain({ genesisAtSeconds: Math.floor(Date.now() / 1000) - 20 - 460 * trades })
  openMarket(chain)
  return chain
}

/** A trade, and the time after which its price is the median of the last minutes. */
function trade(chain: FakeChain, price: bigint): void {
  chain.mine([swap(alphaPool, price, -2n * 10n ** 8n, 2n * 10n ** 16n)], 60)
  chain.mine([], 400)
}

/** Price events of a stream, as `id price`, until so many are there or the stream ends. */
async function read(server: Server, count: number, lastEventId?: string): Promise<string[]> {
  const line = new AbortController()
  const headers = lastEventId === undefined ? {} : { 'last-event-id': lastEventId }
  const { body } = await fetch(`${server.url}/api/v1/stream?addresses=${alpha}`, { headers, signal: line.signal })
  const heard: string[] = []
  let text = ''
  for await (const part of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += part
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const [, id, name, data] = /id: (.*)\nevent: (.*)\ndata: (.*)$/.exec(text.slice(0, end)) ?? []
      text = text.slice(end + 2)
      if (name === 'ready') heard.push(`${id} ${JSON.parse(data ?? '').resumed}`)
      if (name === 'price') heard.push(`${id} ${JSON.parse(data ?? '').usdPrice}`)
    }
    if (heard.length >= count) break
  }
  line.abort()
  return heard
}

/** As a restart of PostgreSQL does. */
async function endConnections(location: StoreLocation): Promise<void> {
  if (!('databaseUrl' in location)) throw new Error('PostgreSQL has a URL')
  const client = new Client({ connectionString: location.databaseUrl })
  await client.connect()
  await client.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  )
  await client.end()
}

async function dump(location: StoreLocation) {
  const store = await openStore(location)
  const rows = await dumpIndex(store)
  await store.close()
  return rows
}

describe.skipIf(!inject('postgresUrl'))('servers on one PostgreSQL', () => {
  it('one of three that start together leads, all have its board, and the index is that of a single server', async () => {
    const [chain, location] = [openChain(1), await stores.locate('postgres')]
    const servers = await Promise.all([start(location, chain), start(location, chain), start(location, chain)])
    await Promise.all(servers.map(({ full }) => full))
    trade(chain, sqrtPrices.alphaAt25)
    for (const server of servers) await expect.poll(() => priceOf(server)).toBe(25)
    expect((await Promise.all(servers.map(leads))).toSorted()).toEqual([0, 0, 1])
    const sequences = await Promise.all(servers.map((server) => figure(server, 'chainboard_board_sequence')))
    expect(new Set(sequences).size).toBe(1)
    expect(await Promise.all(servers.map((server) => figure(server, 'chainboard_leader_epoch')))).toEqual([1, 1, 1])
    for (const server of servers) {
      expect(await get(server, '/api/status')).toMatchObject({ block: chain.height, lagBlocks: 0, state: 'live' })
      expect((await server.app.inject('/readyz')).statusCode).toBe(200)
    }
    const alone = await stores.locate('sqlite')
    const single = await start(alone, chain)
    await expect.poll(() => priceOf(single)).toBe(25)
    await Promise.all(servers.map(stop))
    await stop(single)
    expect(await dump(location)).toEqual(await dump(alone))
  })

  it('another leads when the leader ends, and who read its stream continues at any server, without a gap and nothing twice', async () => {
    const [chain, location] = [openChain(2), await stores.locate('postgres')]
    const first = await start(location, chain)
    await first.full
    const serving = await start(location, chain, 'serve')
    const next = await start(location, chain)
    const readers = [first, serving, next].map((server) => read(server, 2))
    await expect
      .poll(() => Promise.all([first, serving, next].map((server) => figure(server, 'chainboard_api_streams'))))
      .toEqual([1, 1, 1])
    trade(chain, sqrtPrices.alphaAt25)
    const [heard, ...others] = await Promise.all(readers)
    expect(heard).toEqual([expect.stringMatching(/^[0-9a-f]{8}-\d+ false$/), expect.stringMatching(/ 25$/)])
    expect(others).toEqual([heard, heard])
    await stop(first)
    // Before anybody leads: the next one has to tell what changed since the last board.
    trade(chain, sqrtPrices.alphaAt6)
    await expect.poll(() => Promise.all([serving, next].map(leads))).toEqual([0, 1])
    await expect.poll(() => Promise.all([serving, next].map(priceOf))).toEqual([6.25, 6.25])
    const id = heard?.[1]?.split(' ')[0] ?? ''
    const [goneOn, same] = await Promise.all([serving, next].map((server) => read(server, 2, id)))
    expect(goneOn).toEqual([`${id} true`, expect.stringMatching(/ 6.25$/)])
    expect(same).toEqual(goneOn)
    const later = await start(location, chain)
    expect(await read(later, 2, id)).toEqual(goneOn)
    expect(await figure(later, 'chainboard_leader_epoch')).toBe(2)
  })

  it('a change that a leader stored, and ended before it published it, is published by the next one', async () => {
    const [chain, location] = [openChain(1), await stores.locate('postgres')]
    const first = await start(location, chain)
    await first.full
    const [ready = ''] = await read(first, 1)
    const [id = ''] = ready.split(' ')
    await stop(first)
    trade(chain, sqrtPrices.alphaAt25)
    const store = await stores.open(location)
    await followToHead(chain, store)
    await store.close()
    const next = await start(location, chain)
    expect(await read(next, 2, id)).toEqual([`${id} true`, expect.stringMatching(/ 25$/)])
  })

  it('a price of a source stays with the next leader, which has to ask the source first', async () => {
    const [chain, location] = [openChain(1), await stores.locate('postgres')]
    const cmc = await startStandInCmc({ apiKey: cmcKey })
    const quote = { USD: { price: 7, last_updated: new Date().toISOString() } }
    cmc.coins.push({ id: 1, slug: 'alpha', symbol: 'ALPHA', quote })
    const changes: Partial<Config> = {
      network: {
        ...networkFile,
        prices: { ...networkFile.prices, sources: ['cmcListed', 'index'] },
        cmc: { network: 'test', baseUrl: cmc.url },
      },
      tokenList: toTokenList(
        listed.map((token) =>
          token.address === alpha ? { ...token, cmcUrl: 'https://coinmarketcap.com/currencies/alpha/' } : token,
        ),
        [],
      ),
      sourceEnv: { CMC_API_KEY: cmcKey },
    }
    const first = await start(location, chain, 'auto', changes)
    const [second, third] = [await start(location, chain, 'auto', changes), await start(location, chain, 'serve', changes)]
    await expect.poll(() => priceOf(third)).toBe(7)
    const before = await figure(third, 'chainboard_board_sequence')
    cmc.next.push('hang')
    await stop(first)
    await expect.poll(() => figure(third, 'chainboard_board_sequence')).toBeGreaterThan(before)
    // The second leader has asked: it is the one whose question hangs.
    await expect.poll(() => cmc.next).toEqual([])
    expect(await priceOf(third)).toBe(7)
    await stop(second)
    quote.USD.price = 8
    const fourth = await start(location, chain, 'auto', changes)
    await expect.poll(() => Promise.all([priceOf(third), priceOf(fourth)])).toEqual([8, 8])
    await cmc.close()
  })

  it('nobody ends when PostgreSQL ends all connections: each answers from its board meanwhile, and continues', async () => {
    const [chain, location] = [openChain(1), await stores.locate('postgres')]
    const servers = await Promise.all([start(location, chain), start(location, chain)])
    await Promise.all(servers.map(({ full }) => full))
    await endConnections(location)
    trade(chain, sqrtPrices.alphaAt25)
    expect(await Promise.all(servers.map(priceOf))).toEqual([6.25, 6.25])
    for (const server of servers) await expect.poll(() => priceOf(server)).toBe(25)
    // The one that led hears only on its next connection that the other one was quicker.
    await expect.poll(async () => (await Promise.all(servers.map(leads))).toSorted()).toEqual([0, 1])
  })

  it('streams of an address count on all servers, and those of a server that has ended count no more', async () => {
    const [chain, location] = [openChain(0), await stores.locate('postgres')]
    const [first, second] = [await start(location, chain), await start(location, chain)]
    const lines: AbortController[] = []
    const open = async (server: Server) => {
      const line = new AbortController()
      lines.push(line)
      return (await fetch(`${server.url}/api/v1/stream`, { signal: line.signal })).status
    }
    expect(await Promise.all(Array.from({ length: 10 }, () => open(first)))).toEqual(Array(10).fill(200))
    const opened: number[] = []
    // Each that gets through is closed at once, or ten here would be refused for themselves.
    await expect
      .poll(async () => {
        opened.push(await open(second))
        if (opened.at(-1) === 200) lines.at(-1)?.abort()
        return opened.at(-1)
      })
      .toBe(429)
    await stop(first)
    await expect.poll(() => open(second)).toBe(200)
    for (const line of lines) line.abort()
  })
})
