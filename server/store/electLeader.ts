import { Failure, toLoggedError } from '@chainboard/core'
import { sql } from 'kysely'
import type { Client } from 'pg'
import { readEpoch, readRun, takeEpoch } from './leadership.ts'
import {
  connectForLocks,
  endConnection,
  inUse,
  leadKey,
  makeSessionName,
  migrateKey,
  presenceKey,
  tryLock,
} from './lockConnection.ts'
import { lockWaitMs } from './lockFolder.ts'
import { findForeignMigration, knownMigrations, readMigrations } from './migrateStore.ts'
import type { Store } from './store.ts'

/** How often a server looks whether it may lead, and shows that it is there. */
const lookEveryMs = 500
/** PostgreSQL takes the lock from a process that has shown nothing for so long: one that hangs, or was cut off. */
const hangMsMax = 3_000
/** Waits before a server that could not do what a leader does tries again: another one may lead meanwhile. */
const backoffMs = { first: 1_000, most: 60_000 }
/** A leader that gave way stands again after this: another one leads by then, or nobody else can. */
const yieldedMs = 30_000
/** On it the leader says that it has published. */
export const boardChannel = 'chainboard_board'
/** On it a server says that it could lead better than the leader. */
const claimChannel = 'chainboard_claim'

/** The right to lead, until `signal` is aborted. */
export type Lease = {
  /** Above that of every leader before. */
  readonly epoch: number
  readonly signal: AbortSignal
  /** Ends it: to be called when the fence refused a write. @param fault a bug in what this leader does: others go first then */
  lose(fault?: unknown): void
}

/** What a leader does. */
export type Leading = { /** Resolves when all of it has ended. */ stop(): Promise<void> }

export type Election = {
  /** The epoch in which this server leads; undefined while it does not, and while it cannot know: another one may lead then. */
  epoch(): number | undefined
  /** Resolves when it is known whether this server leads, and what a leader does is open. */
  readonly settled: Promise<void>
  /** Gives the lead up, if this server has it, and takes it no more. Resolves when another server may lead. */
  resign(): Promise<void>
  /** The same, and the connection ends. */
  stop(): Promise<void>
}

type Log = {
  info(facts: object, text: string): void
  warn(facts: object, text: string): void
  error(facts: object, text: string): void
}

export type ElectionDeps = {
  readonly databaseUrl: string
  readonly store: Store
  /** Whether this server may lead at all. */
  readonly mayLead: boolean
  /** Whether it may stand now. Absent: always. */
  readonly isFit?: () => boolean
  /** Whether a leader gives way to a server that claims the lead. Absent: never. */
  readonly mustGiveWay?: () => boolean
  /** Opens what a leader does. */
  readonly lead: (lease: Lease) => Promise<Leading>
  /**
   * Called once when a restore has the database to itself, or had it while this server was away: all that this server knows may be replaced, so
   * that it has to end.
   */
  readonly onShutOut: (failure: Failure) => void
  /** After every word of the leader, and when words may have been missed. */
  readonly onNews: () => void
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>
  readonly log: Log
}

type Held = { readonly lease: Lease; readonly ending: AbortController; readonly ended: Promise<void> }

/**
 * Takes part in the election of the leader until stopped: the server that gets an advisory lock leads. Losing the lock is normal, and ends what a
 * leader does, never the process. A connection that breaks is made again; the lease goes on if nobody else has led meanwhile.
 * @throws Failure `store-in-use` while a restore has the database to itself, `store-…` when there is no way to the database
 */
export async function joinElection(deps: ElectionDeps): Promise<Election> {
  const name = makeSessionName()
  const stopping = new AbortController()
  const settled = Promise.withResolvers<void>()
  const own: Candidate = {
    ...deps,
    name,
    run: undefined,
    held: undefined,
    mayLead: deps.mayLead,
    failures: 0,
    notBeforeMs: 0,
    isShutOut: false,
    hasLock: false,
    settle: settled.resolve,
  }
  const first = await connect(own)
  await enter(own, first, stopping.signal).catch(async (error: unknown) => {
    await endConnection(first)
    throw error
  })
  if (!own.mayLead) settled.resolve()
  const running = run(own, first, stopping.signal)
  const resign = async () => {
    own.mayLead = false
    settled.resolve()
    const { held } = own
    held?.lease.lose()
    await held?.ended
  }
  return {
    epoch: () => (own.hasLock && own.held?.lease.signal.aborted === false ? own.held.lease.epoch : undefined),
    settled: settled.promise,
    resign,
    stop: async () => {
      await resign()
      stopping.abort()
      await running
    },
  }
}

