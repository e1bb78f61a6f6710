import type { SqliteExecutor } from './sqliteDialect.ts'
import { SqliteFault } from './sqliteFault.ts'

/**
 * Keeps statements of a transaction that SQLite has ended by itself from running outside of it, each for good. After such an
 * end every statement fails with the fault that caused it, until the user of the connection rolls back.
 */
export function guardTransactions(executor: SqliteExecutor): SqliteExecutor {
  let isOpen = false
  let endedBy: SqliteFault | undefined
  return {
    ...executor,
    async execute(sql, parameters, within) {
      const isEnd = sql === 'commit' || sql === 'rollback'
      if (endedBy) {
        const fault = endedBy
        if (sql !== 'rollback') throw fault
        endedBy = undefined
        return { rows: [], changes: 0 }
      }
      try {
        // A thread that ended while nothing was under way is replaced without a word.
        const result = await executor.execute(sql, parameters, isOpen && !isEnd ? 'transaction' : within)
        if (sql.startsWith('begin ')) isOpen = true
        if (isEnd) isOpen = false
        return result
      } catch (error) {
        if (isOpen && error instanceof SqliteFault && !error.inTransaction) {
          isOpen = false
          // A rollback that fails since the transaction is gone has what it wanted.
          if (sql === 'rollback') return { rows: [], changes: 0 }
          endedBy = error
        }
        throw error
      }
    },
  }
}
