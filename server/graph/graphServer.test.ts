import { createHook } from 'node:async_hooks'
import { DatabaseSync } from 'node:sqlite'
import { Failure } from '@chainboard/core'
import { Client } from 'pg'
import { afterEach, beforeAll, describe, expect, inject, it, vi } from 'vitest'
import type { TransactionReader } from '../chain/readTransactions.ts'
import { toValuation } from '../networkFile.ts'
import type { StoreLocation } from '../store/storeLocation.ts'
import { hash, insertRows, rows } from '../testing/graphFixture.ts'
import { factory, networkFile, trader, wrapped } from '../testing/market.ts'
import { createTempStores, engines } from '../testing/tempStores.ts'
import { createClientShares } from './clientShares.ts'
import { createGraphServer, type GraphServer, type GraphServerLimits } from './graphServer.ts'
import { createKeptAnswers } from './keptAnswers.ts'
import { createSenderReader } from './readSenders.ts'

const stores = createTempStores()
const limits: GraphServerLimits = { timeoutMs: 20_000, waitingMax: 50, waitMs: 20_000, idleMs: 60_000, closeMs: 10_000 }
const bundles = JSON.stringify({ query: '{ bundles { ethPriceUSD } }' })
const answer = '{"data":{"bundles":[{"ethPriceUSD":"2500"}]}}'
const here = '192.0.2.1'
const opened: GraphServer[] = []
const bugs: unknown[] = []

afterEach(async () => {
  await Promise.all(opened.splice(0).map((server) => server.close()))
  bugs.length = 0
})

const nobody = async (hashes: readonly unknown[]) => hashes.map(() => undefined)
const sentByTrader = async (hashes: readonly unknown[]) => hashes.map(() => ({ origin: trader, gasPriceWei: 1n }))

const open = (store: StoreLocation, more: Partial<GraphServerLimits> = {}, read?: TransactionReader) =>
  openWith(store, { ...limits, ...more }, read)

/** @param given read for each query: a test may change them from one to the next */
const openWith = (store: StoreLocation, given: GraphServerLimits, read: TransactionReader = nobody) => {
  const server = createGraphServer(
    {
      store,
      facts: { factory, valuation: toValuation(networkFile) },
      readTransactions: createSenderReader(read),
      onBug: (error) => bugs.push(error),
    },
    given,
  )
  opened.push(server)
  return server
}

const ask = async (server: GraphServer, question: string, client: string) => (await server.answer(question, client)).body

const filled = async (engine: (typeof engines)[number]) => {
  const location = await stores.locateNew(engine)
  const store = await stores.open(location)
  await insertRows(store, rows)
  return { location, store }
}