type Candidate = Omit<ElectionDeps, 'mayLead'> & {
  readonly name: string
  /** Of the tables that this server began with (`readRun`). */
  run: string | undefined
  mayLead: boolean
  /** The lease and what is done by it; until that has ended, no other one is taken. */
  held: Held | undefined
  failures: number
  notBeforeMs: number
  isShutOut: boolean
  /** Whether the connection that is open has the leader's lock. */
  hasLock: boolean
  readonly settle: () => void
}

function connect({ databaseUrl, name }: Candidate): Promise<Client> {
  return connectForLocks(databaseUrl, name, { idle_session_timeout: `${hangMsMax}` })
}

/** Shows that a server is there. @throws Failure `store-in-use` */
async function enter({ databaseUrl, pause }: Candidate, client: Client, signal: AbortSignal): Promise<void> {
  const until = performance.now() + lockWaitMs
  for (;;) {
    const { rows } = await client.query<{ got: boolean }>('select pg_try_advisory_lock_shared($1) as got', [presenceKey])
    if (rows[0]?.got) return
    if (performance.now() > until) throw inUse(databaseUrl, { pid: 0, name: 'unknown', since: 'just now' })
    await pause(lookEveryMs, signal)
  }
}

/** One connection after the other, until stopped. */
async function run(own: Candidate, first: Client, signal: AbortSignal): Promise<void> {
  for (let client: Client | undefined = first; !signal.aborted; client = undefined) {
    try {
      client ??= await connect(own)
      await use(own, client, signal)
    } catch (error) {
      // Without the database nobody knows who leads: a leader's work continues, and fails at the fence if another server leads.
      if (!signal.aborted)
        own.log.warn({ err: toLoggedError(error) }, 'The connection that elects the leader was lost: the server reconnects')
      own.hasLock = false
      await own.pause(lookEveryMs, signal)
    } finally {
      if (client) await endConnection(client)
    }
  }
}

const shutOut = new Failure(
  'store-in-use',
  'The database was or is being restored, so this server exits: its data in memory may be outdated. Start it again after the restore.',
)

/** @throws whatever ended the connection */
async function use(own: Candidate, client: Client, signal: AbortSignal): Promise<void> {
  const { promise: gone, reject } = Promise.withResolvers<never>()
  gone.catch(() => undefined)
  client.once('end', () => reject(new Failure('store-unavailable', 'The connection has ended', { retryable: true })))
  client.on('notification', ({ channel }) => (channel === claimChannel ? giveWay(own) : own.onNews()))
  await enter(own, client, signal).catch((error: unknown) => {
    if (error instanceof Failure && error.code === 'store-in-use') endShutOut(own)
    throw error
  })
  // A restore that was over before this server came back has recreated the tables.
  const found = await readRun(own.store.read)
  own.run ??= found
  if (own.run !== found) endShutOut(own)
  if (own.isShutOut) throw shutOut
  await client.query(`listen ${boardChannel}`)
  await client.query(`listen ${claimChannel}`)
  own.onNews()
  own.hasLock = own.held !== undefined && (await reclaim(own, client))
  while (!signal.aborted) {
    if (own.hasLock && !own.held) {
      await client.query('select pg_advisory_unlock($1)', [leadKey])
      own.hasLock = false
    }
    if (!own.held && mayStand(own)) own.hasLock = await stand(own, client)
    else if (!own.hasLock || own.held) await client.query('select 1')
    await Promise.race([gone, own.pause(lookEveryMs, signal)])
  }
}

function endShutOut(own: Candidate): void {
  if (!own.isShutOut) own.onShutOut(shutOut)
  own.isShutOut = true
  own.held?.lease.lose()
}

function mayStand({ mayLead, notBeforeMs, isFit, settle }: Candidate): boolean {
  if (!mayLead || performance.now() < notBeforeMs) return false
  if (isFit?.() !== false) return true
  settle()
  return false
}

