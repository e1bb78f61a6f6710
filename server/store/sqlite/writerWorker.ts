// The thread that owns the writing connection. One request at a time, in the order they came.
import { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import { SqliteFault, toSqliteFault } from './sqliteFault.ts'
import { StatementRunner } from './statementRunner.ts'
import type { WriterAnswer, WriterRequest } from './writerThread.ts'

const { file, busyTimeoutMs } = workerData as { file: string; busyTimeoutMs: number }
let runner: StatementRunner | undefined

/**
 * A transaction of history changes some 10,000 pages of 4 KiB, a few rows in each. With SQLite's 2 MB of pages in memory each went into the log
 * again and again before its transaction ended, 50 KB for each swap. Now they are written once, at the end, and some are there for the next.
 */
const cacheKiB = 16 * 1_024
/**
 * What a transaction keeps in memory at most, 64 MB: one that rewrites a table goes into the log from here on. SQLite takes a number whose last byte is 0
 * for "never", and a long migration would fill the memory.
 */
const spillPages = 16_383
/**
 * Of the log, before its pages are put into the file, 256 MB. With SQLite's 1,000 that happened after every transaction of history. The pages of a few
 * transactions are mostly the same, and go into the file once.
 */
const checkpointPages = 65_536
const settings = [
  ...['journal_mode = WAL', 'synchronous = FULL', `cache_size = -${cacheKiB}`, `cache_spill = ${spillPages}`],
  `wal_autocheckpoint = ${checkpointPages}`,
]

/** @throws SqliteFault when the file cannot be opened; the next statement tries again */
function open(): StatementRunner {
  let db: DatabaseSync | undefined
  try {
    db = new DatabaseSync(file, { timeout: busyTimeoutMs })
    for (const setting of settings) db.exec(`PRAGMA ${setting}`)
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

function answer({ id, sql, parameters, within }: WriterRequest): WriterAnswer {
  try {
    runner ??= open()
    return { id, result: runner.run(sql, parameters, within) }
  } catch (error) {
    if (error instanceof SqliteFault) {
      const { message, errcode, inTransaction } = error
      return { id, fault: { message, errcode, inTransaction } }
    }
    return { id, error: error instanceof Error ? error : new Error(String(error)) }
  }
}
