// The thread that owns the writing connection. One request at a time, in the order they came.
import { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import { StatementRunner } from './statementRunner.ts'
import type { WriterAnswer, WriterRequest } from './writerThread.ts'

const { file, busyTimeoutMs } = workerData as { file: string; busyTimeoutMs: number }
const db = new DatabaseSync(file, { timeout: busyTimeoutMs })
db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
const runner = new StatementRunner(db)

parentPort?.on('message', (request: WriterRequest | 'close') => {
  if (request === 'close') {
    runner.close()
    parentPort?.close()
    return
  }
  parentPort?.postMessage(answer(request))
})

function answer({ id, sql, parameters }: WriterRequest): WriterAnswer {
  try {
    return { id, result: runner.run(sql, parameters) }
  } catch (error) {
    return { id, error: error instanceof Error ? error : new Error(String(error)) }
  }
}