/** Asks the leader to let another server lead, which it does if it has to. @throws Failure `store-…` */
export async function claimLead(store: Store): Promise<void> {
  await sql`select pg_notify(${claimChannel}, '')`.execute(store.read)
}

function giveWay(own: Candidate): void {
  const { held, mustGiveWay, log } = own
  if (!held || held.lease.signal.aborted || !mustGiveWay?.()) return
  own.notBeforeMs = performance.now() + yieldedMs
  log.warn(
    { epoch: held.lease.epoch },
    'The nodes of this server fail, and those of another server answer: the other server may lead',
  )
  held.lease.lose()
}

/** After a connection was lost: takes the lock back, if nobody has led meanwhile. @returns whether this connection has the lock */
async function reclaim(own: Candidate, client: Client): Promise<boolean> {
  const { held, name, store } = own
  const holder = await tryLock(client, leadKey)
  // Our own lost connection, which the database has not noticed yet.
  if (holder?.name === name) {
    await client.query('select pg_terminate_backend($1)', [holder.pid]).catch(() => undefined)
    throw new Failure('store-unavailable', 'The lost connection still holds the lock', { retryable: true })
  }
  if (!holder && held && (await readEpoch(store.read)) === held.lease.epoch) return true
  held?.lease.lose()
  return holder === undefined
}

/** Leads, if nobody else does. @returns whether this connection has the lock */
async function stand(own: Candidate, client: Client): Promise<boolean> {
  if (await tryLock(client, leadKey)) {
    own.settle()
    return false
  }
  own.hasLock = true
  const refusal = await findRefusal(own, client)
  if (refusal) {
    putOff(own, refusal)
    return true
  }
  const epoch = await takeEpoch(client, own.store, own.name)
  // It may have resigned meanwhile: who waits for that has seen no lease.
  if (own.mayLead) begin(own, epoch)
  await client.query('select pg_advisory_unlock_shared($1)', [migrateKey])
  return true
}

function begin(own: Candidate, epoch: number): void {
  const ending = new AbortController()
  const lease: Lease = { epoch, signal: ending.signal, lose: (fault) => ending.abort(fault) }
  own.log.info({ epoch }, 'This server leads')
  const ended = leadUntilLost(own, lease).finally(() => {
    own.held = undefined
    own.settle()
  })
  own.held = { lease, ending, ended }
}

/**
 * Why this server may not lead now: the tables are being changed, or a newer version has changed them. Where nothing is in the way, nobody
 * changes them until the epoch is taken: who does so then ends that epoch.
 */
async function findRefusal({ store }: Candidate, client: Client): Promise<Failure | undefined> {
  const { rows } = await client.query<{ got: boolean }>('select pg_try_advisory_lock_shared($1) as got', [migrateKey])
  if (!rows[0]?.got) return new Failure('store-in-use', 'The tables of the database are being changed', { retryable: true })
  const foreign = findForeignMigration(await readMigrations(store.read, 'postgres'), knownMigrations)
  if (foreign) await client.query('select pg_advisory_unlock_shared($1)', [migrateKey])
  return foreign
}

async function leadUntilLost(own: Candidate, lease: Lease): Promise<void> {
  const { epoch, signal } = lease
  const beganMs = performance.now()
  const lost = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
  let leading: Leading | undefined
  try {
    leading = await own.lead(lease)
    own.settle()
    await lost
    if (performance.now() - beganMs > backoffMs.most) own.failures = 0
    if (isFault(signal.reason)) putOff(own, signal.reason)
    else if (own.mayLead) own.log.warn({ epoch }, 'This server no longer leads')
  } catch (error) {
    putOff(own, error)
  }
  lease.lose()
  await leading?.stop().catch((err: unknown) => own.log.error({ err, epoch }, 'The tasks of the leader could not be stopped'))
}

/** What `abort` was called without a reason for is a `DOMException` of that name. */
function isFault(reason: unknown): boolean {
  return !(reason instanceof DOMException && reason.name === 'AbortError')
}

function putOff(own: Candidate, error: unknown): void {
  const waitMs = Math.min(backoffMs.most, backoffMs.first * 2 ** Math.min(own.failures, 16))
  own.failures += 1
  own.notBeforeMs = performance.now() + waitMs
  own.settle()
  const level = error instanceof Failure ? 'warn' : 'error'
  own.log[level]({ err: error, retryInMs: waitMs }, 'This server could not start to lead')
}