describe.each(engines)('the thread that answers queries, on %s', (engine) => {
  it('starts with the first query, and sees what is written later', async () => {
    const { location, store } = await filled(engine)
    const server = open(location)
    expect(server.isStarted()).toBe(false)
    expect(await ask(server, bundles, here)).toBe(answer)
    expect(server.isStarted()).toBe(true)
    await store.write(async (tx) => {
      await tx.updateTable('tokens').set({ price_usd: '3000000000000000000000' }).where('address', '=', wrapped).execute()
      await tx
        .updateTable('sync_cursor')
        .set({ block_number: 121, block_hash: hash('b2') })
        .execute()
    })
    expect(await ask(server, bundles, here)).toBe('{"data":{"bundles":[{"ethPriceUSD":"3000"}]}}')
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
    const server = open(location, {}, async (hashes) => {
      calls.push(hashes)
      return hashes.map(() => ({ origin: trader, gasPriceWei: 1_000_000_000n }))
    })
    await ask(server, JSON.stringify({ query: '{ swaps { id transaction { id gasUsed } } }' }), here)
    expect(calls).toEqual([])
    const query = JSON.stringify({ query: '{ swaps { origin transaction { gasPrice } } mints { origin } }' })
    const wanted = { data: { swaps: [{ origin: trader, transaction: { gasPrice: '1000000000' } }], mints: [{ origin: trader }] } }
    expect(JSON.parse(await ask(server, query, here))).toEqual(wanted)
    expect(JSON.parse(await ask(server, query, here))).toEqual(wanted)
    expect(calls).toEqual([[hash('c1')]])
  })

  it('tells the caller when the node is down, and the log when it is a bug', async () => {
    const down = open(location, {}, async () => {
      throw new Failure('rpc-unavailable', 'The node is not responding', { retryable: true })
    })
    const query = JSON.stringify({ query: '{ swaps { origin } }' })
    expect(JSON.parse(await ask(down, query, here))).toMatchObject({ errors: [{ message: 'The node is not responding' }] })
    expect(bugs).toEqual([])
    const broken = open(location, {}, async () => {
      throw new TypeError('a slip')
    })
    expect(JSON.parse(await ask(broken, query, here))).toMatchObject({
      errors: [{ message: 'The transactions could not be read from the node' }],
    })
    expect(bugs.map(String)).toEqual(['TypeError: a slip'])
    expect(JSON.parse(await ask(open(location), query, here))).toMatchObject({
      errors: [{ message: 'The node does not have a transaction of the index' }],
    })
  })

  it('answers in turn, and refuses what would wait behind too many', async () => {
    const server = open(location, { waitingMax: 1 })
    const answers = await Promise.all([bundles, bundles, bundles].map((body) => ask(server, body, here)))
    expect(answers).toEqual([
      answer,
      answer,
      '{"errors":[{"message":"Too many queries are waiting. Try again in a few seconds"}]}',
    ])
  })

  it('ends a query that takes too long with its thread, and answers the next one with a new thread', async () => {
    const hung = Promise.withResolvers<Awaited<ReturnType<TransactionReader>>>()
    const given = { ...limits }
    const server = openWith(location, given, () => hung.promise)
    // However long a thread takes to start, here and for the next one: only the query that hangs has little time.
    expect(await ask(server, bundles, here)).toBe(answer)
    given.timeoutMs = 200
    const late = ask(server, JSON.stringify({ query: '{ swaps { origin } }' }), here)
    given.timeoutMs = limits.timeoutMs
    const next = ask(server, bundles, here)
    expect(await late).toBe('{"errors":[{"message":"query timed out"}]}')
    expect(await next).toBe(answer)
    hung.resolve([{ origin: trader, gasPriceWei: 1n }])
    expect(bugs).toEqual([])
  })

  it('ends its thread when no query comes for a while, and starts another for the next', async () => {
    const server = open(location, { idleMs: 1 })
    expect(await ask(server, bundles, here)).toBe(answer)
    await vi.waitFor(() => expect(server.isStarted()).toBe(false), { timeout: 15_000 })
    expect(await ask(server, bundles, here)).toBe(answer)
  })

  it('says so when its thread cannot open the store, and tries again with the next query', async () => {
    const server = open({ file: `${stores.dir}/nothing.db` })
    const failed = '{"errors":[{"message":"Store error: the query could not be run"}]}'
    expect(await ask(server, bundles, here)).toBe(failed)
    expect(await ask(server, bundles, here)).toBe(failed)
    expect(bugs.map(String)).toEqual([expect.stringContaining('unable to open'), expect.stringContaining('unable to open')])
  })

  it('gives an error to what is under way when it closes', async () => {
    const server = open(location)
    const answers = [ask(server, bundles, here), ask(server, bundles, here)]
    await server.close()
    const closing = '{"errors":[{"message":"The server is closing"}]}'
    expect(await Promise.all(answers)).toEqual([closing, closing])
    expect(await ask(server, bundles, here)).toBe(closing)
    expect(server.isStarted()).toBe(false)
  })

  it('leaves no timer of its own when it is closed: the process would end that much later', async () => {
    const server = open(location)
    const timers = new Set<number>()
    const hook = createHook({
      init: (id, type) => void (type === 'Timeout' && new Error('here').stack?.includes('graphServer.ts') && timers.add(id)),
      destroy: (id) => void timers.delete(id),
    }).enable()
    await server.close()
    await new Promise((turn) => setImmediate(turn))
    hook.disable()
    expect(timers.size).toBe(0)
  })
})

describe.runIf(engines.includes('postgres'))('while PostgreSQL is away', () => {
  it('a question that was answered before has that answer with its age, another one says why it has none', async () => {
    const { location, store } = await filled('postgres')
    const server = open(location)
    expect(await server.answer(bundles, here)).toEqual({ body: answer })
    await store.close()
    const { pathname } = new URL((location as { databaseUrl: string }).databaseUrl)
    const name = pathname.slice(1)
    const admin = new Client({ connectionString: `${inject('postgresUrl')}/postgres` })
    await admin.connect()
    // Waits until they have ended: a database that somebody uses keeps its name.
    await admin.query('select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = $1', [name])
    await admin.query(`alter database ${name} rename to ${name}_away`)
    expect(await server.answer(bundles, here)).toEqual({ body: answer, ageSeconds: expect.any(Number) })
    expect(await ask(server, JSON.stringify({ query: '{ factories { id } }' }), here)).toBe(
      '{"errors":[{"message":"The database is not responding"}]}',
    )
    await admin.query(`alter database ${name}_away rename to ${name}`)
    await admin.end()
    expect(await server.answer(bundles, here)).toEqual({ body: answer })
    expect(bugs).toEqual([])
  })
})

describe('answers that are kept', () => {
  const body = '{"data":{}}'

  it('are given for an hour, with their age', () => {
    let nowMs = 0
    const kept = createKeptAnswers(() => nowMs)
    kept.keep('q', body)
    nowMs = 61_500
    expect(kept.find('q')).toEqual({ body, ageSeconds: 61 })
    expect(kept.find('another')).toBeUndefined()
    nowMs = 3_600_001
    expect(kept.find('q')).toBeUndefined()
  })

  it('are at most 500, the last asked for, and none is over 500,000 letters', () => {
    const kept = createKeptAnswers(() => 0)
    for (let i = 0; i <= 500; i += 1) kept.keep(`q${i}`, body)
    expect(kept.find('q0')).toBeUndefined()
    expect(kept.find('q1')).toEqual({ body, ageSeconds: 0 })
    kept.keep('long', 'x'.repeat(500_000))
    expect(kept.find('long')).toBeUndefined()
  })
})

