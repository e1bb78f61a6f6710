import { setTimeout as sleep } from 'node:timers/promises'
import { Failure, findErrorCode } from '@chainboard/core'
import type { StoreLocation } from '../store/storeLocation.ts'
import type { BookFacts } from './book.ts'
import { createClientShares } from './clientShares.ts'
import type { FromWorker, GraphEnd, ToWorker } from './graphMessages.ts'
import { createGraphThread } from './graphThread.ts'
import { createKeptAnswers, type GraphAnswer } from './keptAnswers.ts'
import type { ReadTransactions } from './session.ts'
import { errorBody } from './wireError.ts'

export type GraphServerParts = {
  readonly store: StoreLocation
  readonly facts: BookFacts
  readonly readTransactions: ReadTransactions
  readonly onBug: (error: unknown) => void
}

export type GraphServerLimits = {
  /** How long one query may take; the first one of a thread also waits for its start. */
  readonly timeoutMs: number
  /** Queries that wait while one runs. */
  readonly waitingMax: number
  /** How long a query may wait before it runs. */
  readonly waitMs: number
  /** The thread ends after so long without a query, and gives its memory back. */
  readonly idleMs: number
  /** How long closing waits for a thread in the middle of a statement. */
  readonly closeMs: number
}

const defaultLimits: GraphServerLimits = {
  timeoutMs: 5_000,
  waitingMax: 50,
  waitMs: 15_000,
  idleMs: 5 * 60_000,
  closeMs: 2_000,
}

/** The subgraph's queries, answered one after the other by a thread of their own. */
export type GraphServer = {
  /**
   * The answer to a request's body; every error is an answer too. While the store is away it is the last one to the same body,
   * where there is one. `client` is the address that has a share of the thread.
   */
  answer(body: string, client: string): Promise<GraphAnswer>
  /** Whether its thread runs: it starts with a query, and ends when none has come for a while. */
  isStarted(): boolean
  /** Ends the thread, and waits for it a while; what is under way gets an error. */
  close(): Promise<void>
}

type Query = {
  readonly body: string
  readonly resolve: (answer: GraphAnswer) => void
  readonly client: string
}
type Running = {
  readonly query: Query
  readonly id: number
  readonly timer: NodeJS.Timeout
  readonly startedMs: number
  /** Ends what is read from the node for the query. */
  readonly ended: AbortController
}

const closing = 'The server is closing'
const tooMany = 'Too many queries are waiting. Try again in a few seconds'

/** Makes the server; its thread starts with the first query. */
export function createGraphServer(parts: GraphServerParts, limits: GraphServerLimits = defaultLimits): GraphServer {
  const shares = createClientShares(() => performance.now())
  const kept = createKeptAnswers(() => performance.now())
  let running: Running | undefined
  let lastId = 0
  let closed = false

  const thread = createGraphThread(parts, limits, {
    onMessage: (message, reply) => {
      if (message.kind === 'bug') return parts.onBug(message.error)
      if (!running) return
      if (message.kind === 'want-transactions') void tellTransactions(parts, reply, message, running.ended.signal)
      else if (running.id === message.id) finish(message.body, message.end)
    },
    onExit: (lost) => {
      // A thread that does not start cannot open the store.
      finish(errorBody(lostMessage(lost)), isOutOfMemory(lost) ? 'refused' : 'store')
      next()
    },
  })
  const settle = settleWith(shares)
  const waiting = createWaiting(limits.waitMs, (query) => settle(query, errorBody('query timed out')))
  const finish = (body: string, end: GraphEnd) => {
    if (!running) return
    const { query, timer, startedMs, ended } = running
    clearTimeout(timer)
    running = undefined
    ended.abort()
    if (end === 'data') kept.keep(query.body, body)
    const earlier = end === 'store' ? kept.find(query.body) : undefined
    settle(query, earlier ?? body, performance.now() - startedMs)
    next()
  }
  const next = () => {
    if (running || thread.isEnding()) return
    const query = waiting.takeFirst()
    if (!query) return thread.rest()
    lastId += 1
    const timer = setTimeout(() => {
      void thread.stop()
      finish(errorBody('query timed out'), 'refused')
    }, limits.timeoutMs)
    running = { query, id: lastId, timer, startedMs: performance.now(), ended: new AbortController() }
    thread.ask({ kind: 'query', id: lastId, body: query.body })
  }
  const enqueue = (body: string, client: string, resolve: (answer: GraphAnswer) => void) => {
    const refusal = closed ? closing : waiting.count() >= limits.waitingMax ? tooMany : shares.refuse(client)
    if (refusal !== undefined) return resolve({ body: errorBody(refusal) })
    shares.enter(client)
    waiting.add({ body, client, resolve })
    next()
  }

  return {
    answer: (body, client) => new Promise((resolve) => enqueue(body, client, resolve)),
    isStarted: thread.isStarted,
    close: async () => {
      closed = true
      for (const query of waiting.takeAll()) settle(query, errorBody(closing))
      finish(errorBody(closing), 'refused')
      // A limit that is not needed any more would keep the process for as long.
      const late = new AbortController()
      await Promise.race([thread.stop(), sleep(limits.closeMs, undefined, { signal: late.signal })])
      late.abort()
    },
  }
}

/** Queries before their turn, each for `waitMs` at the most: those whose time is up are left to `onLate`. */
function createWaiting(waitMs: number, onLate: (query: Query) => void) {
  const timers = new Map<Query, NodeJS.Timeout>()
  const remove = (query: Query) => {
    clearTimeout(timers.get(query))
    timers.delete(query)
  }
  return {
    count: () => timers.size,
    add: (query: Query): void => {
      const onTimeout = () => {
        remove(query)
        onLate(query)
      }
      timers.set(query, setTimeout(onTimeout, waitMs))
    },
    takeFirst: (): Query | undefined => {
      const [query] = timers.keys()
      if (query) remove(query)
      return query
    },
    takeAll: (): readonly Query[] => {
      const all = [...timers.keys()]
      for (const query of all) remove(query)
      return all
    },
  }
}

/** Answers a query, and gives its place in the queue free. `threadMs`: how long it had the thread. */
function settleWith({ leave }: Pick<ReturnType<typeof createClientShares>, 'leave'>) {
  return ({ client, resolve }: Query, answer: string | GraphAnswer, threadMs = 0): void => {
    leave(client, threadMs)
    resolve(typeof answer === 'string' ? { body: answer } : answer)
  }
}

function isOutOfMemory(error: unknown): boolean {
  return findErrorCode(error) === 'ERR_WORKER_OUT_OF_MEMORY'
}

function lostMessage(error: unknown): string {
  return isOutOfMemory(error) ? 'The query needs too much memory: query less at once' : 'Store error: the query could not be run'
}

async function tellTransactions(
  { readTransactions, onBug }: GraphServerParts,
  reply: (message: ToWorker) => void,
  { id, hashes }: FromWorker & { kind: 'want-transactions' },
  ended: AbortSignal,
): Promise<void> {
  try {
    reply({ kind: 'transactions', id, found: await readTransactions(hashes, ended) })
  } catch (error) {
    const known = error instanceof Failure
    if (!known) onBug(error)
    const message = known ? error.message : 'The transactions could not be read from the node'
    reply({ kind: 'no-transactions', id, message })
  }
}
