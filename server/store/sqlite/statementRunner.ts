import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import { AddressBook } from './addressBook.ts'
import { findPack, type Pack, type ToRow, toReading } from './packedRows.ts'
import { packNumber } from './packedValues.ts'
import { abortCode, SqliteFault, toSqliteFault } from './sqliteFault.ts'

/** Some twenty tables, each with the few lengths that an INSERT comes in, besides what is read. */
const preparedMax = 256
/** Longer SQL is prepared each time. An INSERT of 500 rows is shorter. */
const preparedLengthMax = 65_536

/**
 * An INSERT of many rows, as only a history that is read has them: kept prepared, each takes up to 500 KB. After so many commits without one the history is
 * over, and they go, with what SQLite keeps of the file for them.
 */
const longLength = 4_096
const restCommits = 64

/**
 * `transaction`: the statement is refused outside of one. It is sent before it is known whether the one before has ended the transaction, as a full disk
 * does; run behind it, it would be there to stay.
 */
export type Within = 'transaction'

export type StatementResult = { readonly rows: Record<string, unknown>[]; readonly changes: number }

/** `pack` is undefined where values are stored as they are, `toRow` of a statement that reads nothing. */
type Prepared = { readonly statement: StatementSync; readonly pack: Pack | undefined; readonly toRow: ToRow | undefined }

/** After one of these the columns of a table may have other types. */
const formPattern = /^\s*(?:create|alter|drop|rollback)\b/i
/** A transaction begins, and ids that one before gave belong to nobody unless it was committed. */
const beginPattern = /^begin\b/

/**
 * Runs SQL on one connection and keeps the statements prepared, the least recently used going first; long ones are not kept. Values of
 * packed columns go in and come out as text.
 */
export class StatementRunner {
  readonly #db: DatabaseSync
  readonly #prepared = new Map<string, Prepared>()
  readonly #book: AddressBook
  #isCommitted = true
  /** Commits since a long statement was run; undefined while none is kept. */
  #commitsSinceLong: number | undefined

  constructor(db: DatabaseSync) {
    this.#db = db
    this.#book = new AddressBook(db)
    // For the migration that packs what was stored before.
    db.function('pack_number', { deterministic: true }, (text) => (text === null ? null : packNumber(String(text))))
  }

  /** @throws SqliteFault for what SQLite refuses */
  run(sql: string, parameters: readonly unknown[], within?: Within): StatementResult {
    if (within === 'transaction' && !this.#db.isTransaction) throw new SqliteFault('the transaction has ended', abortCode, false)
    try {
      return this.#run(sql, parameters)
    } catch (error) {
      // It may have ended the transaction.
      this.#book.forget()
      throw toSqliteFault(error, this.#db.isTransaction)
    }
  }

  #run(sql: string, parameters: readonly unknown[]): StatementResult {
    if (formPattern.test(sql) || (beginPattern.test(sql) && !this.#isCommitted)) this.#forget()
    const { statement, pack, toRow } = this.#prepare(sql)
    const values = (pack ? pack(parameters, this.#book) : parameters) as SQLInputValue[]
    if (!toRow) {
      const changes = Number(statement.run(...values).changes)
      if (beginPattern.test(sql)) this.#isCommitted = false
      if (sql === 'commit') this.#commit()
      return { rows: [], changes }
    }
    return { rows: statement.all(...values).map((row) => toRow(row, this.#book)), changes: 0 }
  }

  #commit(): void {
    this.#isCommitted = true
    if (this.#commitsSinceLong === undefined) return
    this.#commitsSinceLong += 1
    if (this.#commitsSinceLong < restCommits) return
    this.#commitsSinceLong = undefined
    for (const sql of this.#prepared.keys()) if (sql.length > longLength) this.#prepared.delete(sql)
    this.#db.exec('pragma shrink_memory')
  }

  #forget(): void {
    this.#prepared.clear()
    this.#book.forget()
  }

  close(): void {
    this.#prepared.clear()
    this.#db.close()
  }

  #prepare(sql: string): Prepared {
    const known = this.#prepared.get(sql)
    if (known) this.#prepared.delete(sql)
    const entry = known ?? this.#make(sql)
    if (sql.length > longLength) this.#commitsSinceLong = 0
    if (sql.length > preparedLengthMax) return entry
    this.#prepared.set(sql, entry)
    if (this.#prepared.size > preparedMax) this.#dropOldest()
    return entry
  }

  #dropOldest(): void {
    const [oldest] = this.#prepared.keys()
    if (oldest !== undefined) this.#prepared.delete(oldest)
  }

  #make(sql: string): Prepared {
    const plain = this.#db.prepare(sql)
    const columns = plain.columns()
    if (columns.length === 0) return { statement: plain, pack: findPack(this.#db, sql), toRow: undefined }
    const reading = toReading(sql, columns)
    const statement = reading.sql === sql ? plain : this.#db.prepare(reading.sql)
    // Rows as objects take node:sqlite longer than to make them of arrays, and longer to read.
    statement.setReturnArrays(true)
    return { statement, pack: undefined, toRow: reading.toRow }
  }
}
