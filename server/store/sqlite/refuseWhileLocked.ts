import type { SqliteExecutor } from './sqliteDialect.ts'
import { SqliteFault } from './sqliteFault.ts'

/** SQLITE_BUSY, among primary result codes: another connection has the lock. */
const busyCode = 5
/** After the lock was waited for in vain, transactions are refused at once for so long; the next one waits for it again. */
const refusingMs = 1_000

/**
 * While another program has locked the database, one transaction at a time waits for it and the others are refused: each that waited
 * its turn to wait as long would take minutes.
 */
export function refuseWhileLocked(executor: SqliteExecutor, nowMs: () => number = () => performance.now()): SqliteExecutor {
  let refused: { readonly fault: SqliteFault; readonly atMs: number } | undefined
  return {
    ...executor,
    async execute(sql, parameters, within) {
      const begins = sql.startsWith('begin ')
      if (begins && refused && nowMs() - refused.atMs < refusingMs) throw refused.fault
      try {
        const result = await executor.execute(sql, parameters, within)
        if (begins) refused = undefined
        return result
      } catch (error) {
        if (begins && error instanceof SqliteFault && (error.errcode & 0xff) === busyCode)
          refused = { fault: error, atMs: nowMs() }
        throw error
      }
    },
  }
}
