import { Worker } from 'node:worker_threads'
import type { StoreLocation } from '../store/storeLocation.ts'
import type { BookFacts } from './book.ts'
import type { FromWorker, GraphWorkerData, ToWorker } from './graphMessages.ts'

const memoryMaxMb = 256
/** Space for new objects: left to itself it grows to several times as much, and is not given back. */
const youngMemoryMaxMb = 8

type Parts = { readonly store: StoreLocation; readonly facts: BookFacts; readonly onBug: (error: unknown) => void }

type Limits = {
  /** How long a statement may take. */
  readonly timeoutMs: number
  /** The thread ends after so long at rest, and gives its memory back. */
  readonly idleMs: number
}

type Listener = {
  /** @param reply to the thread that sent the message, even if another one runs by then */
  readonly onMessage: (message: FromWorker, reply: (answer: ToWorker) => void) => void
  /** The thread has ended. @param lost the error that ended it; undefined where it was stopped */
  readonly onExit: (lost: unknown) => void
}

/** The thread that answers queries: one at a time at the most. */
export type GraphThread = {
  /** Starts the thread where none runs. Not while one is ending. */
  ask(message: ToWorker): void
  /** Nothing is to be done: the thread ends when that lasts. */
  rest(): void
  /** Ends the thread. @returns resolves when it has ended */
  stop(): Promise<unknown>
  /** Between `stop` and the exit: a thread in the middle of a statement of SQLite ends only after it, and two at once could be many. */
  isEnding(): boolean
  isStarted(): boolean
}

/** Starts nothing yet. */
export function createGraphThread(parts: Parts, limits: Limits, { onMessage, onExit }: Listener): GraphThread {
  let worker: Worker | undefined
  let ending: Promise<unknown> | undefined
  let idle: NodeJS.Timeout | undefined

  const stop = async () => {
    clearTimeout(idle)
    if (worker) ending ??= worker.terminate()
    await ending
  }
  const start = () => {
    const started = startWorker(parts, limits)
    let lost: unknown
    started.on('message', (message: FromWorker) => {
      if (!ending) onMessage(message, (answer) => started.postMessage(answer))
    })
    started.on('error', (error) => {
      lost = error
      parts.onBug(error)
    })
    started.on('exit', () => {
      worker = undefined
      ending = undefined
      onExit(lost)
    })
    return started
  }
  return {
    ask: (message) => {
      clearTimeout(idle)
      worker ??= start()
      worker.postMessage(message)
    },
    rest: () => {
      clearTimeout(idle)
      if (worker) idle = setTimeout(() => void stop(), limits.idleMs).unref()
    },
    stop,
    isEnding: () => ending !== undefined,
    isStarted: () => worker !== undefined && ending === undefined,
  }
}

function startWorker({ store, facts }: Parts, { timeoutMs }: Limits): Worker {
  const worker = new Worker(new URL('./graphWorker.ts', import.meta.url), {
    workerData: { store, facts, timeoutMs } satisfies GraphWorkerData,
    resourceLimits: { maxOldGenerationSizeMb: memoryMaxMb, maxYoungGenerationSizeMb: youngMemoryMaxMb },
  })
  // The thread never keeps the process alive by itself.
  worker.unref()
  return worker
}
