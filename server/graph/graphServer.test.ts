import { Failure } from '@chainboard/core'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { toValuation } from '../networkFile.ts'
import type { StoreLocation } from '../store/openStore.ts'
import { hash, insertRows, rows } from '../testing/graphFixture.ts'
import { factory, networkFile, trader, wrapped } from '../testing/market.ts'
import { createTempStores, engines } from '../testing/tempStores.ts'
import { createGraphServer, type GraphServer, type GraphServerLimits } from './graphServer.ts'
import { createSenderReader } from './readSenders.ts'

const stores = createTempStores()
const limits: GraphServerLimits = { timeoutMs: 20_000, waitingMax: 50, idleMs: 60_000 }
const bundles = JSON.stringify({ query: '{ bundles { ethPriceUSD } }' })
const answer = '{"data":{"bundles":[{"ethPriceUSD":"2500"}]}}'
const opened: GraphServer[] = []
const bugs: unknown[] = []

afterEach(async () => {
  await Promise.all(opened.splice(0).map((server) => server.close()))
  bugs.length = 0
})

const open = (
  store: StoreLocation,
  more: Partial<GraphServerLimits> = {},
  forward: (method: string, params: unknown) => Promise<unknown> = async () => null,
) => {
  const server = createGraphServer(
    {
      store,
      facts: { factory, valuation: toValuation(networkFile) },
      readTransactions: createSenderReader(forward),
      onBug: (error) => bugs.push(error),
    },
    { ...limits, ...more },
  )
  opened.push(server)
  return server
}

const filled = async (engine: (typeof engines)[number]) => {
  const location = await stores.locate(engine)
  const store = await stores.open(location)
  await insertRows(store, rows)
  return { location, store }
}

describe.each(engines)('the thread that answers queries, on %s', (engine) => {
  it('starts with the first query, and sees what is written later', async () => {
    const { location, store } = await filled(engine)
    const server = open(location)
    expect(server.isStarted()).toBe(false)
    expect(await server.answer(bundles)).toBe(answer)
    expect(server.isStarted()).toBe(true)
    await store.write(async (tx) => {
      await tx.updateTable('tokens').set({ price_usd: '3000000000000000000000' }).where('address', '=', wrapped).execute()
      await tx
        .updateTable('sync_cursor')
        .set({ block_number: 121, block_hash: hash('b2') })
        .execute()
    })
    expect(await server.answer(bundles)).toBe('{"data":{"bundles":[{"ethPriceUSD":"3000"}]}}')
    expect(bugs).toEqual([])
  })

  it('cannot write', async () => {
    const { openReader } = await import('../store/openReader.ts')
    const { location } = await filled(engine)
    const reader = await openReader(location, 5_000)
    await expect(reader.read.deleteFrom('swaps').execute()).rejects.toThrow(/read-?only/i)
    await reader.close()
  })
})

describe('the server of queries', () => {
  let location: StoreLocation
  beforeAll(async () => {
    ;({ location } = await filled('sqlite'))
  })

  it('asks the node once for who sent a transaction, and only when a query selects it', async () => {
    const calls: unknown[] = []
    const server = open(location, {}, async (method, params) => {
      calls.push([method, params])
      return { from: trader.toUpperCase().replace('0X', '0x'), gasPrice: '0x3b9aca00' }
    })
    await server.answer(JSON.stringify({ query: '{ swaps { id transaction { id gasUsed } } }' }))
    expect(calls).toEqual([])
    const query = JSON.stringify({ query: '{ swaps { origin transaction { gasPrice } } mints { origin } }' })
    const wanted = { data: { swaps: [{ origin: trader, transaction: { gasPrice: '1000000000' } }], mints: [{ origin: trader }] } }
    expect(JSON.parse(await server.answer(query))).toEqual(wanted)
    expect(JSON.parse(await server.answer(query))).toEqual(wanted)
    expect(calls).toEqual([['eth_getTransactionByHash', [hash('c1')]]])
  })

  it('tells the caller when the node is down, and the log when it is a bug', async () => {
    const down = open(location, {}, async () => {
      throw new Failure('rpc-unavailable', 'The node does not answer', { retryable: true })
    })
    const query = JSON.stringify({ query: '{ swaps { origin } }' })
    expect(JSON.parse(await down.answer(query))).toMatchObject({ errors: [{ message: 'The node does not answer' }] })
    expect(bugs).toEqual([])
    const broken = open(location, {}, async () => {
      throw new TypeError('a slip')
    })
    expect(JSON.parse(await broken.answer(query))).toMatchObject({
      errors: [{ message: 'The transactions could not be read from the node' }],
    })
    expect(bugs.map(String)).toEqual(['TypeError: a slip'])
    expect(JSON.parse(await open(location).answer(query))).toMatchObject({
      errors: [{ message: 'The node does not have a transaction of the index' }],
    })
  })

  it('answers in turn, and refuses what would wait behind too many', async () => {
    const server = open(location, { waitingMax: 1 })
    const answers = await Promise.all([bundles, bundles, bundles].map((body) => server.answer(body)))
    expect(answers).toEqual([
      answer,
      answer,
      '{"errors":[{"message":"Too many queries are waiting: try again in a few seconds"}]}',
    ])
  })

  it('ends a query that takes too long with its thread, and answers the next one with a new thread', async () => {
    let release: () => void = () => undefined
    const hung = new Promise((resolve) => {
      release = () => resolve({ from: trader })
    })
    const server = open(location, { timeoutMs: 3_000 }, () => hung as Promise<unknown>)
    const late = server.answer(JSON.stringify({ query: '{ swaps { origin } }' }))
    const next = server.answer(bundles)
    expect(await late).toBe('{"errors":[{"message":"query timed out"}]}')
    expect(await next).toBe(answer)
    release()
    expect(bugs).toEqual([])
  })

  it('ends its thread when no query comes for a while, and starts another for the next', async () => {
    const server = open(location, { idleMs: 1 })
    expect(await server.answer(bundles)).toBe(answer)
    await vi.waitFor(() => expect(server.isStarted()).toBe(false))
    expect(await server.answer(bundles)).toBe(answer)
  })

  it('says so when its thread cannot open the store, and tries again with the next query', async () => {
    const server = open({ file: `${stores.dir}/nothing.db` })
    const failed = '{"errors":[{"message":"Store error: the query could not be run"}]}'
    expect(await server.answer(bundles)).toBe(failed)
    expect(await server.answer(bundles)).toBe(failed)
    expect(bugs.map(String)).toEqual([expect.stringContaining('unable to open'), expect.stringContaining('unable to open')])
  })

  it('gives an error to what is under way when it closes', async () => {
    const server = open(location)
    const answers = [server.answer(bundles), server.answer(bundles)]
    await server.close()
    const closing = '{"errors":[{"message":"The server is closing"}]}'
    expect(await Promise.all(answers)).toEqual([closing, closing])
    expect(await server.answer(bundles)).toBe(closing)
    expect(server.isStarted()).toBe(false)
  })
})

describe('reading who sent transactions', () => {
  it('refuses more than 500 at once', async () => {
    const read = createSenderReader(async () => ({ from: trader, gasPrice: '0x1' }))
    const hashes = Array.from({ length: 501 }, (_, i) => `0x${i}`)
    await expect(read(hashes)).rejects.toThrow('for at most 500 transactions at once')
    expect(await read(hashes.slice(0, 500))).toHaveLength(500)
    // What is known already is not asked for.
    expect(await read(hashes)).toHaveLength(501)
  })
})
