import { sql } from 'kysely'
import { afterEach, describe, expect, inject, it } from 'vitest'
import { pause } from '../pause.ts'
import { createTempStores } from '../testing/tempStores.ts'
import { claimLead, type Election, type ElectionDeps, joinElection, type Lease } from './electLeader.ts'
import { readEpoch, toLeadStore } from './leadership.ts'
import { lockStore, openServerStore } from './openStore.ts'
import type { Store } from './store.ts'
import type { StoreLocation } from './storeLocation.ts'

const stores = createTempStores()
const joined = new Set<Election>()
afterEach(async () => {
  await Promise.all([...joined].map((election) => election.stop()))
  joined.clear()
})

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }

/** A server that may lead. `leases`: those that it got. `news`: how often it heard of any. */
async function join(location: StoreLocation, store: Store, changes: Partial<ElectionDeps> = {}) {
  if (!('databaseUrl' in location)) throw new Error('PostgreSQL has a URL')
  const leases: Lease[] = []
  let news = 0
  const onNews = () => {
    news += 1
  }
  const election = await joinElection({
    ...{ databaseUrl: location.databaseUrl, store, mayLead: true, onNews, onShutOut: () => undefined, pause, log: silent },
    lead: async (lease) => {
      leases.push(lease)
      return { stop: async () => undefined }
    },
    ...changes,
  })
  joined.add(election)
  return { election, leases, news: () => news }
}

async function open() {
  const location = await stores.locateNew('postgres')
  return { location, store: await stores.open(location) }
}

const spend = (store: Store, service: string) =>
  store.write((tx) => tx.insertInto('credits').values({ service, month: '2026-11', spent: 1 }).execute())
const listSpent = async ({ read }: Store) =>
  (await read.selectFrom('credits').select('service').execute()).map((row) => row.service)

/** The session that has the leader's lock. */
async function findLeader({ read }: Store): Promise<number | undefined> {
  const { rows } = await sql<{ pid: number }>`select l.pid from pg_locks l join pg_database d on d.oid = l.database
    where l.locktype = 'advisory' and l.granted and d.datname = current_database() and l.mode = 'ExclusiveLock'`.execute(read)
  return rows[0]?.pid
}

