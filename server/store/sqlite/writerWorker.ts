// The thread that owns the writing connection. One request at a time, in the order they came.
import { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import { SqliteFault, toSqliteFault } from './sqliteFault.ts'
import { StatementRunner } from './statementRunner.ts'
import type { WriterAnswer, WriterRequest } from './writerThread.ts'

const { file, busyTimeoutMs } = workerData as { file: string; busyTimeoutMs: number }
let runner: StatementRunner | undefined

/** @throws SqliteFault when the file cannot be opened; the next statement tries again */
function open(): StatementRunner {
  let db: DatabaseSync | undefined
  try {
    db = new DatabaseSync(file, { timeout: busyTimeoutMs })
    db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
    return new StatementRunner(db)
  } catch (error) {
    db?.close()
    throw toSqliteFault(error, false)
  }
}

parentPort?.on('message', (request: WriterRequest | 'close') => {
  if (request === 'close') {
    runner?.close()
    parentPort?.close()
    return
  }
  parentPort?.postMessage(answer(request))
})

function answer({ id, sql, parameters }: WriterRequest): WriterAnswer {
  try {
    runner ??= open()
    return { id, result: runner.run(sql, parameters) }
  } catch (error) {
    if (error instanceof SqliteFault) {
      const { message, errcode, inTransaction } = error
      return { id, fault: { message, errcode, inTransaction } }
    }
    return { id, error: error instanceof Error ? error : new Error(String(error)) }
  }
}
