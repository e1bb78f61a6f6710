import { Worker } from 'node:worker_threads'
import type { SqliteExecutor } from './sqliteDialect.ts'
import type { StatementResult } from './statementRunner.ts'

export type WriterRequest = { readonly id: number; readonly sql: string; readonly parameters: readonly unknown[] }
export type WriterAnswer = { readonly id: number; readonly result?: StatementResult; readonly error?: Error }

/** Starts the thread that owns the writing connection to `file`. A thread that dies fails every call from then on. */
export function startWriter(file: string, busyTimeoutMs: number): SqliteExecutor {
  const worker = new Worker(new URL('./writerWorker.ts', import.meta.url), {
    workerData: { file, busyTimeoutMs },
    resourceLimits: { maxYoungGenerationSizeMb: 2, maxOldGenerationSizeMb: 256 },
  })
  const waiting = new Map<number, { resolve: (result: StatementResult) => void; reject: (error: Error) => void }>()
  let lastId = 0
  let dead: Error | undefined

  const die = (error: Error) => {
    dead ??= error
    for (const { reject } of waiting.values()) reject(dead)
    waiting.clear()
  }
  worker.on('message', ({ id, result, error }: WriterAnswer) => {
    const call = waiting.get(id)
    waiting.delete(id)
    if (result) call?.resolve(result)
    else call?.reject(error ?? new Error('the database thread gave no answer'))
  })
  worker.on('error', die)
  worker.on('exit', (code) => die(new Error(`the database thread ended with code ${code}`)))

  return {
    execute: (sql, parameters) =>
      new Promise((resolve, reject) => {
        if (dead) return reject(dead)
        lastId += 1
        waiting.set(lastId, { resolve, reject })
        worker.postMessage({ id: lastId, sql, parameters } satisfies WriterRequest)
      }),
    close: async () => {
      await new Promise<void>((resolve) => {
        worker.once('exit', () => resolve())
        if (dead) resolve()
        else worker.postMessage('close')
      })
    },
  }
}