describe.skipIf(!inject('postgresUrl'))('the election of a leader', () => {
  it('one leads; the next one does when that resigns, which leads no more', async () => {
    const { location, store } = await open()
    const first = await join(location, store)
    await first.election.settled
    const second = await join(location, store)
    await second.election.settled
    expect([first.election.epoch(), second.election.epoch()]).toEqual([1, undefined])
    await first.election.resign()
    await expect.poll(() => second.election.epoch()).toBe(2)
    await second.election.resign()
    const third = await join(location, store, { mayLead: false })
    await third.election.settled
    expect([first, second, third].map(({ election }) => election.epoch())).toEqual([undefined, undefined, undefined])
  })

  it('a server that resigns while it takes the lead does not lead, and lets another one', async () => {
    const { location, store } = await open()
    const own: { election?: Election; resigned?: Promise<void> | undefined } = {}
    // It reads something once it has the lock, before the epoch is its own.
    const read = new Proxy(store.read, {
      get: (db, name) => {
        own.resigned ??= own.election?.resign()
        const value: unknown = Reflect.get(db, name, db)
        return typeof value === 'function' ? value.bind(db) : value
      },
    })
    const leader = await join(location, store)
    await leader.election.settled
    const { election, leases } = await join(location, { ...store, read })
    own.election = election
    await election.settled
    await leader.election.resign()
    await expect.poll(() => own.resigned !== undefined).toBe(true)
    const other = await join(location, store)
    await expect.poll(() => other.election.epoch()).toBeDefined()
    expect([election.epoch(), leases]).toEqual([undefined, []])
  })

  it('a leader that hangs is followed by another one, and writes nothing when it wakes', async () => {
    const { location, store } = await open()
    const { promise: hanging, resolve: wake } = Promise.withResolvers<void>()
    let hangs = false
    const first = await join(location, store, { pause: (ms, signal) => (hangs ? hanging : pause(ms, signal)) })
    await first.election.settled
    const [lease] = first.leases
    if (!lease) throw new Error('no lease')
    const old = toLeadStore(store, lease.epoch, lease.lose)
    await spend(old, 'before')
    // In the midst of a transaction, with the row of the epoch held.
    const { promise: beginning, resolve: began } = Promise.withResolvers<void>()
    const half = old.write(async (tx) => {
      await tx.insertInto('credits').values({ service: 'half', month: '2026-11', spent: 1 }).execute()
      began()
      await hanging
      await tx.insertInto('credits').values({ service: 'late', month: '2026-11', spent: 1 }).execute()
    })
    half.catch(() => undefined)
    await beginning
    hangs = true
    const second = await join(location, store)
    await expect.poll(() => second.election.epoch()).toBe(2)
    expect(lease.signal.aborted).toBe(false)
    wake()
    hangs = false
    await expect(half).rejects.toMatchObject({ code: expect.stringContaining('store-') })
    await expect(spend(old, 'after')).rejects.toMatchObject({ code: 'store-in-use' })
    expect(lease.signal.aborted).toBe(true)
    expect(await listSpent(store)).toEqual(['before'])
  })

  it('a leader whose connection is lost leads on in the same epoch', async () => {
    const { location, store } = await open()
    const { election, leases } = await join(location, store)
    await election.settled
    const before = await findLeader(store)
    await sql`select pg_terminate_backend(${before}::int)`.execute(store.read)
    await expect.poll(async () => [undefined, before].includes(await findLeader(store))).toBe(false)
    await expect.poll(() => election.epoch()).toBe(1)
    expect([leases.length, await readEpoch(store.read)]).toEqual([1, 1])
  })

  it('a leader whose connection is lost does not say that it leads while another one may', async () => {
    const { location, store } = await open()
    const { promise: waiting, resolve: goOn } = Promise.withResolvers<void>()
    let waits = false
    const first = await join(location, store, { pause: (ms, signal) => (waits ? waiting : pause(ms, signal)) })
    await first.election.settled
    waits = true
    await sql`select pg_terminate_backend(${await findLeader(store)}::int)`.execute(store.read)
    try {
      await expect.poll(() => first.election.epoch()).toBeUndefined()
      const second = await join(location, store)
      await expect.poll(() => second.election.epoch()).toBe(2)
      expect([first.election.epoch(), first.leases[0]?.signal.aborted]).toEqual([undefined, false])
    } finally {
      waits = false
      goOn()
    }
    await expect.poll(() => first.leases[0]?.signal.aborted).toBe(true)
  })

  it('a leader gives way to a claim only if it has to, and a server that is not fit does not take the lead', async () => {
    const { location, store } = await open()
    const words = { mustGiveWay: false, isFit: false }
    const leader = await join(location, store, { mustGiveWay: () => words.mustGiveWay })
    await leader.election.settled
    const unfit = await join(location, store, { isFit: () => words.isFit })
    await unfit.election.settled
    await claimLead(store)
    // The leader has answered since: the claim was heard before.
    await sql`select pg_notify('chainboard_board', '')`.execute(store.read)
    await expect.poll(() => leader.news()).toBeGreaterThan(1)
    expect(leader.election.epoch()).toBe(1)
    words.mustGiveWay = true
    await claimLead(store)
    await expect.poll(() => leader.election.epoch()).toBeUndefined()
    const fit = await join(location, store)
    await expect.poll(() => fit.election.epoch()).toBe(2)
    expect([leader, unfit].map(({ election }) => election.epoch())).toEqual([undefined, undefined])
    await fit.election.stop()
    words.isFit = true
    await expect.poll(() => unfit.election.epoch()).toBe(3)
  })

  it('a server that comes back while a restore has the database is told to end', async () => {
    const { location, store } = await open()
    const told: string[] = []
    const { election } = await join(location, store, { onShutOut: ({ code }) => told.push(code) })
    await election.settled
    const alone = lockStore(location, { isAlone: true, onLost: () => undefined })
    await sql`select pg_terminate_backend(${await findLeader(store)}::int)`.execute(store.read)
    const lock = await alone
    await expect.poll(() => told, { timeout: 10_000 }).toEqual(['store-in-use'])
    await lock.release()
  })

  it('a server that was away for the whole of a restore is told to end when it comes back', async () => {
    const { location, store } = await open()
    const told: string[] = []
    const { election, leases } = await join(location, store, { onShutOut: ({ code }) => told.push(code) })
    await election.settled
    // The tables were made anew, with another row of events.
    await sql`update leadership set run = 'restored'`.execute(store.read)
    await sql`select pg_terminate_backend(${await findLeader(store)}::int)`.execute(store.read)
    await expect.poll(() => told, { timeout: 10_000 }).toEqual(['store-in-use'])
    await expect.poll(() => leases[0]?.signal.aborted).toBe(true)
  })

  it('a tool whose lock was lost unseen writes nothing once a server leads', async () => {
    const location = await stores.locateNew('postgres')
    const lost: string[] = []
    const tool = await openServerStore(location, ({ code }) => lost.push(code))
    await spend(tool, 'before')
    const server = await stores.open(location)
    await sql`update leadership set epoch = epoch + 1`.execute(server.read)
    await expect(spend(tool, 'after')).rejects.toMatchObject({ code: 'store-in-use' })
    expect([lost, await listSpent(server)]).toEqual([['store-in-use'], ['before']])
    await tool.close()
  })

  it('a server that cannot begin to lead lets another one, and one of an older version never leads', async () => {
    const { location, store } = await open()
    const broken = await join(location, store, { lead: () => Promise.reject(new Error('a bug')) })
    await broken.election.settled
    const sound = await join(location, store)
    await expect.poll(() => sound.leases.length).toBe(1)
    await Promise.all([broken.election.stop(), sound.election.stop()])
    await sql`insert into kysely_migration (name, timestamp) values ('9999-of-a-newer-version', '')`.execute(store.read)
    const older = await join(location, store)
    await older.election.settled
    expect([older.election.epoch(), older.leases]).toEqual([undefined, []])
  })
})
