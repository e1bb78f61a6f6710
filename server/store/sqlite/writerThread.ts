import { Worker } from 'node:worker_threads'
import type { SqliteExecutor } from './sqliteDialect.ts'
import { abortCode, SqliteFault } from './sqliteFault.ts'
import type { StatementResult, Within } from './statementRunner.ts'

export type WriterRequest = {
  readonly id: number
  readonly sql: string
  readonly parameters: readonly unknown[]
  readonly within: Within | undefined
}
/** A fault's codes travel as fields: a thread hands on no more of an error than its text. */
export type WriterAnswer = {
  readonly id: number
  readonly result?: StatementResult
  readonly fault?: { readonly message: string; readonly errcode: number; readonly inTransaction: boolean }
  readonly error?: Error
}

/**
 * The thread that owns the writing connection to `file`. It starts with the first statement, and again with the next one
 * after it died; what was under way then fails with a `SqliteFault`.
 */
export function startWriter(file: string, busyTimeoutMs: number): SqliteExecutor {
  let thread: WriterThread | undefined
  return {
    execute: (sql, parameters, within) => {
      if (!thread?.isAlive()) thread = createThread(file, busyTimeoutMs)
      return thread.execute(sql, parameters, within)
    },
    close: async () => thread?.close(),
  }
}

type WriterThread = SqliteExecutor & { isAlive(): boolean }
type Call = { readonly resolve: (result: StatementResult) => void; readonly reject: (error: Error) => void }

function createThread(file: string, busyTimeoutMs: number): WriterThread {
  const worker = new Worker(new URL('./writerWorker.ts', import.meta.url), {
    workerData: { file, busyTimeoutMs },
    resourceLimits: { maxYoungGenerationSizeMb: 2, maxOldGenerationSizeMb: 256 },
  })
  const waiting = new Map<number, Call>()
  const gone = Promise.withResolvers<void>()
  let lastId = 0
  let isAlive = true

  const die = (reason: string) => {
    isAlive = false
    for (const { reject } of waiting.values()) reject(new SqliteFault(`the database thread ended: ${reason}`, abortCode, false))
    waiting.clear()
    gone.resolve()
  }
  worker.on('message', ({ id, result, fault, error }: WriterAnswer) => {
    const call = waiting.get(id)
    waiting.delete(id)
    if (result) call?.resolve(result)
    else if (fault) call?.reject(new SqliteFault(fault.message, fault.errcode, fault.inTransaction))
    else call?.reject(error ?? new Error('the database thread gave no answer'))
  })
  worker.on('error', ({ message }: Error) => die(message))
  worker.on('exit', (code) => die(`code ${code}`))

  return {
    isAlive: () => isAlive,
    execute: (sql, parameters, within) =>
      new Promise((resolve, reject) => {
        lastId += 1
        waiting.set(lastId, { resolve, reject })
        worker.postMessage({ id: lastId, sql, parameters, within } satisfies WriterRequest)
      }),
    close: async () => {
      if (isAlive) worker.postMessage('close')
      await gone.promise
    },
  }
}
