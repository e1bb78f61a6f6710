import { Worker } from 'node:worker_threads'
import { Failure } from '@chainboard/core'
import type { StoreLocation } from '../store/openStore.ts'
import type { BookFacts } from './book.ts'
import type { FromWorker, GraphWorkerData, ToWorker } from './graphMessages.ts'
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
  /** The thread ends after so long without a query, and gives its memory back. */
  readonly idleMs: number
}

const defaultLimits: GraphServerLimits = { timeoutMs: 5_000, waitingMax: 50, idleMs: 5 * 60_000 }
const memoryMaxMb = 256
/** Space for new objects: left to itself it grows to several times as much, and is not given back. */
const youngMemoryMaxMb = 8

/** The subgraph's queries, answered one after the other by a thread of their own. */
export type GraphServer = {
  /** The answer's body to a request's body; every error is an answer too. */
  answer(body: string): Promise<string>
  /** Whether its thread runs: it starts with a query, and ends when none has come for a while. */
  isStarted(): boolean
  /** Ends the thread; what is under way gets an error. */
  close(): Promise<void>
}

type Query = { readonly body: string; readonly resolve: (body: string) => void }
type Running = { readonly worker: Worker; readonly query: Query; readonly id: number; readonly timer: NodeJS.Timeout }

/** Makes the server; its thread starts with the first query. */
export function createGraphServer(parts: GraphServerParts, limits: GraphServerLimits = defaultLimits): GraphServer {
  const waiting: Query[] = []
  let worker: Worker | undefined
  let running: Running | undefined
  let idle: NodeJS.Timeout | undefined
  let lastId = 0
  let closed = false

  const stop = async () => {
    clearTimeout(idle)
    const ending = worker
    worker = undefined
    await ending?.terminate()
  }
  const finish = (body: string) => {
    if (!running) return
    clearTimeout(running.timer)
    const { query } = running
    running = undefined
    query.resolve(body)
    next()
  }
  const hear = (from: Worker, message: FromWorker) => {
    if (message.kind === 'bug') return parts.onBug(message.error)
    if (message.kind === 'want-transactions') return void tellTransactions(parts, from, message)
    if (running?.worker === from && running.id === message.id) finish(message.body)
  }
  const lose = (lost: Worker, error?: unknown) => {
    if (error) parts.onBug(error)
    if (worker === lost) worker = undefined
    if (running?.worker === lost) finish(errorBody(lostMessage(error)))
  }
  const start = () => {
    const started = startWorker(parts, limits)
    started.on('message', (message: FromWorker) => hear(started, message))
    started.on('error', (error) => lose(started, error))
    started.on('exit', () => lose(started))
    return started
  }
  const next = () => {
    clearTimeout(idle)
    const query = waiting.shift()
    if (!query) {
      idle = setTimeout(() => void stop(), limits.idleMs).unref()
      return
    }
    worker ??= start()
    lastId += 1
    const timer = setTimeout(() => {
      void stop()
      finish(errorBody('query timed out'))
    }, limits.timeoutMs)
    running = { worker, query, id: lastId, timer }
    worker.postMessage({ kind: 'query', id: lastId, body: query.body } satisfies ToWorker)
  }

  return {
    answer: (body) =>
      new Promise((resolve) => {
        if (closed) return resolve(errorBody('The server is closing'))
        if (waiting.length >= limits.waitingMax)
          return resolve(errorBody('Too many queries are waiting: try again in a few seconds'))
        waiting.push({ body, resolve })
        if (!running) next()
      }),
    isStarted: () => worker !== undefined,
    close: async () => {
      closed = true
      for (const { resolve } of waiting.splice(0)) resolve(errorBody('The server is closing'))
      finish(errorBody('The server is closing'))
      await stop()
    },
  }
}

function startWorker({ store, facts }: GraphServerParts, { timeoutMs }: GraphServerLimits): Worker {
  const worker = new Worker(new URL('./graphWorker.ts', import.meta.url), {
    workerData: { store, facts, timeoutMs } satisfies GraphWorkerData,
    resourceLimits: { maxOldGenerationSizeMb: memoryMaxMb, maxYoungGenerationSizeMb: youngMemoryMaxMb },
  })
  // The thread never keeps the process alive by itself.
  worker.unref()
  return worker
}

function lostMessage(error: unknown): string {
  const outOfMemory = (error as { code?: string } | undefined)?.code === 'ERR_WORKER_OUT_OF_MEMORY'
  return outOfMemory ? 'The query needs too much memory: ask for less at once' : 'Store error: the query could not be run'
}

async function tellTransactions(
  { readTransactions, onBug }: GraphServerParts,
  worker: Worker,
  { id, hashes }: FromWorker & { kind: 'want-transactions' },
): Promise<void> {
  try {
    worker.postMessage({ kind: 'transactions', id, found: await readTransactions(hashes) } satisfies ToWorker)
  } catch (error) {
    const known = error instanceof Failure
    if (!known) onBug(error)
    const message = known ? error.message : 'The transactions could not be read from the node'
    worker.postMessage({ kind: 'no-transactions', id, message } satisfies ToWorker)
  }
}
