import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import { SqliteFault } from './sqliteFault.ts'

/** Some twenty tables, each with the few lengths that an INSERT comes in, besides what is read. */
const preparedMax = 256
/** Longer SQL is prepared each time. An INSERT of 100 rows is shorter. */
const preparedLengthMax = 16_384

export type StatementResult = { readonly rows: Record<string, unknown>[]; readonly changes: number }

/** Runs SQL on one connection and keeps the statements prepared, the least recently used going first; long ones are not kept. */
export class StatementRunner {
  readonly #db: DatabaseSync
  readonly #prepared = new Map<string, { statement: StatementSync; reads: boolean }>()

  constructor(db: DatabaseSync) {
    this.#db = db
  }

  /** @throws SqliteFault for what SQLite refuses */
  run(sql: string, parameters: readonly unknown[]): StatementResult {
    try {
      return this.#run(sql, parameters)
    } catch (error) {
      const { message, errcode } = error as Error & { errcode?: number }
      if (errcode === undefined) throw error
      throw new SqliteFault(message, errcode, this.#db.isTransaction)
    }
  }

  #run(sql: string, parameters: readonly unknown[]): StatementResult {
    const { statement, reads } = this.#prepare(sql)
    const values = parameters as SQLInputValue[]
    if (reads) return { rows: statement.all(...values), changes: 0 }
    return { rows: [], changes: Number(statement.run(...values).changes) }
  }

  close(): void {
    this.#prepared.clear()
    this.#db.close()
  }

  #prepare(sql: string) {
    const known = this.#prepared.get(sql)
    if (known) this.#prepared.delete(sql)
    const statement = known?.statement ?? this.#db.prepare(sql)
    const entry = known ?? { statement, reads: statement.columns().length > 0 }
    if (sql.length > preparedLengthMax) return entry
    this.#prepared.set(sql, entry)
    if (this.#prepared.size > preparedMax) this.#prepared.delete(this.#prepared.keys().next().value as string)
    return entry
  }
}
