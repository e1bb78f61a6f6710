import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import { isPipelined } from '../pipelined.ts'
import type { StatementResult, Within } from './statementRunner.ts'

/** Statements sent to SQLite whose answers are not there yet. */
const sentMax = 4

/** One SQLite connection, wherever it lives. */
export type SqliteExecutor = {
  /** Runs statements in the order in which they are asked for, also where one is asked for before the one before has ended. */
  execute(sql: string, parameters: readonly unknown[], within?: Within): Promise<StatementResult>
  close(): Promise<void>
}

/** A writer takes the lock at once; a reader starts with its first read. */
type TransactionStart = 'immediate' | 'deferred'

/** Kysely on `node:sqlite`, through one connection that is handed to one user at a time. */
export class SqliteDialect implements Dialect {
  readonly #executor: SqliteExecutor
  readonly #begin: TransactionStart

  constructor(executor: SqliteExecutor, begin: TransactionStart) {
    this.#executor = executor
    this.#begin = begin
  }

  createDriver = (): Driver => new SqliteDriver(this.#executor, this.#begin)
  createQueryCompiler = () => new SqliteQueryCompiler()
  createAdapter = () => new TransactionalAdapter()
  createIntrospector = (db: Kysely<unknown>) => new SqliteIntrospector(db)
}

/** SQLite takes changes of tables back with their transaction, so a process killed in a migration leaves none half done. */
class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

class SqliteDriver implements Driver {
  readonly #executor: SqliteExecutor
  readonly #connection: DatabaseConnection
  readonly #begin: TransactionStart
  #lastUser: Promise<void> = Promise.resolve()
  #release: () => void = () => undefined

  constructor(executor: SqliteExecutor, begin: TransactionStart) {
    this.#executor = executor
    this.#begin = begin
    this.#connection = new SqliteConnection(executor)
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    const before = this.#lastUser
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#lastUser = promise
    await before
    this.#release = resolve
    return this.#connection
  }

  async releaseConnection(): Promise<void> {
    this.#release()
  }

  beginTransaction = (connection: DatabaseConnection) => this.#run(connection, `begin ${this.#begin}`)
  commitTransaction = (connection: DatabaseConnection) => this.#run(connection, 'commit')
  rollbackTransaction = (connection: DatabaseConnection) => this.#run(connection, 'rollback')

  async #run(connection: DatabaseConnection, sql: string): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw(sql))
  }

  async destroy(): Promise<void> {
    await this.#executor.close()
  }
}

class SqliteConnection implements DatabaseConnection {
  readonly #executor: SqliteExecutor
  /** Answers to statements whose caller does not wait, the oldest first. */
  readonly #sent: Promise<unknown>[] = []

  constructor(executor: SqliteExecutor) {
    this.#executor = executor
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const { sql, parameters } = query
    if (isPipelined(query)) {
      while (this.#sent.length >= sentMax) await this.#sent.shift()
      const answer = this.#executor.execute(sql, parameters, 'transaction')
      answer.catch(() => undefined)
      this.#sent.push(answer)
      return { rows: [] }
    }
    const sent = this.#sent.splice(0)
    await Promise.allSettled(sent)
    if (sql !== 'rollback') await Promise.all(sent)
    const { rows, changes } = await this.#executor.execute(sql, parameters)
    return { rows: rows as R[], numAffectedRows: BigInt(changes) }
  }

  // biome-ignore lint/correctness/useYield: Kysely asks for the method; rows are always read whole here.
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new TypeError('SQLite queries are not streamed')
  }
}