describe('a thread in the middle of a statement that nothing can interrupt', () => {
  // As long as another holds the file for itself, SQLite waits within its call: up to five seconds.
  const hold = async () => {
    const { location, store } = await filled('sqlite')
    await store.close()
    const holder = new DatabaseSync((location as { file: string }).file)
    holder.exec('pragma locking_mode = exclusive; begin exclusive')
    return { location, holder }
  }

  it('is the only one: no other starts before its exit, and queries wait for it no longer than they may', async () => {
    const { location, holder } = await hold()
    const given = { ...limits, timeoutMs: 2_000, waitMs: 200 }
    const server = openWith(location, given)
    const timedOut = '{"errors":[{"message":"query timed out"}]}'
    expect(await ask(server, bundles, here)).toBe(timedOut)
    expect(await ask(server, bundles, here)).toBe(timedOut)
    expect(server.isStarted()).toBe(false)
    Object.assign(given, limits)
    holder.close()
    expect(await ask(server, bundles, here)).toBe(answer)
  })

  it('does not hold up closing', async () => {
    const { location, holder } = await hold()
    const server = open(location, { timeoutMs: 2_000, closeMs: 50 })
    await ask(server, bundles, here)
    // The thread is held until the holder lets go, which is after this.
    await server.close()
    holder.close()
  })
})

describe('the shares of clients', () => {
  it('leave places for others: four queries of one address run or wait', async () => {
    const { location } = await filled('sqlite')
    const server = open(location)
    const own = Array.from({ length: 5 }, () => ask(server, bundles, here))
    const other = ask(server, bundles, '192.0.2.2')
    expect(await own[4]).toBe('{"errors":[{"message":"Too many queries are waiting. Try again in a few seconds"}]}')
    expect(await Promise.all([...own.slice(0, 4), other])).toEqual(Array(5).fill(answer))
    expect(await ask(server, bundles, here)).toBe(answer)
  })

  it('are 20 s of the thread within a minute', () => {
    let nowMs = 0
    const shares = createClientShares(() => nowMs)
    shares.enter(here)
    shares.leave(here, 19_999)
    expect(shares.refuse(here)).toBeUndefined()
    shares.enter(here)
    shares.leave(here, 1)
    expect(shares.refuse(here)).toBe('Too many queries: yours took more than 20 s within a minute. Try again in a minute')
    expect(shares.refuse('192.0.2.2')).toBeUndefined()
    nowMs = 60_000
    expect(shares.refuse(here)).toBeUndefined()
  })
})

describe('reading who sent transactions', () => {
  it('counts all that one query asks for, and asks for no more once it has ended', async () => {
    let calls = 0
    const read = createSenderReader(async (hashes) => {
      calls += hashes.length
      return sentByTrader(hashes)
    })
    const hashes = (from: number, count: number) => Array.from({ length: count }, (_, i) => `0x${from + i}`)
    const query = new AbortController()
    await read(hashes(0, 300), query.signal)
    await expect(read(hashes(300, 201), query.signal)).rejects.toThrow('for at most 500 transactions per query')
    await read(hashes(300, 200), query.signal)
    await read(hashes(500, 201), new AbortController().signal)
    expect(calls).toBe(701)
    query.abort()
    await expect(read(['0xff'], query.signal)).rejects.toThrow('per query')
    const ended = new AbortController()
    const late = read(hashes(1_000, 500), ended.signal)
    ended.abort()
    await expect(late).rejects.toThrow('The query has ended')
    expect(calls).toBe(751)
  })

  it('refuses more than 5,000 of all queries within a minute', async () => {
    let nowMs = 0
    const read = createSenderReader(sentByTrader, () => nowMs)
    const batch = (i: number) => Array.from({ length: 500 }, (_, j) => `0x${i}-${j}`)
    for (let i = 0; i < 10; i += 1) await read(batch(i))
    await expect(read(['0xff'])).rejects.toThrow('queried too often in this minute')
    expect(await read(batch(0))).toHaveLength(500)
    nowMs = 60_000
    expect(await read(['0xff'])).toHaveLength(1)
  })

  it('refuses more than 500 at once', async () => {
    const read = createSenderReader(sentByTrader)
    const hashes = Array.from({ length: 501 }, (_, i) => `0x${i}`)
    await expect(read(hashes)).rejects.toThrow('for at most 500 transactions per query')
    expect(await read(hashes.slice(0, 500))).toHaveLength(500)
    // What is known already is not asked for.
    expect(await read(hashes)).toHaveLength(501)
  })
})
